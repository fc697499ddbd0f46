"""One planner over all environments, one grounder, one memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from omnipilot.agents.base import Choice, Proposal, Situation
from omnipilot.agents.ground import ground
from omnipilot.envs.observation import Modality, Observation
from omnipilot.grounders.base import Grounder, shown_by
from omnipilot.memory.base import Budget, Memory, Recalled, Role
from omnipilot.memory.trace import Turn
from omnipilot.planners.base import Brief, Decision, Planner, Request


class SingleAgent:
    """The planner sees every environment it is granted; the grounder finds each place that it describes.

    Args:
        planner_role, grounder_role: what each of the two may see.
        budget: how much memory may recall for a decision.
    """

    def __init__(
        self,
        planner: Planner,
        grounder: Grounder,
        memory: Memory,
        planner_role: Role,
        grounder_role: Role,
        budget: Budget | None = None,
    ) -> None:
        self.planner = planner
        self.grounder = grounder
        self.memory = memory
        self.planner_role = planner_role
        self.grounder_role = grounder_role
        self.budget = budget or Budget()
        self._brief = Brief("", {})

    @property
    def modalities(self) -> frozenset[Modality]:
        """What has to be captured: all that one of the two roles is granted."""
        return self.planner_role.modalities | self.grounder_role.modalities

    def begin(self, brief: Brief) -> None:
        """Forget the last episode and read the brief."""
        self._brief = brief
        self.memory.clear()
        self.planner.begin(brief)

    def decide(self, situation: Situation) -> Choice:
        """Ask the planner; its moves are grounded one by one as the loop asks for them."""
        role = self.planner_role
        seen = {
            name: observation.only(role.modalities)
            for name, observation in situation.observations.items()
            if role.sees(name)
        }
        recalled = self.memory.recall(self._brief.instruction, self.budget, role, tuple(seen))
        shown = (*recalled, *self._annotated(seen, situation.turn), *situation.extra)
        request = Request(self._brief, situation.turn, seen, shown, tuple(situation.feedback), situation.left)
        decision = self.planner.plan(request)
        return Choice(decision, self._ground_all(decision, situation))

    def learn(self, turn: Turn) -> None:
        """Give the ended turn to the memory."""
        self.memory.record(turn)

    def _annotated(self, seen: Mapping[str, Observation], turn: int) -> Iterator[Recalled]:
        """What the grounder shows the planner (marks): made of what both may see, so that neither learns more by it."""
        for name, observation in seen.items():
            if self.grounder_role.sees(name):
                for part in shown_by(self.grounder, observation.only(self.grounder_role.modalities)):
                    yield Recalled(part, "marks", name, observation.time, turn)

    def _ground_all(self, decision: Decision, situation: Situation) -> Iterator[Proposal]:
        for number, move in enumerate(decision.moves):
            yield ground(move, situation, self.grounder, self.grounder_role, fresh=number > 0)
