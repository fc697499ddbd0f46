"""The rule `gold`: stops as soon as the judges have seen every sub-goal reached, which no agent can know."""

from __future__ import annotations

from omnipilot.agents.base import Situation
from omnipilot.agents.wrappers.stopping.base import StopRule, StopVerdict
from omnipilot.agents.wrappers.stopping.features import TurnFacts
from omnipilot.envs import Modality
from omnipilot.memory import TakesTruth


class GoldRule(TakesTruth, StopRule):
    """Stops in the first turn after the task is solved: the most that any rule can give."""

    part = "stopping rule 'gold'"
    reads: frozenset[Modality] = frozenset()

    def before(self, facts: TurnFacts, situation: Situation) -> StopVerdict:  # noqa: ARG002
        """Stop if nothing is left."""
        if self._truth.open_goals():
            return StopVerdict()
        return StopVerdict(True, "every sub-goal is reached", True)
