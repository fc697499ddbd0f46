"""The contract of stopping rules."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass, field

from omnipilot.agents.base import Situation
from omnipilot.agents.wrappers.stopping.features import TurnFacts
from omnipilot.memory import AgentPart, Turn, Usage
from omnipilot.planners import Brief, Decision


@dataclass(frozen=True, slots=True)
class StopVerdict:
    """What a rule says of a turn.

    Attributes:
        stop: whether the episode should end now. why: in words, where it should.
        solved: whether the rule takes the task for solved.
        evidence: the numbers that it went by, such as {"done": 0.9}; the journal keeps them for each turn.
        usage: of its model.
    """

    stop: bool = False
    why: str = ""
    solved: bool = False
    evidence: Mapping[str, float] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)


class StopRule(AgentPart, ABC):
    """Says whether an episode is worth another turn; it sees what its role may see, and never a judge.

    A rule has `before`, `after`, or both; the bodies here are those of a rule that never stops.

    Attributes:
        advice: what the planner is told in each turn; "" for nothing.
    """

    advice: str = ""

    def begin(self, brief: Brief) -> None:
        """Start a new episode; no state of the previous one may remain."""

    def before(self, facts: TurnFacts, situation: Situation) -> StopVerdict:  # noqa: ARG002
        """Whether to stop before the planner is asked.

        Raises:
            ModelUnavailable: its model did not answer.
        """
        return StopVerdict()

    def after(self, facts: TurnFacts, decision: Decision) -> StopVerdict:  # noqa: ARG002
        """Whether to stop in place of what the planner decided."""
        return StopVerdict()

    def learn(self, turn: Turn) -> None:
        """Take in a completed turn."""


class WatchRule(StopRule):
    """Never stops: it only records the numbers that others go by, for a run from which a rule is learned."""


def price_of_a_turn(facts: TurnFacts, cost: float) -> float:
    """What another turn costs, in the probability of a solution that it has to bring: `cost` times its share of the
    turn limit; 0 where there is no limit."""
    return cost / facts.limit if facts.limit else 0.0
