"""The base of every agent system: grounder, memory, roles, and lazy grounding of moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from omnipilot.agents.base import Proposal, Situation
from omnipilot.agents.ground import ground
from omnipilot.envs import Modality, Observation
from omnipilot.grounders import Grounder
from omnipilot.grounders.base import shown_by
from omnipilot.memory import Budget, Memory, Move, Outcome, Recalled, Role, Turn
from omnipilot.memory.base import KeepsTimeline, KnowsAnchors, StatesBudget, Watches
from omnipilot.memory.episodic import TimelineEvent
from omnipilot.memory.warm_up import warm_up
from omnipilot.planners import Brief, Request

EXAMPLES = 3
"""Examples of earlier episodes take at most one in so many characters of what may be recalled."""


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
        self._granted = self.budget
        self._examples: tuple[Recalled, ...] = ()

    @property
    def modalities(self) -> frozenset[Modality]:
        """Modalities to capture: everything granted to either role."""
        return self.planner_role.modalities | self.grounder_role.modalities

    def warm_up(self) -> None:
        """Warm up the grounder and the memory."""
        warm_up(self.grounder, self.memory)

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
        self._examples, self.budget = fitting(brief.examples, self._granted)

    def _whole_request(self, situation: Situation) -> Request:
        """The request for the planner or the team's head; the first of a decision."""
        self._given = []
        if isinstance(self.memory, Watches):
            self.memory.watch(situation.turn, situation.observations, situation.extra)
        request = self._request(self._brief, situation, self.planner_role)
        self._given += [(self.planner_role.name, one) for one in self._examples]
        shown = (*self._examples, *request.recalled, *situation.extra)
        return replace(request, recalled=shown, feedback=tuple(situation.feedback))

    def _request(self, brief: Brief, situation: Situation, role: Role) -> Request:
        """The request for a role: its share of the screens, of memory, and of the marks."""
        seen = {
            name: observation.only(role.modalities)
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


def fitting(examples: Sequence[Recalled], budget: Budget) -> tuple[tuple[Recalled, ...], Budget]:
    """The examples that fit into a third of a budget, the last ones first, and what they leave of it."""
    most = budget.characters if budget.tokens is None else min(budget.characters, 4 * budget.tokens)
    kept: list[Recalled] = []
    used = 0
    for one in reversed(examples):
        length = len(one.part) if isinstance(one.part, str) else most
        if len(kept) < budget.texts and used + length <= most // EXAMPLES:
            kept.append(one)
            used += length
    if not kept:
        return (), budget
    tokens = None if budget.tokens is None else budget.tokens - -(-used // 4)
    left = replace(budget, texts=budget.texts - len(kept), characters=budget.characters - used, tokens=tokens)
    return tuple(reversed(kept)), left
