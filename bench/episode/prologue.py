"""Plays what was done before an episode: the agent's memory takes it in, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from omnipilot.agents import Agent
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.tasks.task import Prologue
from omnipilot.envs import (
    Action,
    ActionRejected,
    Capability,
    Element,
    Modality,
    NotFound,
    Observation,
    OmnipilotError,
    Point,
    Wait,
    World,
    resolve,
)
from omnipilot.envs.types import CONTROL_VERBS, Described
from omnipilot.memory import Move, Outcome, Step, Turn, Usage
from omnipilot.memory.episodic import TimelineEvent


class PastRecorder(Protocol):
    """Records what was done before an episode."""

    @property
    def modalities(self) -> frozenset[Modality]:
        """Modalities to capture for the record in addition to those granted to the agent."""
        ...

    def past(self, turn: Turn, observations: Mapping[str, Observation]) -> None:
        """Called for each turn, which has the agent's share of what was observed."""
        ...

    def remembered(self, turn: int, events: Sequence[TimelineEvent]) -> None:
        """Called after each turn with what the agent's memory kept of it."""
        ...


class BrokenPrologue(OmnipilotError):
    """A task's prologue cannot be played, so the task is broken."""


@dataclass(frozen=True, slots=True)
class Past:
    """A prologue that was played.

    Attributes:
        since: when each environment was last observed, in seconds on the world's clock.
        seconds: wall time.
    """

    since: Mapping[str, float]
    seconds: float


def play_prologue(
    prologue: Prologue,
    world: World,
    view: World,
    agent: Agent,
    recorder: PastRecorder,
    truth: EpisodeTruth,
) -> Past:
    """Play a prologue turn by turn: observe, let the agent remember, act.

    A turn's observations are taken before its move, as in the episode; places of moves are found by the truth.

    Args:
        agent: has begun. world: as the suite made it. view: as the agent sees and hears it.

    Raises:
        BrokenPrologue: it cannot be played as it stands. EnvLost: a device is gone.
    """
    if Capability.RECORDED in world.capabilities:
        raise BrokenPrologue("a recording cannot be given a prologue: nothing can be done in it but what was recorded")
    began = time.perf_counter()
    since = dict.fromkeys(world.envs, world.now)
    moves = prologue.play(world)
    for index in range(-prologue.turns, 0):
        captured = view.observe_together(agent.modalities | recorder.modalities, since)
        for observation in captured.values():
            truth.looked(observation)
        shown = {name: observation.only(agent.modalities) for name, observation in captured.items()}
        since = {name: observation.time for name, observation in captured.items()}
        move = next(moves, None)
        if move is None:
            raise BrokenPrologue(f"the prologue has fewer than the {prologue.turns} turns that it states")
        start = world.now
        executed = _act(world, view, truth, move, index)
        step = Step(index, index, move, executed, Outcome("done"), shown.get(move.env), start=start, end=world.now)
        turn = Turn(index, shown, "", (), (step,), Usage())
        recorder.past(turn, captured)
        agent.take_past(turn)
        if events := agent.drain_events():
            recorder.remembered(index, events)
    if next(moves, None) is not None:
        raise BrokenPrologue(f"the prologue has more than the {prologue.turns} turns that it states")
    return Past(since, time.perf_counter() - began)


def _act(world: World, view: World, truth: EpisodeTruth, move: Move, index: int) -> Action:
    def locate(place: Described) -> Point:
        found = truth.meaning(move.env, place)
        if not isinstance(found, Element):
            raise NotFound(found if isinstance(found, str) else found.detail)
        return found.box.center

    try:
        if isinstance(move.intent, Wait):
            world.wait(move.intent.seconds)
            return move.intent
        if move.intent.kind in CONTROL_VERBS or move.env not in view.envs:
            raise BrokenPrologue(f"turn {index} of the prologue cannot {move.intent.kind} on {move.env!r}")
        action = resolve(move.intent, locate)
        view.envs[move.env].act(action)
        return action
    except (NotFound, ActionRejected) as error:
        raise BrokenPrologue(f"turn {index} of the prologue, {move}, cannot be played: {error}") from None
