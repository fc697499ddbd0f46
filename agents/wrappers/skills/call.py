"""One call of a skill, and what came of its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from omnipilot.envs import Custom
from omnipilot.envs.types import described_places
from omnipilot.memory import Move, Turn
from omnipilot.memory.episodic import TimelineEvent
from omnipilot.memory.episodic.details import SkillDetail

_WORD = re.compile(r"\w{3,}")


@dataclass(frozen=True, slots=True)
class SkillCall:
    """A call of a skill in a turn.

    Attributes:
        unsure: whether the agent was unsure. gave: whether it had an answer. told: its answer in words, where it is for
            the planner. move: of which it was to find a place; None where its answer is for the planner.
    """

    skill: str
    unsure: bool
    gave: bool
    told: str = ""
    move: Move | None = None

    def event(self, turn: Turn, time: float, instruction: str) -> TimelineEvent:
        """The call as an event, once its turn is over.

        The answer was used if the move was made at the place that it found, or if the planner's moves say a word or a
        number of it that the instruction does not.
        """
        went_well = bool(turn.steps) and not any(step.outcome.refused for step in turn.steps)
        if self.move is None:
            used = self.gave and bool(_words(self.told) & set(_said(turn)) - _words(instruction))
        else:
            used = self.gave and any(step.proposed == self.move and not step.outcome.refused for step in turn.steps)
        helped = used and (went_well or self.move is not None)
        needless = not helped and went_well
        words = f"{self.skill}: {'used' if helped else 'not used' if self.gave else 'no answer'}"
        detail = SkillDetail(self.skill, self.unsure, self.gave, helped, needless)
        return TimelineEvent("skill", "", time, time, turn.index, words, detail=detail)


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _said(turn: Turn) -> Iterator[str]:
    """The words of the turn's moves: what they type and answer, and the places that they describe."""
    for step in turn.steps:
        if step.proposed is None:
            continue
        intent = step.proposed.intent
        texts = [str(place) for place in described_places(intent) if isinstance(place, str)]
        texts += [value for name in ("text", "value", "url") if isinstance(value := getattr(intent, name, None), str)]
        if isinstance(intent, Custom):
            texts += map(str, intent.arguments.values())
        yield from _words(" ".join(texts))
