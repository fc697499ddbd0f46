"""What `omnipilot sweep` does: run what is missing of every combination, and put all of them in one table."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from omnipilot.agents.assembly.build import warnings
from omnipilot.bench.cli.commands.run import chosen_by
from omnipilot.bench.experiments.grid import PendingCell, Stopped, name_cell_in_errors, pending_cells, run_due
from omnipilot.bench.experiments.sweep import Sweep, SweepRequest, specs_of, sweep_of, sweep_request
from omnipilot.bench.experiments.sweep_results import rows_of
from omnipilot.bench.report.sweep_table import sweep_table
from omnipilot.bench.report.terminal_tables import render_table
from omnipilot.bench.run.config import jobs_of, load_toml
from omnipilot.bench.run.held_back_tasks import left_out
from omnipilot.bench.run.llm_budget import check_cost
from omnipilot.bench.stats.intervals import LEVEL, check_level
from omnipilot.bench.stats.paired import POWER
from omnipilot.envs import ConfigError

if TYPE_CHECKING:
    from omnipilot.bench.journal.run import Run

FIGURE, PAGE = "sweep.svg", "report.html"


@dataclass(frozen=True, slots=True)
class How:
    """How a sweep is run and judged.

    Attributes:
        dry: only say what is missing. rerun_void: try void episodes again. against: the cell to compare with.
        level, power: of intervals and of the smallest detectable difference.
    """

    dry: bool = False
    rerun_void: bool = False
    against: str = ""
    level: float = LEVEL
    power: float = POWER


def sweep_command(
    config: Path | None,
    lists: Mapping[str, Sequence[Any]],
    flags: Mapping[str, Any],
    limits: Mapping[str, Any],
    options: Sequence[str] = (),
    how: How | None = None,
) -> None:
    """Run a sweep, print its table, write its figure and its page.

    Args:
        config: a TOML file with settings of a run and a table `sweep`. lists: of flags, by setting.
        flags: the other settings of a run. options: as PART.KEY=VALUE, of every cell.
    """
    how = how or How()
    for share in (how.level, how.power):
        check_level(share)
    file = load_toml(config) if config else {}
    found = sweep_request(file, lists, {**flags, "limits": limits or None}, how.against)
    sweep, out = _cells(found, options)
    jobs = jobs_of(found.settings)
    due = pending_cells(sweep.cells, how.rerun_void)
    if how.dry:
        from omnipilot.bench.experiments.sweep_preview import dry_table

        typer.echo(f"\n{render_table(dry_table(due, sweep.axes, jobs))}\n")
        return
    sweep.write(out)
    runs = _run(due, out, jobs, how.rerun_void)
    _show(sweep, runs, out, how)


def _cells(found: SweepRequest, options: Sequence[str]) -> tuple[Sweep, Path]:
    """The cells, all of the same tasks, once it is known that they may be run; and the folder of the sweep."""
    if found.settings.get("calibrate"):
        raise ConfigError("a sweep does not calibrate; do it before, with `omnipilot calibrate`, for each grounder")
    specs = specs_of(found, options)
    where = found.settings.get("where", ())
    first = chosen_by(specs[0], [where] if isinstance(where, str) else where)
    out = Path(found.settings.get("out") or f"runs/sweep-{first.suite.name.rpartition(':')[2]}")
    if (out / "spec.json").exists():
        raise ConfigError(f"{out} is a run's directory; choose another --out for the sweep")
    if missing := left_out(first, found.settings):
        typer.echo(missing, err=True)
    sweep = sweep_of([replace(spec, tasks=first.tasks) for spec in specs], out, found.against)
    told: dict[str, list[str]] = {}
    for cell in sweep.cells:
        with name_cell_in_errors(cell):
            for warning in warnings(cell.spec.agent):
                told.setdefault(warning, []).append(cell.label)
            check_cost(cell.spec, found.settings.get("waive_cost", False))
    for warning, labels in told.items():
        which = "all cells" if len(labels) == len(sweep.cells) else "; ".join(labels)
        typer.echo(f"warning: {which}: {warning}", err=True)
    if sweep.combinations > len(sweep.cells):
        typer.echo(f"{sweep.combinations} combinations are {len(sweep.cells)} different runs", err=True)
    return sweep, out


def _run(found: Sequence[PendingCell], out: Path, jobs: int, rerun_void: bool) -> list[Run]:
    from omnipilot.bench.run.progress import Progress

    def tell(due: PendingCell) -> None:
        at = f"[{found.index(due) + 1}/{len(found)}] {due.cell.label}"
        typer.echo(f"{at}: {due.lacking} of {len(due.keys)} episodes to run", err=True)

    try:
        return run_due(found, jobs, Progress(sys.stderr), rerun_void, tell)
    except Stopped:
        typer.echo(f"stopped; the same command goes on where it was, with what is done kept in {out}", err=True)
        raise


def _show(sweep: Sweep, runs: Sequence[Run], out: Path, how: How) -> None:
    from omnipilot.bench.report.headline_table import interval_table
    from omnipilot.bench.report.page import Section, write_report
    from omnipilot.bench.report.sweep_figure import sweep_figure

    rows = rows_of(runs, sweep.reference, how.level, how.power)
    table = sweep_table(rows, sweep.axes, how.level, how.power)
    svg = sweep_figure(rows, sweep.axes, runs[0].spec.suite.name, how.level)
    (out / FIGURE).write_text(svg, "utf-8")
    typer.echo(f"\n{render_table(table)}\n")
    others = interval_table(runs, how.level)
    others = replace(others, notes=(*others.notes, "CR, EE and CE: CRAB, variant paper"))
    folders, labels = [cell.folder for cell in sweep.cells], [cell.label for cell in sweep.cells]
    page = write_report(folders, out / PAGE, sections=[Section("Sweep", (table, others), svg)], names=labels)
    typer.echo(f"figure: {out / FIGURE}\nreport: {page}")
