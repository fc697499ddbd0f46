"""The episode loop: observe, decide, execute. The caller judges and records."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import chain
from typing import Protocol

from omnipilot.agents.base import Agent, Choice, Proposal, Situation
from omnipilot.agents.execute import Guarding, execute
from omnipilot.agents.guard.guard import Guard, Ruling
from omnipilot.agents.limits import Ending, Limits, Meter
from omnipilot.envs import AskUser, Modality, Observation, World
from omnipilot.envs.logs import log_time, logger_of
from omnipilot.memory import MalformedReply, Move, Outcome, Step, Turn
from omnipilot.memory.episodic import TimelineEvent
from omnipilot.memory.models.broker.permits import waited_seconds
from omnipilot.planners import Brief, Decision, Feedback

_LOG = logger_of("device")


class Recorder(Protocol):
    """Records an episode for reports; agents cannot read it."""

    @property
    def modalities(self) -> frozenset[Modality]:
        """Modalities to capture for the record in addition to those granted to the agent."""
        ...

    def looked(self, turn: int, observation: Observation, fresh: bool) -> None:
        """Called for each observation: the turn's, or a fresh one before a later move of the turn."""
        ...

    def grounded(self, proposal: Proposal) -> None:
        """Called for each proposal when it has been grounded, before it is executed."""
        ...

    def decided(self, turn: int, choice: Choice, seconds: float) -> None:
        """Called for each decision; `seconds` is wall time, including the grounding of the first move."""
        ...

    def guarded(self, turn: int, step: int, move: Move, ruling: Ruling) -> None:
        """Called for each move that a guard ruled on, before it is carried out or refused."""
        ...

    def remembered(self, turn: int, events: Sequence[TimelineEvent]) -> None:
        """Called after each turn with what the agent's memory kept of it."""
        ...


class Unrecorded:
    """A recorder that records nothing."""

    modalities: frozenset[Modality] = frozenset()

    def looked(self, turn: int, observation: Observation, fresh: bool) -> None:
        """Do nothing."""

    def grounded(self, proposal: Proposal) -> None:
        """Do nothing."""

    def decided(self, turn: int, choice: Choice, seconds: float) -> None:
        """Do nothing."""

    def guarded(self, turn: int, step: int, move: Move, ruling: Ruling) -> None:
        """Do nothing."""

    def remembered(self, turn: int, events: Sequence[TimelineEvent]) -> None:
        """Do nothing."""


def episode(
    world: World,
    agent: Agent,
    brief: Brief,
    limits: Limits | None = None,
    retries: int = 3,
    ask: Callable[[str], str] | None = None,
    recorder: Recorder | None = None,
    past: Mapping[str, float] | None = None,
    meter: Meter | None = None,
    guard: Guard | None = None,
) -> Generator[Step, None, Ending]:
    """Run one episode on a world that has been reset.

    A turn is one decision on one settled observation of each environment; a step is one executed move. Control verbs
    are executed by the loop and never reach an environment.

    Args:
        limits: limits of the episode; None for the default ones.
        retries: consecutive moves, invalid or refused by the guard, that are reported back to the agent; one more ends
            the episode. 0 is CRAB's
            rule: the first invalid action ends it.
        ask: answers the agent's questions to the user; without it they are rejected.
        recorder: notified of every observation and decision.
        past: when each environment was last observed, in seconds on the world's clock, if the agent has begun already
            and remembers what was before; None to begin here and now.
        meter: counts what is used, against limits of its own instead of `limits`; None for one of those.
        guard: rules on each move before it is carried out, and knows the secrets that moves may name; None to carry out
            all.

    Yields:
        Each step right after its execution, which is when judges should run. Closing the generator ends the
        episode there.

    Returns:
        Why it ended.

    Raises:
        EnvLost, ModelUnavailable: the episode is void.
    """
    recorder = recorder or Unrecorded()
    count = meter or Meter(limits or Limits())
    since = dict.fromkeys(world.envs, world.now) | dict(past or {})
    feedback: tuple[Feedback, ...] = ()
    if guard is not None:
        guard.begin(brief.instruction)
    if past is None:
        agent.begin(brief)
    while True:
        stop = count.exhausted(new_turn=True) or _world_ending(world)
        if stop:
            return stop
        turn = count.turns
        seen = look_around(world, agent, recorder, count, since, guard)
        since = {name: observation.time for name, observation in seen.items()}
        look = looker(world, agent, recorder, count, since, guard)
        situation = Situation(turn, seen, look, feedback, count.left())
        choice, problem, elapsed = decide(agent, situation, recorder)
        decision, proposals = choice.decision, choice.proposals
        world.think(elapsed)
        recorder.decided(turn, choice, elapsed)
        count.spend(decision.usage)
        steps: list[Step] = []
        told: list[Feedback] = []
        try:
            if problem is not None:
                steps.append(Step(count.steps, turn, None, None, problem, start=world.now, end=world.now))
                told.append(Feedback(None, problem))
                stop = count.step(steps[-1], retries)
                yield steps[-1]
            else:
                stop = count.exhausted(new_turn=False)
            while stop is None and (proposal := next(proposals, None)) is not None:
                # What a user takes to answer is work of no device and no model of the agent.
                with count.at_work() if proposal.move.intent.kind != AskUser.kind else nullcontext():
                    guarding = _guarding(guard, agent, choice, recorder, count, proposal, not steps)
                    steps.append(execute(world, proposal, count.steps, turn, ask, guarding))
                _tell(told, proposal, steps[-1])
                stop = count.step(steps[-1], retries)
                yield steps[-1]
                stop = stop or _world_ending(world)
                if steps[-1].outcome.refused:
                    break
        finally:
            # Also if the caller ends the episode here: the turn took place, so the agent learns from it.
            learn(agent, Turn(turn, seen, decision.thought, decision.notes, tuple(steps), decision.usage), recorder)
        count.turns += 1
        feedback = (*told, *_skipped(decision, len(told)))
        if stop:
            by_rule = stop.reason == "done" and choice.stopping is not None and choice.stopping.why
            return replace(stop, reason="stopped") if by_rule else stop


def _guarding(
    guard: Guard | None, agent: Agent, choice: Choice, recorder: Recorder, count: Meter, proposal: Proposal, first: bool
) -> Guarding | None:
    """How a move is guarded; None for not at all. What was read from the screens holds for the first of a turn."""
    if guard is None:
        return None
    return Guarding(
        guard,
        lambda ruling: recorder.guarded(count.turns, count.steps, proposal.move, ruling),
        choice.perceived if first else {},
        agent.origins,
    )


def learn(agent: Agent, turn: Turn, recorder: Recorder) -> None:
    """Let the agent learn from a turn; the recorder is told what it remembers of it."""
    agent.learn(turn)
    if events := agent.drain_events():
        recorder.remembered(turn.index, events)


def conclude(agent: Agent, recorder: Recorder) -> None:
    """Tell the agent that the episode is over; the recorder is told what it had held back, such as a sound that was
    still going on."""
    agent.conclude()
    if events := agent.drain_events():
        recorder.remembered(max(event.turn for event in events), events)


def decide(agent: Agent, situation: Situation, recorder: Recorder) -> tuple[Choice, Outcome | None, float]:
    """The agent's choice, the problem with its reply (if any), and the wall time in seconds that it took.

    The first proposal is grounded here because that is part of the decision and uses the same observation. The
    recorder is told of each proposal.
    """
    began = time.perf_counter() - waited_seconds()
    try:
        choice = agent.decide(situation)
        first = next(choice.proposals, None)
    except MalformedReply as error:
        nothing = Decision((), usage=error.usage)
        unread = Choice(
            nothing, iter(()), error.told, error.recalled, agent.gated, error.replayed, perceived=agent.perceived
        )
        return unread, Outcome("malformed", str(error)), _seconds(unread, began)
    elapsed = _seconds(choice, began)
    if first is None:
        return choice, None, elapsed
    recorder.grounded(first)
    return replace(choice, proposals=chain((first,), _reported(choice.proposals, recorder))), None, elapsed


def _seconds(choice: Choice, began: float) -> float:
    """How long a decision took, less what it waited for endpoints; one from a record, as long as it did then."""
    return time.perf_counter() - waited_seconds() - began if choice.replayed is None else choice.replayed


def _reported(proposals: Iterator[Proposal], recorder: Recorder) -> Iterator[Proposal]:
    """The proposals, each as lazily as before; the recorder is told of it."""
    for proposal in proposals:
        recorder.grounded(proposal)
        yield proposal


def look_at(
    world: World,
    name: str,
    agent: Agent,
    recorder: Recorder,
    count: Meter,
    since: float,
    fresh: bool,
    guard: Guard | None = None,
) -> Observation:
    """Capture once for the agent and the record, and return the agent's share."""
    with count.at_work():
        seen = world.envs[name].observe(agent.modalities | recorder.modalities, since)
        observation = seen if guard is None else guard.show(seen, count.turns)
    recorder.looked(count.turns, observation, fresh)
    return observation.only(agent.modalities)


def look_around(
    world: World,
    agent: Agent,
    recorder: Recorder,
    count: Meter,
    since: Mapping[str, float],
    guard: Guard | None = None,
) -> dict[str, Observation]:
    """Capture every environment once for the agent and the record, and return the agent's share of each."""
    with count.at_work(), log_time(_LOG, f"observe {', '.join(world.envs)}"):
        found = world.observe_together(agent.modalities | recorder.modalities, since)
    captured = {name: seen if guard is None else guard.show(seen, count.turns) for name, seen in found.items()}
    for observation in captured.values():
        recorder.looked(count.turns, observation, False)
    return {name: observation.only(agent.modalities) for name, observation in captured.items()}


def looker(
    world: World,
    agent: Agent,
    recorder: Recorder,
    count: Meter,
    since: Mapping[str, float],
    guard: Guard | None = None,
) -> Callable[[str], Observation]:
    """A function that takes a fresh observation of an environment within a turn.

    The agent is handed it: unlike an object, it has no attribute that leads to the world.
    """

    def look(name: str) -> Observation:
        return look_at(world, name, agent, recorder, count, since[name], True, guard)

    return look


def _world_ending(world: World) -> Ending | None:
    reason = world.ended()
    return Ending("world", detail=reason) if reason else None


def _tell(told: list[Feedback], proposal: Proposal, step: Step) -> None:
    """Add the feedback on a step; the parts of a program are one move to the planner, with the outcome of the last."""
    if proposal.asked is None:
        told.append(Feedback(step.proposed, step.outcome, step.touched))
        return
    before = told.pop().carried_out if told and told[-1].move is proposal.asked else 0
    told.append(Feedback(proposal.asked, step.outcome, step.touched, before + (not step.outcome.refused)))


def _skipped(decision: Decision, number: int) -> tuple[Feedback, ...]:
    """Feedback on the moves after the first `number`."""
    skipped: tuple[Move, ...] = decision.moves[number:]
    return tuple(Feedback(move, Outcome("skipped", "an earlier move of the turn failed")) for move in skipped)
