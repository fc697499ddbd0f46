"""Cells: runs for one table, each in its own directory. Only the episodes that a cell still lacks are run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from omnipilot.agents.assembly.build import solution_player
from omnipilot.agents.assembly.examine import ExaminedAgent, examine
from omnipilot.bench.journal.results import Episode, survey_of
from omnipilot.bench.journal.run import Run
from omnipilot.bench.journal.run_directory import (
    SPEC,
    covers,
    explain_differences,
    other_settings,
    read_spec,
    size_words,
)
from omnipilot.bench.registry import load_suite, loading_suites_once
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.labels import name_words
from omnipilot.bench.run.mistakes import Mistakes
from omnipilot.bench.run.runner import (
    RunFailed,
    check_solutions,
    chosen_tasks,
    due_slots,
    every_task,
    not_ready,
    run,
    with_statements,
)
from omnipilot.bench.shards.shard import Shard
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.tasks.task import Suite
from omnipilot.bench.users.choice import ExaminedUser, examine_user
from omnipilot.envs import ConfigError, MissingExtra

LONGEST = 80
"""Characters of a directory's name before its hash."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One run of several: its label in tables, its specification and its directory."""

    label: str
    spec: RunSpec
    folder: Path


@dataclass(frozen=True, slots=True)
class PendingCell:
    """A cell that is ready to run.

    Attributes:
        spec: with all that is filled when a run starts. keys: of the episodes that it asks for.
        run: those of them that are finished. lacking: how many are not, or void ones that shall be made again.
        agent: its agent, looked at. shard: that its episodes are of; None for all.
    """

    cell: Cell
    spec: RunSpec
    keys: frozenset[str]
    run: Run
    lacking: int
    agent: ExaminedAgent
    shard: Shard | None = None

    @property
    def identity(self) -> str:
        """Equal for cells of the same run."""
        return self.spec.identity

    def with_episodes(self, episodes: Sequence[Episode]) -> Run:
        """The run with those of the episodes that this cell asks for."""
        return replace(self.run, episodes=tuple(one for one in episodes if one.key in self.keys), unfinished=0)


@contextmanager
def name_cell_in_errors(cell: Cell) -> Iterator[None]:
    """Name the cell in errors about it."""
    try:
        yield
    except MissingExtra:
        raise
    except (ConfigError, RunFailed) as error:
        raise type(error)(f"cell {cell.label!r}: {error}") from error


@loading_suites_once()
def pending_cells(cells: Sequence[Cell], rerun_void: bool = False, shard: Shard | None = None) -> list[PendingCell]:
    """The cells with the episodes that each lacks, of a shard if one is given. Nothing is written.

    Raises:
        ConfigError: some cannot be run, or their directories hold something else; the message names these cells, and
            tells all mistakes at once.
        JournalError: there is no journal.
    """
    found = []
    wrong: dict[str, tuple[ConfigError, list[str]]] = {}
    for cell in cells:
        mistakes = Mistakes()
        agent, user = examine(cell.spec.agent), examine_user(cell.spec.user)
        with mistakes.noting():
            suite = load_suite(cell.spec.suite)
            due = _due(cell, suite, agent, user, rerun_void, shard)
            found.append(due)
            if due.lacking:
                mistakes.add(*not_ready(agent, suite, chosen_tasks(cell.spec, suite), user))
        if mistakes.found:
            # What would stand in the way next is told with it.
            mistakes.add(*agent.mistakes, *agent.uncallable(), *user.mistakes)
        for error in mistakes.found:
            wrong.setdefault(str(error), (error, []))[1].append(cell.label)
    refused = Mistakes()
    refused.add(*(_of_cells(error, labels, len(cells)) for error, labels in wrong.values()))
    refused.refuse()
    return found


def _of_cells(error: ConfigError, labels: Sequence[str], cells: int) -> ConfigError:
    """The error with the cells that it is about; a package that is not installed is lacking for all."""
    if isinstance(error, MissingExtra):
        return error
    if len(labels) == cells > 1:
        return ConfigError(f"all cells: {error}")
    return ConfigError(f"cell{'s' * (len(labels) > 1)} {', '.join(map(repr, labels))}: {error}")


def _due(
    cell: Cell, suite: Suite, agent: ExaminedAgent, user: ExaminedUser, rerun_void: bool, shard: Shard | None
) -> PendingCell:
    tasks = chosen_tasks(cell.spec, suite)
    spec = replace(
        with_statements(cell.spec, suite, agent, user),
        suite_version=suite.version,
        tasks=tasks if cell.spec.tasks else (),
    )
    check_solutions(solution_player(spec.agent), suite, tasks)
    keys = frozenset(slot.key for slot in due_slots(spec, suite, tasks, shard))
    episodes: tuple[Episode, ...] = ()
    unfinished = 0
    folder: Path | None = cell.folder
    theirs = read_spec(cell.folder)
    if theirs is not None:
        told = survey_of(cell.folder)
        episodes = tuple(one for one in told.episodes if one.key in keys)
        unfinished = len(keys & set(told.unfinished))
        if len(episodes) < len(told.episodes):
            # A benchmark's rules would score the episodes of other tasks, too.
            folder = None
    lacking = len(keys) - sum(not (rerun_void and one.void) for one in episodes)
    if theirs is not None:
        _fits(cell, spec.to_json(), theirs, suite, lacking)
    run = Run(cell.label, spec, episodes, len(keys), unfinished, folder=folder)
    return PendingCell(cell, spec, keys, run, lacking, agent, shard)


def _fits(cell: Cell, ours: Mapping[str, Any], theirs: Mapping[str, Any], suite: Suite, lacking: int) -> None:
    """Check that a directory holds this cell, a smaller one, or a larger one that lacks none of its episodes."""
    if lines := other_settings(ours, theirs):
        raise ConfigError(
            f"{cell.folder / SPEC} belongs to a run with other settings; choose another --out:\n  "
            f"{explain_differences(lines)}"
        )
    tasks = every_task(suite)
    if covers(ours, theirs, tasks) or (not lacking and covers(theirs, ours, tasks)):
        return
    raise ConfigError(
        f"{cell.folder} holds {size_words(theirs)}, and {lacking} of the episodes asked for are not among those "
        "finished; ask for all of what it holds, and more if you like, or choose another --out"
    )


class Stopped(Exception):
    """The cells were not run to their end.

    Attributes:
        runs: what there is, one a cell; those that were not reached have the episodes of earlier starts, or none.
        over_budget: nothing more may be spent. given_up: too many episodes came out void for one cause. If neither, the
            user pressed Ctrl-C.
    """

    def __init__(self, runs: list[Run], over_budget: bool = False, given_up: bool = False) -> None:
        super().__init__("over budget" if over_budget else "given up" if given_up else "interrupted")
        self.runs, self.over_budget, self.given_up = runs, over_budget, given_up

    @property
    def left(self) -> int:
        """Episodes of all cells that were not played."""
        return sum(run.planned - len(run.episodes) for run in self.runs)


def run_cells(
    cells: Sequence[Cell],
    how: RunExecution | None = None,
    on_cell: Callable[[PendingCell], None] | None = None,
) -> list[Run]:
    """Run what is missing of each cell, in order.

    Cells of one identity are one: the first one's directory is run, and all have its episodes. A directory that holds
    fewer tasks, instances or trials of the same specification grows; of one that holds more, what is asked for counts.

    Args:
        how: they are played; what is spent, void episodes in a row, and what is learnt of model servers count over all
            cells. None as in `omnipilot.bench.run.runner.run`.
        on_cell: told before a cell runs.

    Returns:
        One run a cell, named by the cell's label.

    Raises:
        ConfigError: a cell cannot be run; found before any is, and the message names it.
        Stopped: Ctrl-C was pressed, the budget is used up, or too many episodes in a row came out void.
        RunFailed: as `omnipilot.bench.run.runner.run`.
    """
    how = how or RunExecution()
    return run_due(pending_cells(cells, how.rerun_void), how, on_cell)


def run_due(
    found: Sequence[PendingCell],
    how: RunExecution | None = None,
    on_cell: Callable[[PendingCell], None] | None = None,
) -> list[Run]:
    """As `run_cells`, for cells that `pending_cells` has already checked."""
    done: dict[str, Run] = {}
    how = how or RunExecution()
    stopped = over = False
    for due in found:
        if due.identity in done:
            continue
        if stopped or not due.lacking:
            done[due.identity] = due.run
            continue
        if on_cell is not None:
            on_cell(due)
        with name_cell_in_errors(due.cell):
            result = run(due.spec, due.cell.folder, how, agent=due.agent, shard=due.shard)
        done[due.identity] = due.with_episodes(result.episodes)
        over = result.over_budget
        # The streak may also end with a cell's last episode, when others are still to come.
        stopped = result.interrupted or over or how.voids.reached
    runs = [replace(done[due.identity], name=due.cell.label) for due in found]
    if stopped:
        raise Stopped(runs, over, how.voids.reached)
    return runs


def cell_folder(folder: Path, spec: RunSpec) -> Path:
    """The directory of a cell in a folder."""
    return folder / cell_name(spec)


def cell_name(spec: RunSpec) -> str:
    """The name of a cell's directory: its planner, its other settings that are not the default, and a hash.

    It does not depend on how many tasks, instances and trials there are: a larger sweep goes on where a smaller was.
    """
    words = re.sub(r"[^A-Za-z0-9.]+", "-", name_words(spec)).strip("-.")
    return f"{words[:LONGEST].rstrip('-.')}-{_short_hash(spec)}"


def _short_hash(spec: RunSpec) -> str:
    return _regardless_of_size(spec).identity[:8]


def _regardless_of_size(spec: RunSpec) -> RunSpec:
    return replace(spec, tasks=(), instances=1, trials=1)
