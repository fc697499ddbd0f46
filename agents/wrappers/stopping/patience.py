"""The rule `patience`: a set number of turns in a row that bring nothing new."""

from __future__ import annotations

from omnipilot.agents.base import Situation
from omnipilot.agents.wrappers.stopping.base import StopRule, StopVerdict
from omnipilot.agents.wrappers.stopping.features import TurnFacts
from omnipilot.envs import ConfigError


class PatienceRule(StopRule):
    """Stops after so many turns in a row without a new screen, a new fact or a sub-goal.

    Going back to screens that the episode has shown before is nothing new, and neither is a clock in a bar. While
    something sounds or moves, the turns are not counted.

    Args:
        turns: that may pass without anything new.

    Raises:
        ConfigError: fewer than one.
    """

    main_option = "turns"

    def __init__(self, turns: int = 8) -> None:
        if turns < 1:
            raise ConfigError(f"stop: patience takes a number of turns of at least 1, not {turns}; for none, use none")
        self.turns = turns

    def before(self, facts: TurnFacts, situation: Situation) -> StopVerdict:  # noqa: ARG002
        """Stop once nothing new has come for so many turns."""
        if facts.still < self.turns:
            return StopVerdict()
        done = facts.goals == 1.0
        return StopVerdict(True, f"nothing new was seen, told or reached in {facts.still} turns", done)
