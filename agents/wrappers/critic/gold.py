"""The critic `gold`: refuses an ending as long as the judges have not seen every sub-goal reached."""

from __future__ import annotations

from omnipilot.agents.base import Proposal, Situation
from omnipilot.agents.wrappers.critic.agent import Critic, CriticVerdict
from omnipilot.envs import Done, Modality
from omnipilot.memory import TakesTruth, Turn
from omnipilot.planners import Brief


class GoldCritic(TakesTruth, Critic):
    """Refuses each end of the episode before the task is solved, and says how many sub-goals are open.

    With it an agent knows when to stop, and everything else as before. It does not say which sub-goals are open, and an
    agent that insists ends the episode all the same (`patience`).
    """

    part = "critic 'gold'"
    reads: frozenset[Modality] = frozenset()

    def begin(self, brief: Brief) -> None:
        """It keeps nothing of an episode."""

    def check(self, proposal: Proposal, situation: Situation) -> CriticVerdict:  # noqa: ARG002
        """An objection to an end that comes too early."""
        if not isinstance(proposal.move.intent, Done) or not (left := self._truth.open_goals()):
            return CriticVerdict(True)
        many = f"{len(left)} sub-goals are" if len(left) > 1 else "one sub-goal is"
        return CriticVerdict(False, f"the task is not solved yet: {many} not reached; go on")

    def learn(self, turn: Turn) -> None:
        """It keeps nothing of an episode."""
