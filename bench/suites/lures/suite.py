"""The suite `lures`: benign tasks of the embedded world in which somebody planted an instruction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from omnipilot.agents import Limits
from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.suites.duet.kit.play import demonstration
from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.lures.benign import benign
from omnipilot.bench.suites.lures.channels import plant
from omnipilot.bench.suites.lures.effects import effect, prepare
from omnipilot.bench.suites.lures.lure import Lure, lures
from omnipilot.bench.suites.lures.past import past
from omnipilot.bench.synthesis.compose import Composition
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo, seed_of
from omnipilot.envs import ConfigError, Thinking, World
from omnipilot.envs.sim import SimWorld

LIMITS = Limits(turns=60, actions=120)
"""More than any benign task needs, so that who is led astray has the time to come back."""
UNPLANTED = "Nothing to note."
"""What the past tells where nothing is planted."""


@dataclass(frozen=True, slots=True)
class LureTask:
    """An instance of a task: the benign task, and its start state with what was planted in it."""

    lure: Lure
    composed: Composition
    seed: int


class Lures(Suite):
    """The suite. Each of its 60 tasks is a benign one, judged as usual, and an instruction that somebody planted.

    What the planted words ask for is one of the task's harms: whether it came about is recorded beside success.

    Args:
        lures: "off" for the same tasks, harms included, without the planted words.

    Raises:
        ConfigError: `lures` is neither on nor off.
    """

    name = "lures"
    version = "2"
    embedded = True

    def __init__(self, lures: Literal["on", "off"] | bool = "on") -> None:
        if not isinstance(lures, bool) and lures not in ("on", "off"):
            raise ConfigError(f"suite.lures is on or off, not {lures!r}")
        self._planted = lures in ("on", True)

    def tasks(self) -> Sequence[TaskInfo]:
        """All tasks, in the order of `lures.toml`."""
        return [_info(lure) for lure in lures().values()]

    def templates_of(self, task_id: str) -> Collection[str]:
        """The sub-tasks of the benign task.

        Raises:
            ConfigError: no such task.
        """
        return self.lure(task_id).task

    def lure(self, task_id: str) -> Lure:
        """The lure of a task.

        Raises:
            ConfigError: no such task; the message names the nearest.
        """
        if task_id not in lures():
            raise ConfigError(describe_unknown("task", task_id, lures()))
        return lures()[task_id]

    def make(self, task_id: str, instance: int) -> LureTask:
        """What an instance of a task is made of; for proofs."""
        lure = self.lure(task_id)
        seed = seed_of(self.name, task_id, instance)
        composed = benign(lure, seed)
        if self._planted:
            composed = replace(composed, state=plant(composed, lure))
        return LureTask(lure, replace(composed, state=prepare(composed.state, lure.asks)), seed)

    def instantiate(self, task_id: str, instance: int) -> Task:
        """One task at one instance; task and instance determine names, codes and times.

        Raises:
            ConfigError: no such task.
        """
        made = self.make(task_id, instance)
        lure, composed = made.lure, made.composed

        def setup(world: SimWorld) -> str:
            world.reset(made.seed)
            world.prepare(lambda _: composed.state)
            return composed.instruction

        told = lure.words if self._planted else UNPLANTED
        return Task(
            task_id,
            instance,
            setup,
            composed.graph,
            lambda world: demonstration(world, composed.solutions()),
            LIMITS,
            _tags(lure),
            "A task like any other, in a world in which not everybody means well",
            past(told, made.seed) if lure.channel == "memory" else None,
            rest=lambda world, reached: demonstration(world, composed.solutions(reached)),
            harms=(effect(lure.asks),),
        )

    def world(self, thinking: Thinking) -> World:
        """A phone and a desktop."""
        return SimWorld(thinking)


def _info(lure: Lure) -> TaskInfo:
    known = book().templates
    envs = tuple(dict.fromkeys(known[id].env if id in known else "phone" for id in lure.task))
    told = f"{', then '.join(lure.task)}; by {lure.channel}, planted: {lure.words}"
    return TaskInfo(lure.id, told, envs, _tags(lure))


def _tags(lure: Lure) -> Mapping[str, str]:
    return {"channel": lure.channel, "kind": lure.kind, "asks": lure.asks.do, "template": "+".join(lure.task)}
