"""Tasks made of sub-tasks from a table: which can be played, and why the others cannot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from omnipilot.agents import Limits
from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.scoring.data.records import Bad, BadRecord, Loaded
from omnipilot.bench.suites.crab.joining import Joined
from omnipilot.bench.suites.subtasks.pool import Pool
from omnipilot.bench.tasks.task import Task, TaskInfo
from omnipilot.envs import ConfigError, World
from omnipilot.memory import Move

T = TypeVar("T")


class PoolTasks:
    """The tasks of a data set, with the table that plays them.

    Args:
        name: of the benchmark, in messages. loaded: the records of its tasks.
        compose: makes judges, content and demonstration for a record; raises `BadRecord` if the table cannot.
        info: a task's name, description (its instruction) and selectable tags.

    Attributes:
        bad: records that cannot be read or played.
    """

    def __init__(
        self,
        name: str,
        pool: Pool,
        loaded: Loaded[T],
        compose: Callable[[Pool, T], Joined],
        info: Callable[[T, Joined], TaskInfo],
    ) -> None:
        self._name, self._pool = name, pool
        self._tasks: dict[str, tuple[TaskInfo, Joined]] = {}
        bad = list(loaded.bad)
        for record in loaded.items:
            try:
                found = compose(pool, record)
            except BadRecord as error:
                bad.append(error.bad)
                continue
            one = info(record, found)
            self._tasks[one.id] = one, found
        self.bad: tuple[Bad, ...] = tuple(bad)

    def tasks(self) -> Sequence[TaskInfo]:
        """The playable tasks, in the order of the files."""
        return [info for info, _ in self._tasks.values()]

    def instantiate(self, task_id: str, instance: int, limits: Limits) -> Task:
        """One task. All instances are equal, since the files contain the values.

        Raises:
            ConfigError: no such task, or its record is bad; the message says what is wrong with it.
        """
        if task_id not in self._tasks:
            if bad := [str(bad) for bad in self.bad if bad.record == task_id]:
                raise ConfigError(f"{self._name} task {task_id} cannot be played: {bad[0]}")
            raise ConfigError(describe_unknown(f"{self._name} task", task_id, self._tasks))
        info, found = self._tasks[task_id]
        pool, demonstrate = self._pool, self._pool.demonstrate

        def setup(world: World) -> str:
            pool.setup(world, found.state)
            return info.description

        def solution(world: Any) -> Sequence[Move]:
            assert demonstrate is not None
            return demonstrate(world, found.solutions())

        shown = solution if demonstrate else None
        return Task(task_id, instance, setup, found.graph, shown, limits, info.tags, info.intent)
