"""The suite `duet-memory`: what is needed was seen or heard 10, 100 or 1,000 turns ago, and has left every screen."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from types import MappingProxyType
from typing import get_args

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.suites.duet.kit.play import demonstration
from omnipilot.bench.suites.duet.splits import SEAL, Split
from omnipilot.bench.suites.duet.suite import Choice, quiet
from omnipilot.bench.suites.duet.variations import LOOKS, NAMES, WORDS, WorldVariation
from omnipilot.bench.suites.duet_memory.stage import Stage
from omnipilot.bench.suites.duet_memory.template import MemoryScene, MemoryTemplate
from omnipilot.bench.suites.duet_memory.templates import screens, sounds
from omnipilot.bench.suites.duet_memory.wandering import wander
from omnipilot.bench.synthesis.compose import Composition, compose
from omnipilot.bench.synthesis.sampling import Claims, TaskSampler
from omnipilot.bench.tasks.task import Prologue, Suite, Task, TaskInfo, seed_of
from omnipilot.envs import ConfigError, Thinking, World
from omnipilot.envs.sim import SimWorld
from omnipilot.memory import Move, NeededFact

LEAD = 8
"""Turns of the past before the scene that tells the fact."""
DEV = 5
"""Templates for development; the others are for the test."""
TEMPLATES: Mapping[str, MemoryTemplate] = {one.id: one for one in (*sounds.TEMPLATES, *screens.TEMPLATES)}


@dataclass(frozen=True, slots=True)
class MadeTask:
    """An instance of a task: the scene that tells the fact, and the sub-task that needs it."""

    scene: MemoryScene
    composed: Composition
    seed: int


class DuetMemory(Suite):
    """The suite. A task plays a past, in which a fact is told among others like it, and then asks for the fact.

    Between the turn that told it and the first decision lie as many turns as the task's tag `distance` says, and what
    told it can be looked up no more: the mail was taken back, the price changed, the voice is silent. The tasks of one
    template are in one split.

    Args:
        split: which tasks are run: those for development, those of the test, or all.
        seal: what the seeds of test instances hang on, instead of the published constant.

    Raises:
        ConfigError: no such split.
    """

    name = "duet-memory"
    version = "3"
    declares_split = True
    embedded = True
    variations = MappingProxyType({**LOOKS, **NAMES, **WORDS})

    def __init__(self, split: Choice = "dev", seal: str = "") -> None:
        if split not in get_args(Choice):
            raise ConfigError(describe_unknown("split", split, get_args(Choice)))
        self._choice = split
        self._seal = seal or SEAL
        self._variation = WorldVariation()

    def vary(self, names: Sequence[str]) -> DuetMemory:
        """The suite with other looks, names or words; see `omnipilot.bench.suites.duet.variations`."""
        varied = copy(self)
        varied._variation = WorldVariation(frozenset(names))
        return varied

    def tasks(self) -> Sequence[TaskInfo]:
        """The tasks of the chosen split."""
        return [info for info in self.every() if self._choice in ("all", info.tags["split"])]

    def every(self) -> Sequence[TaskInfo]:
        """The tasks of both splits."""
        return _infos()

    def split_of(self, task_id: str) -> Split:
        """Whether a task is for development or for the test.

        Raises:
            ConfigError: no such task.
        """
        return splits()[self._parts(task_id)[0].id]

    def templates_of(self, task_id: str) -> frozenset[str]:
        """The template of a task, and that of the sub-task that needs the fact.

        Raises:
            ConfigError: no such task.
        """
        template, _ = self._parts(task_id)
        return frozenset({template.id, template.then.id})

    def instantiate(self, task_id: str, instance: int, twin: int = 0, distance: int | None = None) -> Task:
        """One task at one instance; task and instance determine names, codes, and what is done in the past.

        Args:
            twin: another number gives the same instance with another fact: the screens at the start are equal.
            distance: turns since the fact was told, 3 or more, for training; None for the task's own.

        Raises:
            ConfigError: no such task, or one of the split that was not chosen.
        """
        template, stated = self._parts(task_id)
        distance = stated if distance is None else distance
        info = next(info for info in self.every() if info.id == task_id)
        if self._choice not in ("all", split := self.split_of(task_id)):
            raise ConfigError(f"{task_id} belongs to the {split} split; to run it, add --option suite.split={split}")
        made = self.make(task_id, instance, twin)
        stages: list[Stage] = []

        def setup(world: SimWorld) -> str:
            world.reset(made.seed)
            world.prepare(lambda _: made.composed.state)
            return made.composed.instruction

        def play(world: SimWorld) -> Iterator[Move]:
            stage = Stage(world)
            stages[:] = [stage]
            yield from past(made, stage, distance)

        def facts() -> tuple[NeededFact, ...]:
            if not stages:
                raise ConfigError(f"the past of {task_id} was not played, so nothing was told in it")
            return made.scene.facts(stages[0])

        return Task(
            task_id,
            instance,
            setup,
            made.composed.graph,
            lambda world: demonstration(world, made.composed.solutions()),
            None,
            info.tags,
            template.intent,
            Prologue(LEAD + made.scene.turns + distance, play),
            facts,
            rest=lambda world, reached: demonstration(world, made.composed.solutions(reached)),
        )

    def composed(self, task_id: str, instance: int, twin: int = 0) -> Composition:
        """The composition behind an instance of any split; for proofs and training."""
        return self.make(task_id, instance, twin).composed

    def make(self, task_id: str, instance: int, twin: int = 0) -> MadeTask:
        """What an instance of any split is made of; for proofs and tables."""
        template, _ = self._parts(task_id)
        split = self.split_of(task_id)
        seed = (
            seed_of(self.name, task_id, instance)
            if split == "dev"
            else seed_of(self.name, self._seal, task_id, instance)
        )
        begin = quiet(self._variation.begin(seed))
        scene = template.make(TaskSampler(seed_of(seed, template.id), twin, Claims()), begin)
        then = replace(template.then, alone=lambda _draw, _state: scene.given)
        composed = compose(self._variation.templates((then,)), scene.state, seed)
        return MadeTask(scene, replace(composed, state=self._variation.show(composed.state)), seed)

    def world(self, thinking: Thinking) -> World:
        """A phone and a desktop."""
        return SimWorld(thinking)

    def _parts(self, task_id: str) -> tuple[MemoryTemplate, int]:
        name, _, distance = task_id.rpartition("-")
        if name not in TEMPLATES or distance not in map(str, TEMPLATES[name].distances):
            raise ConfigError(describe_unknown("task", task_id, [info.id for info in self.every()]))
        return TEMPLATES[name], int(distance)


def past(made: MadeTask, stage: Stage, distance: int) -> Iterator[Move]:
    """The moves of the past: wandering, the scene, and so many turns of wandering again."""
    dice = Random(seed_of(made.seed, "past"))
    yield from wander(stage, dice, LEAD, made.scene.distract)
    yield from made.scene.play(stage)
    yield from wander(stage, dice, distance, made.scene.distract)


@lru_cache(maxsize=1)
def _infos() -> Sequence[TaskInfo]:
    split = splits()
    return tuple(
        TaskInfo(
            f"{one.id}-{distance}",
            f"remember, {distance} turns later, what was told on the {one.told_on}: {one.then.instruction}",
            tuple(dict.fromkeys((one.told_on, one.then.env))),
            {
                "distance": str(distance),
                "kind": one.kind,
                "devices": one.told_on if one.told_on == one.then.env else "both",
                "app": one.then.app,
                "level": "AV-present" if one.hangs_on == "screen" else "AV-critical",
                "template": one.id,
                "hangs_on": one.hangs_on,
                "split": split[one.id],
            },
            intent=one.intent,
        )
        for one in TEMPLATES.values()
        for distance in one.distances
    )


def splits() -> dict[str, Split]:
    """The split of each template: those first by a hash of their ids are for development."""
    order = sorted(TEMPLATES, key=lambda id: hashlib.sha256(f"duet-memory/split/{id}".encode()).digest())
    return {id: "dev" if rank < DEV else "test" for rank, id in enumerate(order)}
