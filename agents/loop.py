"""The episode loop: observe, decide, execute, and nothing else. Whoever drives it judges and records."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from omnipilot.agents.base import Agent, Proposal, Situation
from omnipilot.agents.execute import execute
from omnipilot.agents.limits import Ending, Limits, Meter
from omnipilot.envs import Ends, Modality, Observation, World
from omnipilot.memory import MalformedReply, Move, Outcome, Step, Turn
from omnipilot.planners import Brief, Decision, Feedback


class Recorder(Protocol):
    """Takes what a report needs; no agent can read it."""

    @property
    def modalities(self) -> frozenset[Modality]:
        """What to capture for the record, beside what the agent is granted."""
        ...

    def looked(self, turn: int, observation: Observation, fresh: bool) -> None:
        """An observation was taken: the turn's, or a fresh one before a later move of the turn."""
        ...

    def decided(self, turn: int, decision: Decision, seconds: float) -> None:
        """The planner decided; `seconds` on the wall, the first move's grounding included."""
        ...


class Unrecorded:
    """A recorder that keeps nothing."""

    modalities: frozenset[Modality] = frozenset()

    def looked(self, turn: int, observation: Observation, fresh: bool) -> None:
        """Keep nothing."""

    def decided(self, turn: int, decision: Decision, seconds: float) -> None:
        """Keep nothing."""


def episode(
    world: World,
    agent: Agent,
    brief: Brief,
    limits: Limits | None = None,
    retries: int = 3,
    ask: Callable[[str], str] | None = None,
    recorder: Recorder | None = None,
) -> Generator[Step, None, Ending]:
    """Drive one episode on a world that has been reset.

    A turn is one decision on one settled observation of each environment; a step is one executed move. Control verbs
    are carried out here and never reach an environment.

    Args:
        limits: when to stop at the latest.
        retries: invalid moves in a row that are answered with what was wrong; one more ends the episode. 0 is CRAB's
            rule, where the first invalid action ends it.
        ask: answers the agent's questions to the user; without it they are refused.
        recorder: told of every observation and decision.

    Yields:
        Each step, right after it was executed: the moment at which judges are asked. Closing the generator ends the
        episode there.

    Returns:
        Why it ended.

    Raises:
        EnvLost, ModelUnavailable: the episode is void.
    """
    recorder = recorder or Unrecorded()
    count = Meter(limits or Limits())
    since = dict.fromkeys(world.envs, world.now)
    feedback: tuple[Feedback, ...] = ()
    agent.begin(brief)
    while True:
        stop = count.exhausted(new_turn=True) or _over(world)
        if stop:
            return stop
        turn = count.turns
        seen = {name: look_at(world, name, agent, recorder, count, since[name], False) for name in world.envs}
        since = {name: observation.time for name, observation in seen.items()}
        look = Looker(world, agent, recorder, count, since)
        situation = Situation(turn, seen, look, feedback, count.left())
        decision, proposals, problem, elapsed = decide(agent, situation)
        world.think(elapsed)
        recorder.decided(turn, decision, elapsed)
        count.spend(decision.usage)
        steps: list[Step] = []
        try:
            if problem is not None:
                steps.append(Step(count.steps, turn, None, None, problem, start=world.now, end=world.now))
                stop = count.step(steps[-1], retries)
                yield steps[-1]
            else:
                stop = count.exhausted(new_turn=False)
            while stop is None and (proposal := next(proposals, None)) is not None:
                with count.at_work():
                    steps.append(execute(world, proposal, count.steps, turn, ask))
                stop = count.step(steps[-1], retries)
                yield steps[-1]
                stop = stop or _over(world)
                if steps[-1].outcome.refused:
                    break
        finally:
            # Also when whoever drives the loop ends the episode here: the turn was lived, so it is learned.
            agent.learn(Turn(turn, seen, decision.thought, decision.notes, tuple(steps), decision.usage))
        count.turns += 1
        feedback = _feedback(decision, steps)
        if stop:
            return stop


def decide(agent: Agent, situation: Situation) -> tuple[Decision, Iterator[Proposal], Outcome | None, float]:
    """The agent's decision, its proposals, what was wrong with its reply if anything, and seconds on the wall.

    The first proposal is grounded here: that is part of the decision, made on the same observation.
    """
    began = time.perf_counter()
    try:
        choice = agent.decide(situation)
        first = next(choice.proposals, None)
    except MalformedReply as error:
        decision = Decision((), usage=error.usage)
        return decision, iter(()), Outcome("malformed", str(error)), time.perf_counter() - began
    proposals = choice.proposals if first is None else chain((first,), choice.proposals)
    return choice.decision, proposals, None, time.perf_counter() - began


def look_at(
    world: World, name: str, agent: Agent, recorder: Recorder, count: Meter, since: float, fresh: bool
) -> Observation:
    """Observe for the agent and for the record in one capture; the agent's part of it comes back."""
    with count.at_work():
        observation = world.envs[name].observe(agent.modalities | recorder.modalities, since)
    recorder.looked(count.turns, observation, fresh)
    return observation.only(agent.modalities)


@dataclass(frozen=True)
class Looker:
    """A fresh look at an environment within a turn."""

    world: World
    agent: Agent
    recorder: Recorder
    count: Meter
    since: Mapping[str, float]

    def __call__(self, name: str) -> Observation:
        return look_at(self.world, name, self.agent, self.recorder, self.count, self.since[name], True)


def _over(world: World) -> Ending | None:
    reason = world.ended() if isinstance(world, Ends) else ""
    return Ending("world", detail=reason) if reason else None


def _feedback(decision: Decision, steps: list[Step]) -> tuple[Feedback, ...]:
    told = tuple(Feedback(step.proposed, step.outcome) for step in steps)
    skipped: tuple[Move, ...] = decision.moves[len(steps) :]
    return told + tuple(Feedback(move, Outcome("skipped", "an earlier move of the turn failed")) for move in skipped)
