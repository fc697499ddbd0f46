"""The episode loop: observe, decide, execute, and nothing else. Whoever drives it judges and records."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from omnipilot.agents.base import Agent, Proposal, Situation
from omnipilot.envs.actions import CONTROL, Action, Answer, AskUser, Done, Status, Wait
from omnipilot.envs.base import Ends, World
from omnipilot.envs.errors import ActionRejected, ConfigError
from omnipilot.envs.observation import Modality, Observation
from omnipilot.memory.trace import Move, Outcome, Step, Turn
from omnipilot.memory.transcript import MalformedReply
from omnipilot.planners.base import Brief, Decision, Feedback, Left


@dataclass(frozen=True, slots=True)
class Limits:
    """When an episode ends at the latest; None for no limit.

    Attributes:
        turns: decisions. actions: executed actions (CRAB limits both). tokens: of all model calls.
        seconds: on the wall.
    """

    turns: int | None = 30
    actions: int | None = 60
    tokens: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("turns", "actions", "tokens", "seconds"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise ConfigError(f"limit {name} must be above 0, not {value}; leave it out for no limit")


EndReason: TypeAlias = Literal["done", "turns", "actions", "tokens", "seconds", "invalid", "world"]


@dataclass(frozen=True, slots=True)
class Ending:
    """Why the loop stopped: the agent's `Done` (with its status), a limit, invalid actions, or the world itself."""

    reason: EndReason
    status: Status | None = None
    detail: str = ""


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


@dataclass
class _Count:
    """What an episode has used up so far."""

    limits: Limits
    began: float = field(default_factory=time.perf_counter)
    turns: int = 0
    steps: int = 0
    actions: int = 0
    tokens: int = 0
    invalid_in_a_row: int = 0

    def left(self) -> Left:
        limits = self.limits
        return Left(
            None if limits.turns is None else limits.turns - self.turns,
            None if limits.actions is None else limits.actions - self.actions,
            None if limits.tokens is None else limits.tokens - self.tokens,
            None if limits.seconds is None else limits.seconds - (time.perf_counter() - self.began),
        )

    def exhausted(self, new_turn: bool) -> Ending | None:
        left = self.left()
        if new_turn and left.turns is not None and left.turns <= 0:
            return Ending("turns", detail=f"{self.limits.turns} turns used")
        if left.actions is not None and left.actions <= 0:
            return Ending("actions", detail=f"{self.limits.actions} actions used")
        if left.tokens is not None and left.tokens <= 0:
            return Ending("tokens", detail=f"{self.tokens} tokens used, {self.limits.tokens} allowed")
        if left.seconds is not None and left.seconds <= 0:
            return Ending("seconds", detail=f"{self.limits.seconds:g} s used")
        return None

    def step(self, step: Step, retries: int) -> Ending | None:
        """Count a step; the ending it brings about, if any."""
        self.steps += 1
        self.actions += step.counts
        self.tokens += step.usage.tokens
        self.invalid_in_a_row = self.invalid_in_a_row + 1 if step.outcome.invalid else 0
        if self.invalid_in_a_row > retries:
            return Ending("invalid", detail=step.outcome.message)
        if isinstance(step.executed, Done):
            return Ending("done", step.executed.status, step.executed.text)
        return self.exhausted(new_turn=False)


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
    count = _Count(limits or Limits())
    since = dict.fromkeys(world.envs, world.now)
    feedback: tuple[Feedback, ...] = ()
    agent.begin(brief)
    while True:
        stop = count.exhausted(new_turn=True) or _over(world)
        if stop:
            return stop
        turn = count.turns
        seen = {name: _look(world, name, agent, recorder, turn, since[name], False) for name in world.envs}
        since = {name: observation.time for name, observation in seen.items()}
        look = _Looker(world, agent, recorder, turn, since)
        situation = Situation(turn, seen, look, feedback, count.left())
        began = time.perf_counter()
        steps: list[Step] = []
        try:
            choice = agent.decide(situation)
            first = next(choice.proposals, None)
        except MalformedReply as error:
            world.think(time.perf_counter() - began)
            decision = Decision((), usage=error.usage)
            recorder.decided(turn, decision, time.perf_counter() - began)
            outcome = Outcome("malformed", str(error))
            steps.append(Step(count.steps, turn, None, None, outcome, start=world.now, end=world.now))
            count.tokens += error.usage.tokens
            stop = count.step(steps[-1], retries)
            yield steps[-1]
        else:
            elapsed = time.perf_counter() - began
            world.think(elapsed)
            decision = choice.decision
            recorder.decided(turn, decision, elapsed)
            count.tokens += decision.usage.tokens
            stop = count.exhausted(new_turn=False)
            proposal = first
            while proposal is not None and stop is None:
                step = _execute(world, proposal, count.steps, turn, ask)
                steps.append(step)
                stop = count.step(step, retries)
                yield step
                stop = stop or _over(world)
                if step.outcome.invalid or stop:
                    break
                proposal = next(choice.proposals, None)
        count.turns += 1
        agent.learn(Turn(turn, seen, decision.thought, decision.notes, tuple(steps), decision.usage))
        feedback = _feedback(decision, steps)
        if stop:
            return stop


def _look(
    world: World, name: str, agent: Agent, recorder: Recorder, turn: int, since: float, fresh: bool
) -> Observation:
    """Observe for the agent and for the record in one capture; the agent's part of it comes back."""
    observation = world.envs[name].observe(agent.modalities | recorder.modalities, since)
    recorder.looked(turn, observation, fresh)
    return observation.only(agent.modalities)


@dataclass(frozen=True)
class _Looker:
    """A fresh look at an environment within a turn."""

    world: World
    agent: Agent
    recorder: Recorder
    turn: int
    since: Mapping[str, float]

    def __call__(self, name: str) -> Observation:
        return _look(self.world, name, self.agent, self.recorder, self.turn, self.since[name], True)


def _over(world: World) -> Ending | None:
    reason = world.ended() if isinstance(world, Ends) else ""
    return Ending("world", detail=reason) if reason else None


def _execute(world: World, proposal: Proposal, index: int, turn: int, ask: Callable[[str], str] | None) -> Step:
    start = world.now
    action = proposal.action
    if action is None:
        outcome = proposal.problem or Outcome("rejected", "the move was not grounded")
    elif action.kind in CONTROL:
        outcome = _control(world, action, ask)
    else:
        outcome = _act(world, proposal.move.env, action)
    return Step(
        index,
        turn,
        proposal.move,
        None if outcome.invalid else action,
        outcome,
        proposal.seen,
        proposal.fresh,
        proposal.pointed,
        start,
        world.now,
        proposal.usage,
    )


def _act(world: World, env: str, action: Action) -> Outcome:
    if not env and len(world.envs) == 1:
        env = next(iter(world.envs))
    if env not in world.envs:
        return Outcome("rejected", f"there is no environment {env!r}; there are {', '.join(world.envs)}")
    try:
        world.envs[env].act(action)
    except ActionRejected as error:
        return Outcome("rejected", str(error))
    return Outcome("done")


def _control(world: World, action: Action, ask: Callable[[str], str] | None) -> Outcome:
    if isinstance(action, Wait):
        world.wait(action.seconds)
    elif isinstance(action, AskUser):
        if ask is None:
            return Outcome("rejected", "there is no user to ask; decide with what you know")
        return Outcome("control", ask(action.text))
    elif isinstance(action, Answer):
        return Outcome("control", "the answer was recorded")
    return Outcome("control")


def _feedback(decision: Decision, steps: list[Step]) -> tuple[Feedback, ...]:
    told = tuple(Feedback(step.proposed, step.outcome) for step in steps)
    skipped: tuple[Move, ...] = decision.moves[len(steps) :]
    return told + tuple(Feedback(move, Outcome("skipped", "an earlier move of the turn failed")) for move in skipped)
