"""A template of `duet-memory`: a scene of the past that tells a fact, and a sub-task of `duet` that needs it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from omnipilot.bench.suites.duet_memory.stage import Stage
from omnipilot.bench.synthesis.sampling import TaskSampler
from omnipilot.bench.synthesis.template import Channel, Resource, Template
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.memory import Move, NeededFact

Given: TypeAlias = Mapping[str, str | Resource]
"""Values of a sub-task's inputs."""


@dataclass(frozen=True, slots=True)
class MemoryScene:
    """One instance of a template.

    Attributes:
        given: values of the sub-task's inputs; the needed fact's words must not reveal it.
        turns: that `play` takes.
        play: the scene: moves, one a turn, from when it begins.
        facts: what it told, once it has been played.
        distract: one turn of the past in which something like it is told.
        state: the world's state with the content of the scene.
    """

    given: Given
    turns: int
    play: Callable[[Stage], Iterator[Move]]
    facts: Callable[[Stage], tuple[NeededFact, ...]]
    distract: Callable[[Stage, Random], Iterator[Move]]
    state: WorldState


@dataclass(frozen=True, slots=True)
class MemoryTemplate:
    """A kind of past and what it is needed for.

    Attributes:
        id: unique. kind: what makes the fact hard to find again: `spoken-code`, `nth-sound`, `two-sounds`, `film`,
            `seen-before`, `noise`, `changed`, `before-call`.
        make: from a seeded sampler and the state, a scene.
        then: the sub-task that needs the fact.
        told_on: the device that told the fact. hangs_on: the channel that told it.
        distances: turns since then, a task each.
        intent: why the user wants it.
    """

    id: str
    kind: str
    make: Callable[[TaskSampler, WorldState], MemoryScene]
    then: Template
    told_on: str
    hangs_on: Channel
    distances: tuple[int, ...]
    intent: str
