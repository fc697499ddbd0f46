"""How episodes ended, by platform (CRAB, figure 3 and C.2), with the completion rate beside."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from omnipilot.bench.journal.results import Episode
from omnipilot.bench.report.figure_kinds.by_tag import caption_of
from omnipilot.bench.report.figure_kinds.kind import FigureRequest, RunFigure, figure_kind
from omnipilot.bench.report.figures.records import FigureSpec, StackBar, Stacks
from omnipilot.bench.report.paper.build import TableRequest, paper_table
from omnipilot.bench.report.paper.record import PaperCell
from omnipilot.bench.report.paper.sources import find_sources
from omnipilot.bench.report.paper.values import DEVICE, ValueSettings, episodes_among, values_of_tag
from omnipilot.bench.scoring.metrics import Metric, metric_figure
from omnipilot.bench.scoring.score import Figure
from omnipilot.bench.tasks.figures import Termination
from omnipilot.bench.tasks.figures import termination as ending_of
from omnipilot.envs import ConfigError

ENDS: tuple[str, ...] = get_args(Termination)
HEAD = (
    "section",
    "row",
    "run",
    "tag",
    "value",
    "ending",
    "count",
    "of",
    "share",
    "low",
    "high",
    "level",
    "interval_by",
    "cr",
    "cr_low",
    "cr_high",
)


@figure_kind("by")
def termination(request: FigureRequest) -> RunFigure:
    """Why episodes ended, as stacked bars: one a run for each device (or value of another tag), with CR beside.

    Raises:
        ConfigError: as `find_sources` and `values_of_tag`; two tags, or no run of an agent.
    """
    if len(request.by) > 1:
        raise ConfigError("terminations are shown by one tag; give --by once")
    tag = request.by[0] if request.by else DEVICE
    sources = [one for one in find_sources(request.runs) if one.run is not None and one.run.episodes]
    if not sources:
        raise ConfigError("none of these runs has a finished episode of an agent; start them again to finish them")
    if len({one.suite for one in sources}) > 1:
        raise ConfigError("terminations are those of one suite; draw a figure for each")
    table = paper_table(
        TableRequest(request.runs, (f"cr/{tag}", "cr"), reference="none", settings=request.settings),
        sources,
    )
    values: list[str | None] = [*values_of_tag(sources, tag), None]
    if len(values) == 2:
        values = [None]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    bars = []
    places = {value: at for at, value in enumerate(values_of_tag(sources, tag))}
    for value in values:
        for source, line in zip(sources, table.cells, strict=True):
            some = episodes_among(source, () if value is None else ((tag, value),))
            counts = Counter(ending_of(one.reason, one.status, one.success) for one in some)
            cell = line[-1] if value is None else line[places[value]]
            words = "All tasks" if value is None else table.columns[places[value]].head
            bars.append(StackBar(source.label, [counts[end] for end in ENDS], words, _words(cell, len(some))))  # type: ignore[index]
            for end in ENDS:
                share = _share(some, end, request.settings)
                told = (source.section, source.label, source.folder.name, tag, "" if value is None else value)
                rate = (cell.estimate, cell.low, cell.high)
                writer.writerow((*told, end, counts[end], len(some), *share, *rate))  # type: ignore[index]
    shown = Stacks(f"How episodes ended, by {tag}", [end.capitalize() for end in ENDS], bars, "n · CR %")
    caption = caption_of(replace(table, about=f"How episodes ended, by {tag}; the numbers in bars are episodes"))
    return RunFigure(FigureSpec(((shown,),)), out.getvalue().rstrip("\n"), caption)


def _share(episodes: Sequence[Episode], end: str, settings: ValueSettings) -> tuple[object, ...]:
    """The share of episodes that ended so, with its interval over clusters of tasks; nothing of none."""
    if not episodes:
        return ("",) * 5
    metric = Metric(
        end, end, lambda one: float(ending_of(one.reason, one.status, one.success) == end), most=1.0, void="asked"
    )
    found: Figure = metric_figure(metric, list(episodes), settings.level, settings.resamples, settings.seed)
    interval = found.interval
    if interval is None:
        return ("",) * 5
    return interval.estimate, interval.low, interval.high, interval.level, interval.method


def _words(cell: PaperCell, count: int) -> str:
    """The number of episodes, and the completion rate with its interval."""
    if cell.estimate is None:
        return f"{count} · —"
    ends = "" if cell.low is None or cell.high is None else f" [{cell.low:.0f}, {cell.high:.0f}]"
    return f"{count} · {cell.estimate:.1f}{ends}"
