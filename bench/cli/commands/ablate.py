"""What `omnipilot ablate` does: run what is missing of every condition, and show all of them in one table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from omnipilot.agents.assembly.examine import examine
from omnipilot.bench.cli.commands.sweep import fail_if_void, refuse_shard, show_evaluation, stop_note, stop_status
from omnipilot.bench.experiments.ablation import Condition, absent, choose_conditions, conditions
from omnipilot.bench.experiments.ablation_results import rows_of
from omnipilot.bench.experiments.cells import Cell, Stopped, pending_cells, run_cells
from omnipilot.bench.registry import loading_suites_once
from omnipilot.bench.report.evaluation.ablation import PlayedAblation, evaluate_ablation
from omnipilot.bench.report.figures.draw import FigureFiles
from omnipilot.bench.report.terminal_tables import ShownRows, render_table
from omnipilot.bench.run.config import resolve_settings, spec_from, unasked_limits
from omnipilot.bench.run.execution import RunExecution, ray_address
from omnipilot.bench.run.labels import run_name
from omnipilot.bench.run.llm_budget import check_cost
from omnipilot.bench.run.mistakes import Mistakes
from omnipilot.bench.run.progress import Progress
from omnipilot.bench.run.task_selection import check_tag, held_back_note, select_tasks
from omnipilot.bench.scoring.run_figures import check_figures
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.stats.intervals import LEVEL, check_level
from omnipilot.bench.stats.paired import POWER
from omnipilot.envs import ConfigError, MissingExtra

if TYPE_CHECKING:
    from omnipilot.bench.experiments.cells import PendingCell
    from omnipilot.bench.journal.run import Run
    from omnipilot.bench.spec import RunSpec
    from omnipilot.bench.tables import Table

LEVELS = "level"
"""The tag for how much a task depends on audio and video."""


@dataclass(frozen=True, slots=True)
class AblationOptions:
    """How an ablation is run and evaluated.

    Attributes:
        conditions: names or kinds of conditions to run; empty for all.
        by: the tag by whose values the tasks are grouped in a second table; "" for none on the terminal. The stored
            files group them by `level`, if they have one.
        dry: only print what is missing. rerun_void: run void episodes again.
        level: confidence level of intervals. power: for which the smallest detectable difference is given.
        figures: where else the figure is drawn. shown: how much of the tables is printed.
        further: names of further figures in the tables, see `omnipilot.bench.scoring.run_figures`.
    """

    conditions: tuple[str, ...] = ()
    by: str = ""
    dry: bool = False
    rerun_void: bool = False
    level: float = LEVEL
    power: float = POWER
    figures: FigureFiles = FigureFiles()
    shown: ShownRows = ShownRows()
    further: tuple[str, ...] = ()


@loading_suites_once()
def ablate_command(
    config: Path | None, flags: RunSettings, options: Sequence[str] = (), how: AblationOptions | None = None
) -> tuple[Table, ...]:
    """Run an ablation, print its conclusion and its table, write these, its figure and its page.

    Args:
        config: a TOML file. flags: override it. options: of parts, as PART.KEY=VALUE; they override both.

    Returns:
        The table with all conditions, and the one by groups of tasks if there are any; of a dry run, what is missing.

    Raises:
        ConfigError: the full set cannot be run, or there is no such condition. typer.Exit: it was stopped.
    """
    how = how or AblationOptions()
    settings = resolve_settings(config, flags, options)
    asked_for = ask_ablation(settings, how)
    out = asked_for.out
    if how.dry:
        return (_dry(asked_for.conditions, out, settings.workers, how.rerun_void, settings.budget),)
    execution = RunExecution.of(settings, asked_for.folders, Progress(sys.stderr), how.rerun_void)
    try:
        played = play_ablation(asked_for, execution, how)
    except Stopped as stopped:
        typer.echo(stop_note(stopped, out, execution), err=True)
        raise typer.Exit(stop_status(stopped)) from None
    by, shown = bool(how.by), how.shown
    evaluation = evaluate_ablation(played, how.level, how.power, by, shown.most, by or shown.every)
    show_evaluation(evaluation, out, shown, how.figures)
    fail_if_void(played.runs)
    return tuple(section.tables[0] for section in evaluation.sections)


@dataclass(frozen=True, slots=True)
class AblationRequest:
    """What an ablation is asked to run: its conditions, the full set first, into folders of `out`."""

    spec: RunSpec
    out: Path
    conditions: tuple[Condition, ...]

    @property
    def folders(self) -> list[Path]:
        """The directory of each condition."""
        return [_cell(one, self.out).folder for one in self.conditions]


def ask_ablation(settings: RunSettings, how: AblationOptions) -> AblationRequest:
    """What an ablation with these settings runs. Nothing is run.

    Raises:
        ConfigError: the full set cannot be run, or there is no such condition, tag or figure.
    """
    for share in (how.level, how.power):
        check_level(share)
    refuse_shard(settings, "an ablation")
    spec, out = _full_set(settings)
    # Unknown names and tags are refused before anything is run.
    if how.by:
        check_tag(spec, how.by)
    check_figures(how.further, spec.suite.name)
    return AblationRequest(spec, out, tuple(choose_conditions(conditions(spec), how.conditions)))


def play_ablation(request: AblationRequest, execution: RunExecution, how: AblationOptions) -> PlayedAblation:
    """Run what is missing of each condition, and compare them with the full set.

    Raises:
        ConfigError: a directory holds something else. Stopped: as `run_cells`.
    """
    spec, out = request.spec, request.out

    def play(cell: Cell, at: str) -> Run:
        """Run what is missing of a condition; `at` says which of how many it is."""
        (run,) = run_cells([cell], execution, _announce(at))
        return run

    full = play(_cell(conditions(spec)[0], out), "1")
    without = absent(out / "full") & spec.agent.modalities
    by = how.by or (LEVELS if any(LEVELS in episode.tags for episode in full.episodes) else "")
    sensible = {one.name for one in conditions(spec, without)}
    wanted = [one for one in request.conditions if one.name in sensible]
    found = _run(wanted[1:], out, play)
    rows = rows_of(full, found, by, how.level, how.power, figures=how.further)
    return PlayedAblation(spec, out, request.conditions, full, found, without, by, wanted, rows)


def _full_set(settings: RunSettings) -> tuple[RunSpec, Path]:
    """The run of the full set, and the folder of the ablation."""
    mistakes = Mistakes()
    spec = spec_from(settings)
    with mistakes.noting():
        spec = select_tasks(spec, settings)
    with mistakes.noting():
        ray_address(settings)
    with mistakes.noting():
        if spec.stand_in:
            raise ConfigError("an ablation replaces audio and video itself; leave out stand_in")
    with mistakes.noting():
        if spec.instruction:
            raise ConfigError("an ablation gives the instruction in each form itself; leave out instruction")
    with mistakes.noting():
        check_cost(spec, settings.waive_cost or False, settings.budget)
    with mistakes.noting():
        if note := held_back_note(spec, settings):
            typer.echo(note, err=True)
    out = Path(settings.out or f"runs/ablate-{run_name(spec)}")
    with mistakes.noting():
        if (out / "spec.json").exists():
            raise ConfigError(f"{out} is a run directory; choose another --out for the ablation")
    with mistakes.noting():
        pending_cells([_cell(conditions(spec)[0], out)])
    mistakes.refuse()
    for warning in unasked_limits(settings, [spec]):
        typer.echo(f"warning: {warning}", err=True)
    return spec, out


def _dry(wanted: Sequence[Condition], out: Path, jobs: int, rerun_void: bool, budget: float | None) -> Table:
    from omnipilot.bench.experiments.sweep_preview import dry_table

    cells = [_cell(one, out) for one in wanted if not _refused(one)]
    table = dry_table(pending_cells(cells, rerun_void), jobs=jobs, budget=budget)
    typer.echo(f"\n{render_table(table)}\n")
    return table


def _run(wanted: Sequence[Condition], out: Path, play: Callable[[Cell, str], Run]) -> dict[str, Run | str]:
    """The run of each condition, or why it is impossible."""
    found: dict[str, Run | str] = {one.name: why for one in wanted if (why := _refused(one))}
    # A bad directory says nothing about a condition: it is refused before any of them is run.
    pending_cells([_cell(one, out) for one in wanted if one.name not in found])
    for number, one in enumerate(wanted, 2):
        if one.name in found:
            continue
        try:
            found[one.name] = play(_cell(one, out), f"{number}/{len(wanted) + 1}")
        except MissingExtra:
            raise
        except ConfigError as error:
            found[one.name] = str(error).removeprefix(f"cell {one.name!r}: ")
    return {one.name: found[one.name] for one in wanted}


def _refused(condition: Condition) -> str:
    """Why the agent of a condition cannot be built; "" if it can."""
    mistakes = examine(condition.spec.agent).mistakes
    for one in mistakes:
        if isinstance(one, MissingExtra):
            raise one
    return str(mistakes[0]) if mistakes else ""


def _cell(condition: Condition, out: Path) -> Cell:
    return Cell(condition.name, condition.spec, out / condition.slug)


def _announce(number: str) -> Callable[[PendingCell], None]:
    """What prints a line about a cell before it is run, with its `number` among the cells."""

    def tell(due: PendingCell) -> None:
        typer.echo(f"[{number}] {due.cell.label}: {due.lacking} of {len(due.keys)} episodes to run", err=True)

    return tell
