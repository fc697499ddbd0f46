"""The tracker `model`: a chat model lists the sub-goals of the instruction and says which are reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from omnipilot.agents.wrappers.model_question import StructuredQuestion
from omnipilot.agents.wrappers.progress.agent import SubGoal, Tracker
from omnipilot.envs import Observation
from omnipilot.memory import Turn, Usage
from omnipilot.memory.window import verb_text
from omnipilot.planners.chat.render import outcome_words, seen_parts

MOST = 20
"""Maximum number of sub-goals in a list."""
LIST: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "goals": {"type": "array", "minItems": 1, "maxItems": MOST, "items": {"type": "string", "maxLength": 300}}
    },
    "required": ["goals"],
    "additionalProperties": False,
}
REACHED: Mapping[str, Any] = {
    "type": "object",
    "properties": {"reached": {"type": "array", "maxItems": MOST, "items": {"type": "integer", "minimum": 1}}},
    "required": ["reached"],
    "additionalProperties": False,
}


@dataclass(eq=False)
class ModelTracker(StructuredQuestion, Tracker):
    """Asks once for the list, then in every turn which of the remaining sub-goals are reached.

    If an answer cannot be read, the list stays empty, or nothing new counts as reached.
    """

    own_prompt: ClassVar[str] = "omnipilot.agents.wrappers.progress:progress"
    asks_as: ClassVar[str] = "progress"

    def begin(self, brief: Any) -> None:
        """Forget the last episode."""
        super().begin(brief)
        self._done: list[str] = []

    def goals(self) -> tuple[tuple[SubGoal, ...], Usage]:
        """The list of sub-goals.

        Raises:
            ModelUnavailable: the model did not answer.
        """
        task = f"The task: {self._brief.instruction}"
        why = f"\nWhy the user wants it: {self._brief.intent}" if self._brief.intent else ""
        asked = f"{task}{why}\nList the sub-goals."
        found, spent = self.ask((asked,), LIST, _goals)
        return tuple(map(SubGoal, found or ())), spent

    def reached(self, left: Mapping[int, SubGoal], seen: Mapping[str, Observation]) -> tuple[frozenset[int], Usage]:
        """Remaining sub-goals that are reached, judging by the steps since the last call and the current screens.

        Raises:
            ModelUnavailable: the model did not answer.
        """
        if not self._done:
            return frozenset(), Usage()
        listed = "\n".join(f"{number}. {goal.text}" for number, goal in left.items())
        asked = f"Remaining sub-goals:\n{listed}\nWhich of them are reached now?"
        done = "\n".join(["Steps so far:", *self._done])
        found, spent = self.ask((*seen_parts(seen), done, asked), REACHED, _numbers)
        return (found or frozenset()) & frozenset(left), spent

    def learn(self, turn: Turn) -> None:
        """Keep the executed steps."""
        for step in turn.steps:
            if step.proposed is not None:
                where = f" on {step.proposed.env}" if step.proposed.env else ""
                self._done.append(f"- {verb_text(step.proposed.intent)}{where}: {outcome_words(step.outcome)}")


def _goals(said: Mapping[str, Any]) -> tuple[str, ...]:
    goals = tuple(" ".join(goal.split()) for goal in said["goals"] if isinstance(goal, str) and goal.strip())
    if not goals:
        raise ValueError("goals must be a non-empty list of strings")
    return goals[:MOST]


def _numbers(said: Mapping[str, Any]) -> frozenset[int]:
    numbers = said["reached"]
    if not isinstance(numbers, list) or not all(type(number) is int for number in numbers):
        raise ValueError("reached must be a list of numbers")
    return frozenset(numbers)
