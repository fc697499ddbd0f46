"""What `omnipilot sweep` does: run what is missing of every combination, and show all of them in one table."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from omnipilot.agents.assembly.part_names import short_name
from omnipilot.bench.cli.commands.run import FAILING, INTERRUPTED, OVER_BUDGET, resume_note, shard_note
from omnipilot.bench.experiments.cells import Cell, PendingCell, Stopped, name_cell_in_errors, pending_cells, run_due
from omnipilot.bench.experiments.sweep import Sweep, SweepRequest, specs_of, sweep_of, sweep_request
from omnipilot.bench.experiments.sweep_results import rows_of
from omnipilot.bench.journal.void_reasons import AGAIN
from omnipilot.bench.registry import loading_suites_once
from omnipilot.bench.report.figures.draw import FigureFiles
from omnipilot.bench.report.terminal_tables import ShownRows, render_results, render_table
from omnipilot.bench.run.config import unasked_limits
from omnipilot.bench.run.execution import RunExecution, ray_address
from omnipilot.bench.run.llm_budget import check_cost
from omnipilot.bench.run.mistakes import Mistakes
from omnipilot.bench.run.task_selection import held_back_note, select_tasks
from omnipilot.bench.scoring.run_figures import check_figures
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.shards.shard import Shard
from omnipilot.bench.stats.intervals import LEVEL, check_level
from omnipilot.bench.stats.paired import POWER
from omnipilot.envs import ConfigError
from omnipilot.envs.schema.read_toml import read_toml

if TYPE_CHECKING:
    from omnipilot.bench.journal.run import Run
    from omnipilot.bench.report.evaluation.evaluation import Evaluation
    from omnipilot.bench.spec import RunSpec


@dataclass(frozen=True, slots=True)
class SweepOptions:
    """How a sweep is run and evaluated.

    Attributes:
        dry: only print what is missing. rerun_void: run void episodes again. against: the cell to compare with.
        level: confidence level of intervals. power: for which the smallest detectable difference is given.
        figures: where else the figure is drawn. shown: how much of the tables is printed.
        further: names of further figures in the tables, see `omnipilot.bench.scoring.run_figures`.
    """

    dry: bool = False
    rerun_void: bool = False
    against: str = ""
    level: float = LEVEL
    power: float = POWER
    figures: FigureFiles = FigureFiles()
    shown: ShownRows = ShownRows()
    further: tuple[str, ...] = ()


@loading_suites_once()
def sweep_command(
    config: Path | None,
    lists: Mapping[str, Sequence[Any]],
    flags: RunSettings,
    options: Sequence[str] = (),
    how: SweepOptions | None = None,
) -> None:
    """Run a sweep, print its conclusion and its table, write these, its figure and its page.

    Args:
        config: a TOML file with settings of a run and a table `sweep`. lists: values given as flags, by setting.
        flags: settings that all cells share. options: of parts in every cell, as PART.KEY=VALUE.
    """
    how = how or SweepOptions()
    for share in (how.level, how.power):
        check_level(share)
    file = read_toml(config) if config else {}
    found = sweep_request(file, lists, flags, how.against, str(config or ""))
    sweep, out = _cells(found, options)
    check_figures(how.further, sweep.cells[0].spec.suite.name)
    jobs = found.settings.workers
    due = check_cells(sweep.cells, sweep.combinations, found.settings, how.rerun_void)
    if how.dry:
        from omnipilot.bench.experiments.sweep_preview import dry_table

        typer.echo(f"\n{render_table(dry_table(due, sweep.axes, jobs, budget=found.settings.budget))}\n")
        return
    sweep.write(out)
    runs = run_missing(due, out, found.settings, how.rerun_void)
    if has_results(runs, found.settings):
        from omnipilot.bench.report.evaluation.sweep import evaluate_sweep

        rows = rows_of(runs, sweep.reference, how.level, how.power, figures=how.further)
        show_evaluation(
            evaluate_sweep(sweep, runs, rows, how.level, how.power, how.shown.most), out, how.shown, how.figures
        )
    fail_if_void(runs)


def _cells(found: SweepRequest, options: Sequence[str]) -> tuple[Sweep, Path]:
    """The cells, and the folder of the sweep."""
    specs, out = chosen_specs(found, specs_of(found, options), "sweep")
    sweep = sweep_of(specs, out, found.against)
    return sweep, out


def chosen_specs(found: SweepRequest, specs: Sequence[RunSpec], command: str) -> tuple[list[RunSpec], Path]:
    """The runs of the cells with the tasks that are chosen for all, and the folder of the table.

    Raises:
        ConfigError: the settings ask for something that only a single run can do, or the folder is a run directory.
    """
    if found.settings.calibrate:
        raise ConfigError(f"a {command} does not calibrate; run `omnipilot calibrate` for each grounder first")
    first = select_tasks(specs[0], found.settings)
    out = Path(found.settings.out or f"runs/{command}-{short_name(first.suite.name)}")
    if (out / "spec.json").exists():
        raise ConfigError(f"{out} is a run directory; choose another --out for the {command}")
    if note := held_back_note(first, found.settings):
        typer.echo(note, err=True)
    return [replace(spec, tasks=first.tasks) for spec in specs], out


def check_cells(
    cells: Sequence[Cell], combinations: int, settings: RunSettings, rerun_void: bool = False
) -> list[PendingCell]:
    """The cells with what each lacks, once nothing stands in the way of any; prints warnings about their parts.

    Args:
        combinations: number of combinations asked for.

    Raises:
        ConfigError: cells cannot be run, or a limit of their cost cannot be enforced; all of it at once.
    """
    mistakes = Mistakes()
    due: list[PendingCell] = []
    with mistakes.noting():
        due = pending_cells(cells, rerun_void, settings.part)
    with mistakes.noting():
        ray_address(settings)
    for cell in cells:
        with mistakes.noting(), name_cell_in_errors(cell):
            check_cost(cell.spec, settings.waive_cost or False, settings.budget)
    mistakes.refuse()
    for warning in unasked_limits(settings, [cell.spec for cell in cells]):
        typer.echo(f"warning: {warning}", err=True)
    warned: dict[str, list[str]] = {}
    for one in due:
        for warning in one.agent.warnings():
            warned.setdefault(warning, []).append(one.cell.label)
    for warning, labels in warned.items():
        which = "all cells" if len(labels) == len(cells) else "; ".join(labels)
        typer.echo(f"warning: {which}: {warning}", err=True)
    if combinations > len(cells):
        typer.echo(f"{combinations} combinations amount to {len(cells)} different runs", err=True)
    return due


def run_missing(found: Sequence[PendingCell], out: Path, settings: RunSettings, rerun_void: bool) -> list[Run]:
    """Run what the cells lack, with progress on the terminal.

    Raises:
        typer.Exit: Ctrl-C was pressed, the budget is used up, or too many episodes came out void; how to go on is
            printed.
    """
    from omnipilot.bench.run.progress import Progress

    def tell(due: PendingCell) -> None:
        at = f"[{found.index(due) + 1}/{len(found)}] {due.cell.label}"
        typer.echo(f"{at}: {due.lacking} of {len(due.keys)} episodes to run", err=True)

    how = RunExecution.of(settings, [due.cell.folder for due in found], Progress(sys.stderr), rerun_void)
    try:
        runs = run_due(found, how, tell)
    except Stopped as stopped:
        typer.echo(stop_note(stopped, out, how), err=True)
        raise typer.Exit(stop_status(stopped)) from None
    return runs


def refuse_shard(settings: RunSettings, what: str) -> None:
    """Refuse a shard of what is no run and no sweep; a file of settings may name one.

    Raises:
        ConfigError: there is one.
    """
    if settings.shard is not None:
        raise ConfigError(f"{what} is not played in shards; leave out shard, or sweep the same settings with --shard")


def has_results(runs: Sequence[Run], settings: RunSettings) -> bool:
    """Whether there is something to show of every run; a shard says how it goes on, and may have no episode."""
    if settings.shard is not None:
        typer.echo(shard_note(Shard.parse(settings.shard)), err=True)
    return all(run.episodes for run in runs) or settings.shard is None


def fail_if_void(runs: Sequence[Run]) -> None:
    """End a command with a status that says so, if none of its episodes could be played.

    Raises:
        typer.Exit: every episode is void.
    """
    episodes = [one for run in runs for one in run.episodes]
    if episodes and all(one.void for one in episodes):
        typer.echo(f"every episode is void; {AGAIN}", err=True)
        raise typer.Exit(FAILING)


def stop_note(stopped: Stopped, out: Path, how: RunExecution) -> str:
    """Why a command with several runs stopped, and how to go on."""
    if stopped.over_budget:
        return how.spending.words()
    return how.voids.words(stopped.left) if stopped.given_up else resume_note(out)


def stop_status(stopped: Stopped) -> int:
    """The exit status of a command with several runs that stopped."""
    return OVER_BUDGET if stopped.over_budget else FAILING if stopped.given_up else INTERRUPTED


def show_evaluation(found: Evaluation, out: Path, shown: ShownRows, figures: FigureFiles) -> None:
    """Print what an experiment came to, write its files and its page, and say where they are."""
    typer.echo(f"{render_results(found.said, found.printed, shown)}\n")
    typer.echo("\n".join(found.write(out, figures)))
