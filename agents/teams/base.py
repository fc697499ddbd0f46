"""The base of every agent system: grounder, memory, roles, and lazy grounding of moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from omnipilot.agents.base import Proposal, Situation
from omnipilot.agents.ground import ground
from omnipilot.envs import Modality, Observation
from omnipilot.grounders import Grounder
from omnipilot.grounders.base import shown_by
from omnipilot.memory import Budget, MalformedReply, Memory, Move, Outcome, Recalled, Role, Turn, Usage
from omnipilot.memory.base import KeepsTimeline, KnowsAnchors, StatesBudget, Watches
from omnipilot.memory.episodic import TimelineEvent
from omnipilot.memory.gate import Gate, GateDecision
from omnipilot.memory.gate.base import clips_of, without_withheld
from omnipilot.memory.warm_up import warm_up
from omnipilot.planners import Brief, Decision, Request, Thought

Answer = TypeVar("Answer", Decision, Thought)


class GroundedAgent:
    """The part of an agent system that does not depend on how decisions are made.

    Args:
        planner_role, grounder_role: what the planner (or a team's head) and the grounder may see.
        budget: how much may be recalled from memory per decision; None for what the memory states, or the default.
    """

    def __init__(
        self,
        grounder: Grounder,
        memory: Memory,
        planner_role: Role,
        grounder_role: Role,
        budget: Budget | None = None,
    ) -> None:
        self.grounder = grounder
        self.memory = memory
        self.planner_role = planner_role
        self.grounder_role = grounder_role
        self.budget = budget or (memory.budget if isinstance(memory, StatesBudget) else Budget())
        self._brief = Brief("", {})
        self._given: list[tuple[str, Recalled]] = []
        self.gate: Gate | None = None
        self._gated: tuple[GateDecision, ...] = ()
        self._gate_usage = Usage()

    @property
    def gated(self) -> tuple[GateDecision, ...]:
        """What the gate decided on the sound and film of the last turn."""
        return self._gated

    @property
    def modalities(self) -> frozenset[Modality]:
        """Modalities to capture: everything granted to either role."""
        return self.planner_role.modalities | self.grounder_role.modalities

    def take_gate(self, gate: Gate) -> None:
        """Let a gate decide which sound and film of a turn the planner, or a role of a team, gets of its share."""
        self.gate = gate

    def warm_up(self) -> None:
        """Warm up the grounder, the memory and the gate."""
        warm_up(self.grounder, self.memory, self.gate)

    def learn(self, turn: Turn) -> None:
        """Store the completed turn in memory."""
        self.memory.record(turn)

    def drain_events(self) -> tuple[TimelineEvent, ...]:
        """What the memory kept since the last call, for the journal."""
        return self.memory.drain_events() if isinstance(self.memory, KeepsTimeline) else ()

    def _forget(self, brief: Brief) -> None:
        """Start over with a brief and an empty memory."""
        self._brief = brief
        self.memory.clear()
        if self.gate is not None:
            self.gate.begin(brief)

    def _whole_request(self, situation: Situation) -> Request:
        """The request for the planner or the team's head; the first of a decision."""
        self._given = []
        if isinstance(self.memory, Watches):
            self.memory.watch(situation.turn, situation.observations, situation.extra)
        self._pass_gate(situation)
        request = self._request(self._brief, situation, self.planner_role)
        shown = (*request.recalled, *situation.extra)
        return replace(request, recalled=shown, feedback=tuple(situation.feedback))

    def _ask(self, ask: Callable[[Request], Answer], situation: Situation) -> Answer:
        """What the planner or the team's head says to the whole request; its usage includes the gate's.

        Raises:
            MalformedReply: its reply cannot be read.
        """
        request = self._whole_request(situation)
        if not self._gate_usage.calls:
            return ask(request)
        try:
            said = ask(request)
        except MalformedReply as error:
            raise MalformedReply(str(error), self._gate_usage + error.usage) from None
        return replace(said, usage=self._gate_usage + said.usage)

    def _pass_gate(self, situation: Situation) -> None:
        """Let the gate decide on what the planner's role may see and hear in this turn, after memory took it in."""
        self._gated, self._gate_usage = (), Usage()
        if self.gate is not None:
            role = self.planner_role
            seen = [one.only(role.modalities) for name, one in situation.observations.items() if role.sees(name)]
            if clips := clips_of(seen):
                gated, self._gate_usage = self.gate.decide(situation.turn, clips)
                self._gated = tuple(gated)

    def _request(self, brief: Brief, situation: Situation, role: Role) -> Request:
        """The request for a role: its share of the screens, of memory, and of the marks."""
        seen = {
            name: without_withheld(observation.only(role.modalities), self._gated)
            for name, observation in situation.observations.items()
            if role.sees(name)
        }
        recalled = self.memory.recall(self._brief.instruction, self.budget, role, tuple(seen))
        self._given += [(role.name, one) for one in recalled]
        shown = (*recalled, *self._annotated(seen, situation.turn))
        return Request(brief, situation.turn, seen, shown, left=situation.left)

    def _annotated(self, seen: Mapping[str, Observation], turn: int) -> Iterator[Recalled]:
        """Marks the grounder shows to the role, made from what both may see so that neither gains information."""
        for name, observation in seen.items():
            if self.grounder_role.sees(name):
                for part in shown_by(self.grounder, observation.only(self.grounder_role.modalities)):
                    yield Recalled(part, "marks", name, observation.time, turn)

    def _ground_all(self, moves: Sequence[Move], situation: Situation) -> Iterator[Proposal]:
        for number, move in enumerate(moves):
            if problem := self._why_barred(number, move):
                yield Proposal(move, None, Outcome("rejected", problem))
            else:
                anchor = self._fill_anchor if isinstance(self.memory, KnowsAnchors) else None
                yield ground(move, situation, self.grounder, self.grounder_role, number > 0, anchor)

    def _fill_anchor(self, name: str) -> str:
        assert isinstance(self.memory, KnowsAnchors)
        return self.memory.fill_anchor(name, self.planner_role)

    def _why_barred(self, number: int, move: Move) -> str:  # noqa: ARG002
        """Why the role may not make this move; "" if it may."""
        return ""
