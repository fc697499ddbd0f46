"""One planner over all environments, one grounder, one memory."""

from __future__ import annotations

from omnipilot.agents.base import Choice, Situation
from omnipilot.agents.teams.base import GroundedAgent
from omnipilot.grounders import Grounder
from omnipilot.memory import Budget, Memory, Role
from omnipilot.memory.warm_up import warm_up
from omnipilot.planners import Brief, Planner
from omnipilot.planners.base import plan_with


class SingleAgent(GroundedAgent):
    """Single agent: one planner for all environments, and a grounder that finds each place it describes.

    Args:
        planner_role, grounder_role: what planner and grounder may see.
        budget: how much may be recalled from memory per decision.
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
        super().__init__(grounder, memory, planner_role, grounder_role, budget)
        self.planner = planner

    def warm_up(self) -> None:
        """Warm up the planner, the grounder and the memory."""
        warm_up(self.planner)
        super().warm_up()

    def begin(self, brief: Brief) -> None:
        """Forget the last episode and read the brief."""
        self._forget(brief)
        self.planner.begin(self._brief)

    def _choose(self, situation: Situation) -> Choice:
        """Call the planner; each move is grounded when the loop requests it."""
        decision = plan_with(self.planner, self._whole_request(situation))
        return Choice(decision, self._ground_all(decision.moves, situation))
