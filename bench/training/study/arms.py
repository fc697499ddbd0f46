"""What the arms of the study are trained on, and the hand-written tasks that all of them are measured on.

Templates of duet's development tasks are held out by the hash of their ids. Tasks with one of them are measured on, the
others are what the arm `hand` is trained on. A pool's tasks are left out where they hold a subtask like a template that
is held out, or like one of the test split.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.training.demonstrations import FIRST_INSTANCE, Sample, demonstrate
from omnipilot.bench.training.pool_tasks.allowed import PoolTask, allowed_tasks
from omnipilot.bench.training.pool_tasks.demonstrations import demonstrate_pool
from omnipilot.bench.training.pool_tasks.lessons import PoolLessons
from omnipilot.envs import ConfigError

ONE_IN = 4
"""Of how many templates of development tasks one is held out."""
HAND, CHAIN, GRAPH, INTENTS = ARMS = ("hand", "chain", "graph", "both-intents")
"""Hand-written tasks; chains of the pool; its graphs that are no chains; both of these by turns, with intents."""
Demonstrate: TypeAlias = Callable[[str, int], Sequence[Sample]]


@dataclass(frozen=True, slots=True)
class StudyArm:
    """What one arm is trained on: its tasks, as often as it takes, each time on other content.

    Attributes:
        tasks: ids, in the order in which they are demonstrated. demonstrate: the samples of a task and an instance;
            none where it cannot be demonstrated. intents: whether the model is told what a task is for.
    """

    name: str
    tasks: tuple[str, ...]
    demonstrate: Demonstrate
    intents: bool = False

    def candidate(self, number: int) -> tuple[str, int]:
        """The task and instance that are tried at a place, from 0."""
        turn, at = divmod(number, len(self.tasks))
        return self.tasks[at], FIRST_INSTANCE + turn


def held_out_templates() -> frozenset[str]:
    """The templates of development tasks that no arm is trained on."""
    suite = Duet("dev")
    every = {id for info in suite.tasks() for id in suite.about(info.id).templates}
    return frozenset(id for id in every if _rank(id) % ONE_IN == 0)


def measured_tasks() -> tuple[str, ...]:
    """The development tasks with a template that is held out."""
    return _tasks_with_held_out(True)


def study_arms(pool: Path, names: Sequence[str] = ARMS) -> list[StudyArm]:
    """The arms of these names.

    Raises:
        ConfigError: no such arm, or the pool has no task for one.
    """
    if unknown := sorted(set(names) - set(ARMS)):
        raise ConfigError(f"there is no arm {unknown[0]!r}; choose from {', '.join(ARMS)}")
    tasks = _joined_tasks(pool) if set(names) != {HAND} else []
    chains = tuple(one.id for one in tasks if one.chain)
    graphs = tuple(one.id for one in tasks if not one.chain)
    turns = tuple(id for both in zip(_filled(chains, graphs), _filled(graphs, chains), strict=True) for id in both)
    made = {
        HAND: lambda: StudyArm(HAND, _tasks_with_held_out(False), _hand),
        CHAIN: lambda: StudyArm(CHAIN, chains, _of_pool(pool, False)),
        GRAPH: lambda: StudyArm(GRAPH, graphs, _of_pool(pool, False)),
        INTENTS: lambda: StudyArm(INTENTS, turns, _of_pool(pool, True), True),
    }
    arms = [made[name]() for name in dict.fromkeys(names)]
    if empty := [arm.name for arm in arms if not arm.tasks]:
        raise ConfigError(
            f"no task of {pool} is left for the arm {empty[0]}; compose more: omnipilot synth compose {pool} --add "
            "--pairs 100"
        )
    return arms


def _joined_tasks(pool: Path) -> list[PoolTask]:
    """The tasks of several subtasks that may be trained on."""
    return [one for one in allowed_tasks(pool, more_templates=held_out_templates()).tasks if one.nodes > 1]


def _filled(some: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """The ids, again and again, as many as the longer of both has; none where one has none."""
    if not some or not others:
        return ()
    most = max(len(some), len(others))
    return tuple(some[at % len(some)] for at in range(most))


@cache
def _tasks_with_held_out(wanted: bool) -> tuple[str, ...]:
    suite, held_out = Duet("dev"), held_out_templates()
    return tuple(
        info.id for info in suite.tasks() if bool(held_out.intersection(suite.about(info.id).templates)) == wanted
    )


def _hand(task: str, instance: int) -> Sequence[Sample]:
    return demonstrate(Duet("dev"), task, instance)


def _of_pool(pool: Path, intents: bool) -> Demonstrate:
    lessons = PoolLessons(pool, intents)
    return lambda task, instance: demonstrate_pool(lessons, task, instance).samples


def _rank(id: str) -> int:
    return int.from_bytes(hashlib.sha256(f"train/study/{id}".encode()).digest()[:4], "big")
