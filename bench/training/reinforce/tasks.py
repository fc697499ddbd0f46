"""Where tasks to practise come from: development tasks of duet, or a pool that was made for training."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Protocol

from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.tasks.task import Suite
from omnipilot.bench.training.data import UNPERCEIVED
from omnipilot.bench.training.demonstrations import (
    FIRST_INSTANCE,
    FIRST_MEASURED,
    check_instance,
    check_number,
    training_instances,
)
from omnipilot.bench.training.readers import GOLD, watches
from omnipilot.bench.training.reinforce.leads import LeadDemonstration, LeadStep
from omnipilot.envs import ConfigError

COMPLEXITIES = ("dependency", "instruction", "hierarchy", "branch", "knowledge", "level")
"""Tags by which tasks are alike: OmniBench's five complexities, and how much hangs on sound and motion."""
MEMO = 50_000
"""Moves that the worlds of a training remember together."""
MEASURED_POOL_TASKS = 40
PRACTISED, HELD_OUT = "practised instances", "held-out instances"
"""The two splits of the learning curve."""


class TaskSource(Protocol):
    """What may be practised."""

    @property
    def suite(self) -> Suite: ...

    @property
    def complexities(self) -> Mapping[str, Mapping[str, str]]:
        """Of each task that is practised, by its id."""
        ...

    def check(self, task: str, instance: int) -> None:
        """Refuse what must not be trained on.

        Raises:
            ConfigError: it must not.
        """
        ...

    def draw_instance(self, task: str, random: Random) -> int:
        """An instance to practise a task in."""
        ...

    def lead(self, task: str, instance: int) -> Sequence[Any] | None:
        """The steps of a demonstration, as seats follow them; None where there is none."""
        ...

    def curve_tasks(self) -> Mapping[str, Sequence[tuple[str, int]]]:
        """Tasks and instances that the learning curve is measured on, by split."""
        ...


class DuetSource:
    """Development tasks of duet, in instances from number 100 on. Implements `TaskSource`.

    Args:
        instances: how many are practised in.
        tasks: ids; empty for all but those that hang on what the small planner does not perceive.
        readers: what tells of sounds and of what moves, by name, to who leads.

    Raises:
        ConfigError: a task of the test split, or none that may be practised.
    """

    def __init__(self, instances: int = 300, tasks: Collection[str] = (), readers: str = GOLD) -> None:
        self.suite = Duet("dev", memo=MEMO)
        self._instances = training_instances(instances)
        for task in tasks:
            self.check(task, FIRST_INSTANCE)
        tags = {info.id: info.tags for info in self.suite.tasks()}
        self._readers, motion = readers, watches(readers)
        perceived = [
            id for id, told in tags.items() if (motion or "motion" not in told["hangs_on"]) and id not in UNPERCEIVED
        ]
        self.complexities = {
            id: {name: tags[id][name] for name in COMPLEXITIES} for id in tags if id in (tasks or perceived)
        }

    def check(self, task: str, instance: int) -> None:
        """Refuse tasks of the test split, and instances below 100."""
        check_instance(self.suite, task, instance)

    def draw_instance(self, task: str, random: Random) -> int:  # noqa: ARG002
        """Any of those that are practised in."""
        return random.choice(self._instances)

    def lead(self, task: str, instance: int) -> list[LeadStep] | None:
        """The task's own demonstration."""
        self.check(task, instance)
        return LeadDemonstration(self.suite, task, instance, 0.0, self._readers).lead()

    def curve_tasks(self) -> Mapping[str, Sequence[tuple[str, int]]]:
        """Each task once in an instance that is practised in, and once in one that never is."""
        first = self._instances[0]
        return {
            PRACTISED: [(task, first) for task in self.complexities],
            HELD_OUT: [(task, FIRST_MEASURED) for task in self.complexities],
        }


class PoolSource:
    """Tasks of a pool that may be trained on, see `omnipilot.bench.training.pool_tasks`. Implements `TaskSource`.

    The policy itself plays to where groups begin.

    Args:
        pool: what `allowed_tasks` answers. instances: of each task that are practised in.
    """

    def __init__(self, pool: Any, instances: int = 10) -> None:
        self.suite: Suite = pool.suite
        self.dropped: Mapping[str, int] = pool.dropped
        self.complexities = {one.id: dict(one.complexity) for one in pool.tasks}
        self._instances = training_instances(instances)
        if not self.complexities:
            raise ConfigError("no task of the pool may be trained on; make a larger one with omnipilot synth")

    def check(self, task: str, instance: int) -> None:
        """Refuse tasks that were dropped, and instances below 100."""
        if task not in self.complexities:
            raise ConfigError(f"{task} is none of the pool's tasks that may be trained on")
        check_number(instance, task)

    def draw_instance(self, task: str, random: Random) -> int:  # noqa: ARG002
        """Any of those that are practised in."""
        return random.choice(self._instances)

    def lead(self, task: str, instance: int) -> Sequence[Any] | None:  # noqa: ARG002
        """None: the policy plays itself to where groups begin."""
        return None

    def curve_tasks(self) -> Mapping[str, Sequence[tuple[str, int]]]:
        """Some tasks, spread over the pool, each in an instance that is practised in and in one that never is."""
        every = max(1, len(self.complexities) // MEASURED_POOL_TASKS)
        some = list(itertools.islice(self.complexities, 0, None, every))
        first = self._instances[0]
        return {PRACTISED: [(task, first) for task in some], HELD_OUT: [(task, FIRST_MEASURED) for task in some]}


def pool_source(folder: Path, instances: int) -> PoolSource:
    """The tasks of a pool that may be trained on.

    Raises:
        ConfigError: it is no pool, or none may be.
    """
    from omnipilot.bench.training.pool_tasks import allowed_tasks

    return PoolSource(allowed_tasks(folder), instances)
