"""What cells still lack, and whether they can be run at all: found out before the first of them is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from omnipilot.agents.assembly.build import prompts
from omnipilot.bench.experiments.grid import Cell
from omnipilot.bench.journal.episode_start import without_idle_limits
from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.results import Episode, slots, survey
from omnipilot.bench.journal.run import Run
from omnipilot.bench.journal.run_directory import SPEC, held
from omnipilot.bench.registry import load_suite
from omnipilot.bench.run.runner import RunFailed, check_solutions, chosen_tasks
from omnipilot.bench.spec import RunSpec, differences, essence
from omnipilot.bench.tasks.task import Suite
from omnipilot.envs import ConfigError, MissingExtra

SIZES = ("tasks", "instances", "trials")


@dataclass(frozen=True, slots=True)
class Due:
    """A cell that can be run.

    Attributes:
        spec: with all that is filled when a run starts. keys: of the episodes that it asks for.
        run: those of them that are finished. lacking: how many are not, or void ones that shall be made again.
    """

    cell: Cell
    spec: RunSpec
    keys: frozenset[str]
    run: Run
    lacking: int

    @property
    def identity(self) -> str:
        """Equal for cells that are the same run."""
        return self.spec.identity

    def with_episodes(self, episodes: Sequence[Episode]) -> Run:
        """The run with those of these episodes that are asked for."""
        return replace(self.run, episodes=tuple(one for one in episodes if one.key in self.keys), unfinished=0)


@contextmanager
def named(cell: Cell) -> Iterator[None]:
    """Errors of one cell say which it is."""
    try:
        yield
    except MissingExtra:
        raise
    except (ConfigError, RunFailed) as error:
        raise type(error)(f"cell {cell.label!r}: {error}") from error


def due_of(cells: Sequence[Cell], rerun_void: bool = False) -> list[Due]:
    """What each cell lacks. Nothing is written.

    Raises:
        ConfigError: one cannot be run, or its directory holds something else; the message names the cell.
        JournalError: a journal is damaged elsewhere than at its end.
    """
    suites: dict[str, Suite] = {}
    found = []
    for cell in cells:
        with named(cell):
            which = json.dumps([cell.spec.suite.name, dict(cell.spec.suite.options)], sort_keys=True, default=str)
            suite = suites.get(which) or suites.setdefault(which, load_suite(cell.spec.suite))
            found.append(_due(cell, suite, rerun_void))
    return found


def _due(cell: Cell, suite: Suite, rerun_void: bool) -> Due:
    tasks = chosen_tasks(cell.spec, suite)
    spec = replace(
        without_idle_limits(cell.spec, suite, tasks),
        suite_version=suite.version,
        tasks=tasks if cell.spec.tasks else (),
        prompts=prompts(cell.spec.agent),
    )
    if spec.agent.planner.name == "oracle":
        check_solutions(suite, tasks)
    keys = frozenset(slot.key for slot in slots(spec, tasks))
    episodes: tuple[Episode, ...] = ()
    unfinished = 0
    theirs = held(cell.folder)
    if theirs is not None:
        told = survey(read(cell.folder))
        episodes = tuple(one for one in told.episodes if one.key in keys)
        unfinished = len(keys & set(told.unfinished))
    lacking = len(keys) - sum(not (rerun_void and one.void) for one in episodes)
    if theirs is not None:
        _fits(cell, spec, RunSpec.from_json(theirs), suite, lacking)
    return Due(cell, spec, keys, Run(cell.label, spec, episodes, len(keys), unfinished), lacking)


def _fits(cell: Cell, ours: RunSpec, theirs: RunSpec, suite: Suite, lacking: int) -> None:
    """See that a directory holds this cell, or a smaller one, or a larger one in which nothing is lacking."""
    kept, there = ({k: v for k, v in essence(s.to_json()).items() if k not in SIZES} for s in (ours, theirs))
    if lines := differences(kept, there):
        listed = "\n  ".join(lines)
        raise ConfigError(f"{cell.folder / SPEC} is of another specification; choose another --out:\n  {listed}")
    if _covers(ours, theirs, suite) or (not lacking and _covers(theirs, ours, suite)):
        return
    raise ConfigError(
        f"{cell.folder} holds {_size(theirs)}, and {lacking} of the episodes asked for are not among those finished; "
        "ask for all of what it holds, and more if you like, or choose another --out"
    )


def _covers(large: RunSpec, small: RunSpec, suite: Suite) -> bool:
    tasks = not large.tasks or (small.tasks and set(small.tasks) <= set(large.tasks))
    if large.tasks and not small.tasks:
        tasks = set(chosen_tasks(small, suite)) <= set(large.tasks)
    return bool(tasks) and large.instances >= small.instances and large.trials >= small.trials


def _size(spec: RunSpec) -> str:
    tasks = f"the tasks {', '.join(spec.tasks[:5])}{', …' * (len(spec.tasks) > 5)}" if spec.tasks else "all tasks"
    return f"{tasks} with --instances {spec.instances} --trials {spec.trials}"
