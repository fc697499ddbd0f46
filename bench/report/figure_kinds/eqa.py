"""Curves of success against effort (MMBench-GUI, figure 5), one a run, in a panel for each budget of turns."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

from omnipilot.bench.experiments.budget import read_budgets, under_budget
from omnipilot.bench.report.figure_kinds.by_tag import caption_of, check_count
from omnipilot.bench.report.figure_kinds.kind import FigureRequest, RunFigure, figure_kind
from omnipilot.bench.report.figures.records import Block, Curves, FigureSpec, Missing, Series
from omnipilot.bench.report.paper.build import TableRequest, paper_table
from omnipilot.bench.report.paper.record import PaperCell
from omnipilot.bench.report.paper.sources import TableSource, find_sources
from omnipilot.bench.scoring.efficiency import has_eqa
from omnipilot.bench.scoring.eqa_curve import eqa_curve
from omnipilot.envs import ConfigError

ACROSS, UP = "budget spent so far, % (of each task: its turns / its limit)", "tasks solved so far, %"
HEAD = ("row", "run", "budget", "spent", "reached", "sr", "eqa", "eqa_low", "eqa_high", "level", "tasks")


@figure_kind("turns")
def eqa(request: FigureRequest) -> RunFigure:
    """Success against the share of the budget spent; the area below a curve is the run's EQA.

    Raises:
        ConfigError: as `find_sources`; no run has a turn limit, or there are more than eight.
    """
    sources = [one for one in find_sources(request.runs) if one.run is not None]
    check_count(len(sources))
    if not any(one.run is not None and has_eqa(one.run.episodes) for one in sources):
        raise ConfigError("none of these runs has an EQA: it takes runs of agents with a turn limit")
    budgets = list(dict.fromkeys(read_budgets(request.turns))) if request.turns else [None]
    blocks: list[Block] = []
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    tables = []
    for budget in budgets:
        # Runs without a finished episode have no curve and no row.
        cut = [one if budget is None else _cut(one, budget) for one in sources]
        drawn = [one for one in cut if one.run is not None and one.run.episodes and has_eqa(one.run.episodes)]
        title = "Success against the budget spent" + (f", at most {budget}" if budget is not None else "")
        if not drawn:
            blocks.append(Missing(title, "no episode of these runs has a turn limit"))
            continue
        table = paper_table(
            TableRequest(request.runs, ("sr", "eqa"), reference="none", settings=request.settings), drawn
        )
        tables.append(table)
        series = []
        for one, (rate, area) in zip(drawn, table.cells, strict=True):
            assert one.run is not None
            curve = eqa_curve(one.run.episodes, seed=request.settings.seed)
            tasks = len({episode.task for episode in one.run.episodes})
            notes = (
                f"EQA {_words(area)}",
                f"SR {_words(rate)}, {tasks} tasks",
            )
            points = list(zip(curve.spent, curve.reached, strict=True))
            series.append(Series(one.label, points, notes, (curve.end, curve.reached[-1])))
            ends = (rate.estimate, area.estimate, area.low, area.high, table.level, tasks)
            writer.writerows((one.label, one.folder.name, budget or "", x, y, *ends) for x, y in points)
        blocks.append(Curves(title, series, ACROSS, UP))
    caption = (*caption_of(*tables), "The area below a curve is its EQA; a dot marks where the last task ended")
    return RunFigure(
        FigureSpec([blocks[at : at + 2] for at in range(0, len(blocks), 2)]), out.getvalue().rstrip("\n"), caption
    )


def _cut(source: TableSource, budget: object) -> TableSource:
    assert source.run is not None
    return replace(source, run=under_budget(source.run, budget), cut=True)  # type: ignore[arg-type]


def _words(cell: PaperCell) -> str:
    """A share in percent with its interval."""
    if cell.estimate is None:
        return "—"
    ends = "" if cell.low is None or cell.high is None else f" [{cell.low:.1f}, {cell.high:.1f}]"
    return f"{cell.estimate:.1f} %{ends}"
