"""The suite `crab`: task files of CRAB v0 as runnable tasks.

CRAB's own sub-tasks need its Ubuntu VM and its Android emulator. So a table says what ids mean: that of the embedded
world, or your own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from omnipilot.agents.limits import Limits
from omnipilot.agents.registry import unknown
from omnipilot.bench.suites.crab_adjacency import Variant
from omnipilot.bench.suites.crab_compose import Joined, composed
from omnipilot.bench.suites.crab_subtasks import load_pool
from omnipilot.bench.suites.crab_tasks import GET, CrabTask, load_tasks, version_of
from omnipilot.bench.suites.records import Bad, BadRecord
from omnipilot.bench.suites.source import Source
from omnipilot.bench.task import Task, TaskInfo
from omnipilot.envs.base import Thinking, World
from omnipilot.envs.errors import ConfigError
from omnipilot.memory.trace import Move

MANY = 1000
"""Stands for no limit, which a suite cannot ask for: None is the run's own."""
LIMITS: Mapping[str, Limits] = {"paper": Limits(15, MANY), "release": Limits(50, 20)}
"""The paper allows 15 turns (§5.2); the released code 20 actions, and its experiment loop 50 turns."""


class CrabSuite:
    """The suite.

    Args:
        data: the folder of task files, or `hf://OWNER/NAME`.
        variant: "release" to read adjacency lists as the released loader does, undirected.
        subtasks: the table, `module:attribute` of a `Pool`; "" for the embedded world's.
        limits: "paper" or "release", for tasks of a run that asks for no others.

    Raises:
        ConfigError: no data, no such table, variant or limits.
    """

    name = "crab"

    def __init__(self, data: str = "", variant: str = "paper", subtasks: str = "", limits: str = "paper") -> None:
        if variant not in get_args(Variant):
            raise ConfigError(unknown("variant", variant, get_args(Variant)))
        if limits not in LIMITS:
            raise ConfigError(unknown("set of limits", limits, LIMITS))
        source = Source.open(data, GET)
        self._limits = LIMITS[limits]
        self._pool = load_pool(subtasks)
        loaded = load_tasks(source, variant)  # type: ignore[arg-type]
        self._tasks: dict[str, tuple[CrabTask, Joined]] = {}
        bad = list(loaded.bad)
        for task in loaded.items:
            try:
                self._tasks[task.id] = task, composed(self._pool, task)
            except BadRecord as error:
                bad.append(error.bad)
        self.bad: tuple[Bad, ...] = tuple(bad)
        self.version = version_of(source)

    def tasks(self) -> Sequence[TaskInfo]:
        """The tasks of all files that can be played; `bad` has the others."""
        return [
            TaskInfo(id, task.description, found.envs, tags_of(task, found), seeded=False)
            for id, (task, found) in self._tasks.items()
        ]

    def instantiate(self, task_id: str, instance: int) -> Task:
        """One task. All instances are equal: the values stand in the file.

        Raises:
            ConfigError: no such task, or its file is bad; the message says what is wrong with it.
        """
        if task_id not in self._tasks:
            if bad := [str(bad) for bad in self.bad if bad.record == task_id]:
                raise ConfigError(f"crab task {task_id} cannot be played: {bad[0]}")
            raise ConfigError(unknown("crab task", task_id, self._tasks))
        task, found = self._tasks[task_id]
        demonstrate = self._pool.demonstrate

        def setup(world: World) -> str:
            self._pool.setup(world, found.state)
            return task.description

        def solution(world: Any) -> Sequence[Move]:
            assert demonstrate is not None
            return demonstrate(world, found.solutions())

        return Task(
            task_id, instance, setup, found.graph, solution if demonstrate else None, self._limits, tags_of(task, found)
        )

    def world(self, thinking: Thinking) -> World:
        """The table's world."""
        return self._pool.world(thinking)


def tags_of(task: CrabTask, found: Joined) -> dict[str, str]:
    """What tasks are grouped and chosen by."""
    platform = "cross" if len(found.envs) > 1 else "".join(found.envs)
    return {
        "platform": platform,
        "app": "+".join(dict.fromkeys(subtask.app for subtask in found.subtasks if subtask.app)),
        "folder": task.folder,
        "subtasks": str(len(task.uses)),
        "nodes": str(len(found.graph.nodes)),
        "template": "+".join(task.templates),
    }
