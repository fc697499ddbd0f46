"""The rules `confidence` and `asked`: how sure the planner, or another model, is that the task is done.

Of two probabilities, d that the task is done and h that the next step helps if it is not, and the cost c of a turn as a
share of the turn limit, the value of another turn is

    V = P(solve | go on) - P(solve | stop) - λ c = (d + (1 - d) h) - d - λ c = (1 - d) h - λ c

and the episode ends where V is below 0. With λ = 1, the default, a turn has to bring a solution with a probability of
at least its share of the budget.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from omnipilot.agents.base import Situation
from omnipilot.agents.wrappers.model_question import StructuredQuestion
from omnipilot.agents.wrappers.stopping.base import StopRule, StopVerdict, price_of_a_turn
from omnipilot.agents.wrappers.stopping.features import TurnFacts
from omnipilot.envs import ConfigError
from omnipilot.memory import Turn, Usage
from omnipilot.memory.window import verb_text
from omnipilot.planners import Brief, Decision
from omnipilot.planners.chat.render import outcome_words, seen_parts

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "why": {"type": "string", "maxLength": 300},
        "done": {"type": "number", "minimum": 0, "maximum": 1},
        "helps": {"type": "number", "minimum": 0, "maximum": 1},
    },
    "required": ["why", "done", "helps"],
    "additionalProperties": False,
}
REMEMBERED = 20
"""Number of last steps of the episode shown to the model."""
_STATED = re.compile(r"\b(done|helps)\s*[=:]\s*(\d+(?:\.\d+)?|\.\d+)\s*(%?)", re.IGNORECASE)


def judge_confidence(
    facts: TurnFacts, done: float, helps: float, cost: float, usage: Usage | None = None
) -> StopVerdict:
    """The verdict on two stated probabilities.

    Args:
        done, helps: d and h, in 0..1. cost: λ. usage: of the model that stated them.
    """
    value = (1 - done) * helps - price_of_a_turn(facts, cost)
    evidence = {"done": done, "helps": helps, "value": value}
    why = f"another turn is worth {value:+.3f}: done with {done:.2f}, helped by a step with {helps:.2f}"
    stop = value < 0
    return StopVerdict(stop, why if stop else "", done >= 0.5, evidence, usage or Usage())


def stated_confidence(text: str) -> tuple[float, float] | None:
    """The two probabilities that a planner states, such as "done=0.9 helps=5%"; the last of each counts.

    Returns:
        d and h, in 0..1; None unless both are there and are probabilities.
    """
    found: dict[str, float] = {}
    for name, number, percent in _STATED.findall(text):
        found[name.casefold()] = float(number) / (100 if percent else 1)
    if found.keys() != {"done", "helps"} or not all(0 <= one <= 1 for one in found.values()):
        return None
    return found["done"], found["helps"]


def check_cost(cost: float) -> None:
    """Refuse a price of a turn that is none.

    Raises:
        ConfigError: it is below 0, or not finite.
    """
    if not 0 <= cost < math.inf:
        raise ConfigError(f"stop: cost is the price of a turn, 0 or more, not {cost}")


class ConfidenceRule(StopRule):
    """Stops by what the planner itself states in its thought: that the task is done, and that a step helps.

    A turn without both numbers is never the last.

    Args:
        cost: λ, the price of the whole turn limit in probability of a solution.

    Raises:
        ConfigError: an impossible cost.
    """

    main_option = "cost"
    reads: ClassVar[frozenset[Any]] = frozenset()
    advice = (
        "End each thought with two probabilities between 0 and 1: that the task is done already, and that your next "
        "step helps if it is not, as in: done=0.10 helps=0.80"
    )

    def __init__(self, cost: float = 1.0) -> None:
        check_cost(cost)
        self.cost = cost

    def after(self, facts: TurnFacts, decision: Decision) -> StopVerdict:
        """Stop where another turn is worth less than it costs."""
        stated = stated_confidence("\n".join((decision.thought, *decision.notes)))
        return StopVerdict() if stated is None else judge_confidence(facts, *stated, self.cost)


@dataclass(eq=False)
class AskedRule(StructuredQuestion, StopRule):
    """Asks a chat model, before each decision, how likely the task is done and how likely a step helps.

    An unreadable answer stops nothing.

    Attributes:
        cost: λ, the price of the whole turn limit in probability of a solution.
    """

    cost: float = 1.0

    own_prompt: ClassVar[str] = "omnipilot.agents.wrappers.stopping:stopping"
    asks_as: ClassVar[str] = "stop"

    def __post_init__(self) -> None:
        check_cost(self.cost)
        super().__post_init__()

    def begin(self, brief: Brief) -> None:
        """Forget the last episode."""
        super().begin(brief)
        self._done: list[str] = []

    def before(self, facts: TurnFacts, situation: Situation) -> StopVerdict:
        """Ask the model; not in the first turn, before anything was done.

        Raises:
            ModelUnavailable: it did not answer.
        """
        if not self._done:
            return StopVerdict()
        steps = "\n".join(["Steps so far:", *self._done[-REMEMBERED:]])
        parts = (*seen_parts(situation.observations), f"The task: {self._brief.instruction}", steps)
        answer, spent = self.ask(parts, SCHEMA, _probabilities)
        return StopVerdict(usage=spent) if answer is None else judge_confidence(facts, *answer, self.cost, spent)

    def learn(self, turn: Turn) -> None:
        """Keep the executed steps."""
        for step in turn.steps:
            if step.proposed is not None:
                where = f" on {step.proposed.env}" if step.proposed.env else ""
                self._done.append(f"- {verb_text(step.proposed.intent)}{where}: {outcome_words(step.outcome)}")


def _probabilities(said: Mapping[str, Any]) -> tuple[float, float]:
    done, helps = float(said["done"]), float(said["helps"])
    if not (0 <= done <= 1 and 0 <= helps <= 1):
        raise ValueError("done and helps are probabilities between 0 and 1")
    return done, helps
