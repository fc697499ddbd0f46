"""What `omnipilot ablate` does: run what is missing of every condition, and put all of them in one table."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from omnipilot.agents.assembly.build import prompts
from omnipilot.bench.cli.commands.run import chosen_by, run_name
from omnipilot.bench.experiments.ablation import FULL, MOVING, Condition, absent, choose_conditions, conditions
from omnipilot.bench.experiments.ablation_results import rows_of
from omnipilot.bench.experiments.grid import Cell, Stopped, pending_cells, run_cells
from omnipilot.bench.journal.void_reasons import all_void_notes
from omnipilot.bench.report.ablation_table import ablate_figure, ablate_table
from omnipilot.bench.report.terminal_tables import render_table
from omnipilot.bench.run import preset as presets
from omnipilot.bench.run.config import jobs_of, layer_settings, load_toml, merge_settings, spec_from
from omnipilot.bench.run.held_back_tasks import known_tag, left_out
from omnipilot.bench.run.llm_budget import check_cost
from omnipilot.bench.stats.intervals import LEVEL, check_level
from omnipilot.bench.stats.paired import POWER
from omnipilot.envs import ConfigError, MissingExtra

if TYPE_CHECKING:
    from omnipilot.bench.experiments.grid import PendingCell
    from omnipilot.bench.journal.run import Run
    from omnipilot.bench.spec import RunSpec
    from omnipilot.bench.tables import Table
    from omnipilot.envs import Modality

FIGURE, PAGE = "ablate.svg", "report.html"
LEVELS = "level"
"""The tag that says how much a task depends on sound and video."""


@dataclass(frozen=True, slots=True)
class How:
    """How an ablation is run and judged.

    Attributes:
        conditions: names or kinds of those wanted; all for none.
        by: the tag that tasks are grouped by; "" for their `level`, where they have one.
        dry: only say what is missing. rerun_void: try void episodes again.
        level, power: of intervals and of the smallest detectable difference.
    """

    conditions: tuple[str, ...] = ()
    by: str = ""
    dry: bool = False
    rerun_void: bool = False
    level: float = LEVEL
    power: float = POWER


def ablate_command(
    config: Path | None,
    flags: Mapping[str, Any],
    limits: Mapping[str, Any],
    options: Sequence[str] = (),
    how: How | None = None,
) -> Table:
    """Run an ablation, print its table, write its figure and its page.

    Args:
        config: a TOML file with settings of a run. flags: settings that were given; they come first.

    Returns:
        The table that was printed.

    Raises:
        ConfigError: the full set cannot be run, or a condition is none. Stopped: Ctrl-C was pressed.
    """
    how = how or How()
    for share in (how.level, how.power):
        check_level(share)
    spec, out, jobs = _asked(config, flags, limits, options)
    # A name or a tag that is none is told before anything is run.
    if how.by:
        known_tag(spec, how.by)
    asked = choose_conditions(conditions(spec), how.conditions)
    if how.dry:
        return _dry(asked, out, jobs, how.rerun_void)
    try:
        full = run_cells([_cell(conditions(spec)[0], out)], jobs, _progress(), how.rerun_void, _told("1"))[0]
        without = absent(out / "full") & spec.agent.modalities
        by = how.by or (LEVELS if any(LEVELS in episode.tags for episode in full.episodes) else "")
        sensible = {one.name for one in conditions(spec, without)}
        wanted = [one for one in asked if one.name in sensible]
        found = _run(wanted[1:], out, jobs, how.rerun_void)
    except Stopped:
        typer.echo(f"stopped; the same command goes on where it was, with what is done kept in {out}", err=True)
        raise
    rows = rows_of(full, found, by, how.level, how.power)
    notes = _notes(spec, without, wanted, [full, *(run for run in found.values() if not isinstance(run, str))])
    if dropped := [one.name for one in asked if one not in wanted]:
        notes.append(f"left out, for another condition is the same then, or nothing is left: {'; '.join(dropped)}")
    table = ablate_table(rows, by, notes, how.level, how.power)
    svg = ablate_figure(rows, full.spec.label, how.level)
    (out / FIGURE).write_text(svg, "utf-8")
    typer.echo(f"\n{render_table(table)}\n")
    ran = [one for one in wanted if not isinstance(found.get(one.name), str)]
    _report(ran, out, table, svg)
    return table


def _asked(
    config: Path | None, flags: Mapping[str, Any], limits: Mapping[str, Any], options: Sequence[str]
) -> tuple[RunSpec, Path, int]:
    """The run of the full set, the folder, and how many workers."""
    file = load_toml(config) if config else {}
    preset = flags.get("preset") or file.get("preset")
    base = layer_settings(presets.load(preset).settings, file) if preset else file
    settings = merge_settings(base, {**flags, "limits": limits or None}, options)
    where = settings.get("where", ())
    spec = chosen_by(spec_from(settings), [where] if isinstance(where, str) else where)
    if spec.stand_in:
        raise ConfigError("an ablation puts silence, noise and another task's media in by itself; leave stand_in out")
    check_cost(spec, settings.get("waive_cost", False))
    if told := left_out(spec, settings):
        typer.echo(told, err=True)
    out = Path(settings.get("out") or f"runs/ablate-{run_name(spec)}")
    if (out / "spec.json").exists():
        raise ConfigError(f"{out} is a run's directory; choose another --out for the ablation")
    return spec, out, jobs_of(settings)


def _dry(wanted: Sequence[Condition], out: Path, jobs: int, rerun_void: bool) -> Table:
    from omnipilot.bench.experiments.sweep_preview import dry_table

    cells = [_cell(one, out) for one in wanted if not _refused(one)]
    table = dry_table(pending_cells(cells, rerun_void), jobs=jobs)
    typer.echo(f"\n{render_table(table)}\n")
    return table


def _run(wanted: Sequence[Condition], out: Path, jobs: int, rerun_void: bool) -> dict[str, Run | str]:
    """The run of each condition, or why it cannot be run."""
    found: dict[str, Run | str] = {one.name: why for one in wanted if (why := _refused(one))}
    # What is wrong with a directory is no trait of a condition, and told before any of them is run.
    pending_cells([_cell(one, out) for one in wanted if one.name not in found])
    for number, one in enumerate(wanted, 2):
        if one.name in found:
            continue
        try:
            told = _told(f"{number}/{len(wanted) + 1}")
            found[one.name] = run_cells([_cell(one, out)], jobs, _progress(), rerun_void, told)[0]
        except MissingExtra:
            raise
        except ConfigError as error:
            found[one.name] = str(error).removeprefix(f"cell {one.name!r}: ")
    return {one.name: found[one.name] for one in wanted}


def _refused(condition: Condition) -> str:
    """Why the agent of a condition cannot be built, "" where it can."""
    try:
        prompts(condition.spec.agent)
    except MissingExtra:
        raise
    except ConfigError as error:
        return str(error)
    return ""


def _cell(condition: Condition, out: Path) -> Cell:
    return Cell(condition.name, condition.spec, out / condition.slug)


def _progress() -> Any:
    from omnipilot.bench.run.progress import Progress

    return Progress(sys.stderr)


def _told(number: str) -> Any:
    def tell(due: PendingCell) -> None:
        typer.echo(f"[{number}] {due.cell.label}: {due.lacking} of {len(due.keys)} episodes to run", err=True)

    return tell


def _notes(spec: RunSpec, without: frozenset[Modality], wanted: Sequence[Condition], runs: Sequence[Run]) -> list[str]:
    kinds = {one.kind for one in wanted}
    notes = [f"{FULL}: {', '.join(sorted(spec.agent.modalities))}"]
    if "control" in kinds:
        notes.append(
            "silence, noise, other: the full set, with sound and video of equal length in place of the true ones: "
            "none and a still, white noise and random blocks, those of another task"
        )
    if without:
        names = ", ".join(sorted(without))
        notes.append(f"not ablated, for no environment of the suite has it: {names}")
    if not set(MOVING) & (spec.agent.modalities - without):
        notes.append("no controls, for the agent is given neither sound nor video")
    notes += all_void_notes([(run.name, run.episodes) for run in runs])
    notes += [
        f"not finished: {run.name}, {len(run.episodes)} of {run.planned} episodes"
        for run in runs
        if len(run.episodes) < run.planned
    ]
    return notes


def _report(ran: Sequence[Condition], out: Path, table: Table, svg: str) -> None:
    from omnipilot.bench.report.page import Section, write_report

    folders, labels = [out / one.slug for one in ran], [one.name for one in ran]
    page = write_report(folders, out / PAGE, sections=[Section("Ablation", (table,), svg)], names=labels)
    typer.echo(f"figure: {out / FIGURE}\nreport: {page}")
