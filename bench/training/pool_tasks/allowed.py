"""The tasks of a pool that may be trained on: none that holds what duet's test split is made of."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import GraphRecord
from omnipilot.bench.suites.pool.suite import PoolSuite
from omnipilot.bench.suites.pool.templates import templates_of
from omnipilot.bench.tasks.task import TaskInfo
from omnipilot.bench.training.pool_tasks.exclusion import REASONS, excluded_subtasks
from omnipilot.envs import ConfigError

FIGURES = ("dependency", "instruction", "hierarchy", "branch", "knowledge")
LEVELS = ("AV-present", "AV-supportive", "AV-critical")
"""How much hangs on sound and motion, the least first."""


@dataclass(frozen=True, slots=True)
class PoolTask:
    """A task that may be trained on.

    Attributes:
        level: of `LEVELS`, the highest of its subtasks. nodes: how many subtasks it has.
        complexity: "easy", "medium" or "hard" for each of `FIGURES`.
        chain: whether its subtasks have one order alone. intent: whether a purpose is stated.
    """

    id: str
    level: str
    complexity: Mapping[str, str]
    nodes: int = 1
    chain: bool = False
    intent: bool = False


@dataclass(frozen=True, slots=True)
class PoolRecord:
    """What a training notes of its pool.

    Attributes:
        pool: its folder, where it lay last; two records are equal wherever it lies. version: of the suite, with a
            digest of the pool's files. tasks: ids of those that are trained on.
        intents: whether the model is told what a task is for. with_test_effects, dropped, dropped_tasks: see
            `AllowedPool`.
    """

    pool: str = field(compare=False)
    version: str
    tasks: tuple[str, ...]
    intents: bool = False
    with_test_effects: bool = False
    dropped: Mapping[str, int] = field(default_factory=dict)
    dropped_tasks: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AllowedPool:
    """What may be trained on of a pool: tasks for development without anything that duet's test split is made of.

    Attributes:
        suite: the pool, opened for development. tasks: in the order of the pool.
        dropped: subtasks that were left out, by reason. dropped_tasks: tasks for development that hold one, by the
            first reason. with_test_effects: whether they stayed in, which only a run that says so may do.
    """

    folder: Path
    suite: PoolSuite
    tasks: tuple[PoolTask, ...]
    dropped: Mapping[str, int] = field(default_factory=dict)
    dropped_tasks: Mapping[str, int] = field(default_factory=dict)
    with_test_effects: bool = False

    def record(self, intents: bool = False) -> PoolRecord:
        """What a training notes of its pool.

        Args:
            intents: whether a purpose is told, where a task has one.
        """
        return PoolRecord(
            str(self.folder),
            self.suite.version,
            tuple(one.id for one in self.tasks),
            intents,
            self.with_test_effects,
            dict(self.dropped),
            dict(self.dropped_tasks),
        )

    def describe(self) -> list[str]:
        """Lines that say how much was left out, and why."""
        kept = f"{len(self.tasks)} tasks of {self.folder} may be trained on"
        if self.with_test_effects:
            return [f"{kept}; subtasks with effects of the test split are among them, as --with-test-effects says"]
        reasons = [
            f"{self.dropped.get(reason, 0)} subtasks left out, which {reason.replace('has', 'have', 1)}, "
            f"and with them {self.dropped_tasks.get(reason, 0)} tasks"
            for reason in REASONS
            if self.dropped.get(reason)
        ]
        return [*(one.replace("which is a", "each of which is a") for one in reasons), kept]


def allowed_tasks(folder: Path, with_test_effects: bool = False, more_templates: Collection[str] = ()) -> AllowedPool:
    """The tasks of a pool that may be trained on; see `exclusion`.

    Args:
        with_test_effects: keep those with subtasks like templates of duet's test split, for a run that says so.
        more_templates: ids of templates of duet that are measured on besides, and treated as those of the test.

    Raises:
        ConfigError: the folder has no graphs or subtasks, or no task is left; the message says what to do.
    """
    suite, pool = PoolSuite(str(folder), "dev"), PoolFolder(folder)
    infos = suite.tasks()
    excluded = {} if with_test_effects else excluded_subtasks(pool, more_templates)
    against = {info.id: _first_reason(suite.templates_of(info.id), excluded) for info in infos}
    levels = {id: template.level for id, template in templates_of(pool).items()}
    graphs = {graph.id: graph for graph in pool.graphs.read()}
    tasks = tuple(_task(info, graphs[info.id], levels) for info in infos if not against[info.id])
    if not tasks:
        raise ConfigError(
            f"no task of {folder} may be trained on: each holds a subtask like a template of duet's test split; make a "
            f"pool without those: omnipilot train pool {folder} --out OTHER"
        )
    return AllowedPool(
        folder,
        suite,
        tasks,
        Counter(excluded.values()),
        Counter(reason for reason in against.values() if reason),
        with_test_effects,
    )


def check_empty(out: Path) -> None:
    """Refuse a folder that holds something.

    Raises:
        ConfigError: it does.
    """
    if out.exists() and any(out.iterdir()):
        raise ConfigError(
            f"{out} is not empty; name a new folder, or go on with: omnipilot synth all --since compose --out {out}"
        )


def write_training_pool(source: Path, out: Path) -> Mapping[str, int]:
    """Copy what a pool was explored to be, without subtasks that may not be trained on, into a folder of its own.

    Graphs and tasks are not copied: they are composed of what is left. Returns the number left out, by reason.

    Raises:
        ConfigError: the pool has no subtasks, or the folder holds something.
    """
    check_empty(out)
    pool = PoolFolder(source)
    excluded = excluded_subtasks(pool)
    out.mkdir(parents=True, exist_ok=True)
    for file in (pool.subtasks, pool.evaluators, pool.trajectories, pool.verdicts):
        if file.path.exists():
            kept = [line for line in _lines(file.path) if _subtask_of(line) not in excluded]
            (out / file.path.name).write_text("".join(kept), encoding="utf-8")
    record = source / "explored.json"
    if record.exists():
        (out / record.name).write_bytes(record.read_bytes())
    return Counter(excluded.values())


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if line.endswith("\n")]


def _subtask_of(line: str) -> str:
    told = json.loads(line)
    return str(told.get("subtask") or told.get("subtask_id") or told.get("id", ""))


def _first_reason(subtasks: frozenset[str], excluded: Mapping[str, str]) -> str:
    found = {excluded[id] for id in subtasks if id in excluded}
    return next((reason for reason in REASONS if reason in found), "")


def _task(info: TaskInfo, graph: GraphRecord, levels: Mapping[str, str]) -> PoolTask:
    level = max((levels[id] for id in graph.subtasks), key=LEVELS.index)
    complexity = {name: info.tags[name] for name in FIGURES if name in info.tags}
    nodes, edges = len(graph.subtasks), set(graph.edges)
    # Nodes stand in reading order.
    chain = all((at, at + 1) in edges for at in range(nodes - 1))
    return PoolTask(info.id, level, complexity, nodes, chain, bool(info.intent))
