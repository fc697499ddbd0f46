"""What `omnipilot study` does: run what is missing of a study's conditions, and print its table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.cli.commands.sweep import fail_if_void, refuse_shard, stop_note, stop_status
from omnipilot.bench.experiments.cells import Cell, Stopped, run_cells
from omnipilot.bench.experiments.studies.levels import levels, levels_table
from omnipilot.bench.experiments.studies.matched import (
    MATCH,
    PAPER_CHAINS,
    PAPER_INTENTS,
    chain_against_graph,
    matched_table,
    with_and_without,
)
from omnipilot.bench.experiments.studies.orders import LEAST_WORDINGS, order_sensitivity, orders_table
from omnipilot.bench.experiments.studies.people import (
    WatchedEpisode,
    agreement_with_people,
    people_table,
    read_watched,
)
from omnipilot.bench.registry import loading_suites_once
from omnipilot.bench.report.conclusions import Conclusion
from omnipilot.bench.report.results.stored import store_results
from omnipilot.bench.report.terminal_tables import render_table
from omnipilot.bench.run.config import resolve_settings, spec_from, unasked_limits
from omnipilot.bench.run.execution import RunExecution, ray_address
from omnipilot.bench.run.labels import run_name
from omnipilot.bench.run.llm_budget import check_cost
from omnipilot.bench.run.progress import Progress
from omnipilot.bench.run.task_selection import select_tasks
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.stats.outcomes import FIGURES, outcomes
from omnipilot.envs import ConfigError

if TYPE_CHECKING:
    from omnipilot.bench.journal.run import Run
    from omnipilot.bench.spec import RunSpec
    from omnipilot.bench.tables import Table

WORDING = "wording"
"""The option of a suite that chooses how a task is told; "order-0", "order-1", … tell its parts in other orders."""


@dataclass(frozen=True, slots=True)
class StudyOptions:
    """How a study is made.

    Attributes:
        figure: of an episode, one of `FIGURES`. level: of intervals. sheet: of what people said, for `people`.
    """

    figure: str = "CR"
    level: float = 0.95
    sheet: Path | None = None


@dataclass(frozen=True, slots=True)
class Study:
    """A study.

    Attributes:
        about: what it finds out. conditions: its runs, by the name of a folder. table: of these runs.
        sets: a tag of tasks that count together alone: only tasks with it are run, and samples are of whole sets.
        with_intent: whether only tasks that state an intent are run.
    """

    about: str
    conditions: Callable[[RunSpec], Mapping[str, RunSpec]]
    table: Callable[[Sequence[Run], StudyOptions], Table]
    sets: str | None = None
    with_intent: bool = False


def _alone(spec: RunSpec) -> Mapping[str, RunSpec]:
    return {"run": spec}


def _orders(spec: RunSpec) -> Mapping[str, RunSpec]:
    names = [f"order-{number}" for number in range(LEAST_WORDINGS)]
    return {name: replace(spec, suite=spec.suite.with_options({WORDING: name})) for name in names}


def _intents(spec: RunSpec) -> Mapping[str, RunSpec]:
    return {"no-intent": replace(spec, intent=False), "intent": replace(spec, intent=True)}


def _watched(how: StudyOptions) -> list[WatchedEpisode]:
    if how.sheet is None:
        raise ConfigError(
            "name the sheet with what people said: --sheet FILE (columns episode, rater, completion, logic)"
        )
    return read_watched(how.sheet)


def _people(runs: Sequence[Run], how: StudyOptions) -> Table:
    episodes = runs[0].episodes
    names = dict.fromkeys(("SR", how.figure))
    figures = {
        name: {one.key: found.value for one, found in zip(episodes, outcomes(episodes, name), strict=True)}
        for name in names
    }
    return people_table(agreement_with_people(_watched(how), figures, how.level))


STUDIES: Mapping[str, Study] = {
    "levels": Study(
        "how a figure falls from one level of a complexity to the next (OmniBench, table 5)",
        _alone,
        lambda runs, how: levels_table(levels(runs[0].episodes, how.figure, how.level), how.figure),
    ),
    "chain": Study(
        "chains against graphs of the same size (figure 7)",
        _alone,
        lambda runs, how: matched_table(
            chain_against_graph(runs[0].episodes, how.figure, how.level), PAPER_CHAINS, how.figure
        ),
        MATCH,
    ),
    "orders": Study(
        "how much a score hangs on the order in which a task is told (table 8)",
        _orders,
        lambda runs, how: orders_table(
            order_sensitivity({run.name: run.episodes for run in runs}, how.figure, how.level), how.figure
        ),
    ),
    "intent": Study(
        "with and without the purpose of a task (table 9)",
        _intents,
        lambda runs, how: matched_table(
            with_and_without((runs[0].name, runs[1].name), runs[0].episodes, runs[1].episodes, how.figure, how.level),
            PAPER_INTENTS,
            how.figure,
        ),
        with_intent=True,
    ),
    "people": Study("whether figures agree with people who watched the same episodes (figure 5)", _alone, _people),
}


@loading_suites_once()
def study_command(
    name: str, config: Path | None, flags: RunSettings, options: Sequence[str], how: StudyOptions
) -> Table:
    """Run what is missing of a study, print its table, and write it.

    Args:
        name: of `STUDIES`. config: a TOML file. flags: override it. options: of parts, as PART.KEY=VALUE.

    Raises:
        ConfigError: no such study or figure, or it cannot be run or counted. typer.Exit: it was stopped.
    """
    if name not in STUDIES:
        raise ConfigError(describe_unknown("study", name, list(STUDIES)))
    if how.figure not in FIGURES:
        raise ConfigError(describe_unknown("figure", how.figure, list(FIGURES)))
    study = STUDIES[name]
    if study.table is _people:
        # Before anything is run, which may take hours.
        _watched(how)
    settings = resolve_settings(config, flags, options)
    refuse_shard(settings, "a study")
    ray_address(settings)
    spec = spec_from(settings)
    # Each condition is narrowed by itself, because not all of them list the same tasks.
    conditions = {
        label: select_tasks(one, settings, study.sets, study.with_intent)
        for label, one in study.conditions(spec).items()
    }
    for one in conditions.values():
        check_cost(one, settings.waive_cost or False, settings.budget)
    for warning in unasked_limits(settings, list(conditions.values())):
        typer.echo(f"warning: {warning}", err=True)
    out = Path(settings.out or f"runs/study-{name}-{run_name(spec)}")
    cells = [Cell(label, one, out / label) for label, one in conditions.items()]
    how_played = RunExecution.of(settings, [cell.folder for cell in cells], Progress(sys.stderr))
    try:
        runs = run_cells(cells, how_played)
    except Stopped as stopped:
        typer.echo(stop_note(stopped, out, how_played), err=True)
        raise typer.Exit(stop_status(stopped)) from None
    table = study.table(runs, how)
    typer.echo(f"{study.about}\n\n{render_table(table)}\n")
    text = store_results(out, Conclusion((study.about, *table.notes)), {name: (table,)})
    typer.echo(f"results: {text}")
    fail_if_void(runs)
    return table
