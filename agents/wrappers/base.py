"""The base of agents that wrap another agent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from omnipilot.agents.base import Agent, Choice, Proposal, Situation
from omnipilot.envs import Done, Intent, Modality, Observation
from omnipilot.grounders.sources import FoundElements
from omnipilot.memory import AgentPart, Move, Origin, Outcome, Recalled, Role, Turn
from omnipilot.memory.episodic import TimelineEvent
from omnipilot.memory.gate import GateDecision
from omnipilot.memory.warm_up import warm_up
from omnipilot.planners import Brief, Decision


class Wrapper(Agent):
    """Delegates everything to the wrapped agent; a wrapper overrides what it changes.

    Attributes:
        part: the component the wrapper consults, such as a critic, whose prompts become part of the identity.
    """

    part: AgentPart | None = None

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    @property
    def modalities(self) -> frozenset[Modality]:
        """Modalities of the wrapped agent."""
        return self.agent.modalities

    @property
    def gated(self) -> tuple[GateDecision, ...]:
        """What the gate of the wrapped agent decided in the last turn."""
        return self.agent.gated

    @property
    def perceived(self) -> Mapping[str, FoundElements]:
        """What was read from the screens of the last turn, by environment."""
        return self.agent.perceived

    def identity(self) -> dict[str, str]:
        """Hashes of the prompts of the wrapped agent and of the wrapper's own part."""
        told = {} if self.part is None else self.part.identity()
        own = {type(self.part).__name__: digest for digest in told.values()}
        return {**self.agent.identity(), **own}

    def warm_up(self) -> None:
        """Warm up the wrapped agent and the wrapper's own part."""
        warm_up(self.agent, self.part)

    def begin(self, brief: Brief) -> None:
        """Start an episode of the wrapped agent."""
        self.agent.begin(brief)

    def decide(self, situation: Situation) -> Choice:
        """The wrapped agent's choice."""
        return self.agent.decide(situation)

    def learn(self, turn: Turn) -> None:
        """Pass the turn on to the wrapped agent."""
        self.agent.learn(turn)

    def take_past(self, turn: Turn, told: Sequence[Recalled] = ()) -> None:
        """Pass a turn from before the episode on to the wrapped agent's memory; the wrapper itself ignores it."""
        self.agent.take_past(turn, told)

    def conclude(self) -> None:
        """Tell the wrapped agent that the episode is over."""
        self.agent.conclude()

    def origins(self) -> Iterable[Origin] | None:
        """Where the values that the wrapped agent's memory knows came from."""
        return self.agent.origins()

    def drain_events(self) -> tuple[TimelineEvent, ...]:
        """The events of the wrapped agent."""
        return self.agent.drain_events()


def veto(proposal: Proposal, why: str) -> Proposal:
    """The proposal, vetoed: it is not executed, and the planner is told why."""
    return replace(proposal, action=None, problem=Outcome("vetoed", why))


def add_note(situation: Situation, text: str, source: str) -> Situation:
    """The situation with a note for the planner."""
    time = max((seen.time for seen in situation.observations.values()), default=0.0)
    return replace(situation, extra=(*situation.extra, Recalled(text, source, "", time, situation.turn)))


def final_choice(intent: Done, thought: str, decision: Decision | None = None) -> Choice:
    """A choice that ends the episode; it replaces `decision` and keeps its cost."""
    usage = (decision or Decision(())).usage
    move = Move("", intent)
    return Choice(Decision((move,), thought, usage=usage), iter((Proposal(move, intent),)))


def claims_success(intent: Intent) -> bool:
    """Whether a move claims that the task is solved."""
    return isinstance(intent, Done) and intent.status == "success"


def situation_for(situation: Situation, role: Role) -> Situation:
    """The situation as a role sees it, fresh observations included."""

    def look(env: str) -> Observation:
        return situation.look(env).only(role.modalities if role.sees(env) else ())

    seen = {name: seen.only(role.modalities) for name, seen in situation.observations.items() if role.sees(name)}
    return replace(situation, observations=seen, look=look)


def proposal_for(proposal: Proposal, role: Role) -> Proposal:
    """The proposal with no more of its observation than the role sees."""
    if proposal.seen is None:
        return proposal
    return replace(proposal, seen=proposal.seen.only(role.modalities if role.sees(proposal.seen.env) else ()))


def turn_for(turn: Turn, role: Role) -> Turn:
    """The turn with no more of its observations than the role sees."""
    observations = {name: seen.only(role.modalities) for name, seen in turn.observations.items() if role.sees(name)}
    steps = tuple(
        step
        if step.seen is None
        else replace(step, seen=step.seen.only(role.modalities if role.sees(step.seen.env) else ()))
        for step in turn.steps
    )
    return replace(turn, observations=observations, steps=steps)


def vet_each(proposals: Iterator[Proposal], objection: Callable[[Proposal], str]) -> Iterator[Proposal]:
    """Yield proposals lazily, vetoing the first for which `objection(proposal)` returns a reason ("" for none).

    Nothing is requested after a vetoed proposal.
    """
    for proposal in proposals:
        why = objection(proposal)
        yield veto(proposal, why) if why else proposal
        if why:
            return
