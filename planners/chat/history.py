"""The rounds of a conversation that a model is shown again: observation, reply, and what became of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from omnipilot.memory import Message, Move, Recalled
from omnipilot.memory.messages import Part
from omnipilot.planners.base import Feedback, Request
from omnipilot.planners.chat.render import outcome_words

_SAID = frozenset({"thought", "action", "outcome", "screenshot", "audio", "video"})
"""Sources of what a round of the history holds anyway."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply that was read.

    Attributes:
        said: the reply as it stands in the conversation; where it has calls, one for each move.
    """

    moves: tuple[Move, ...]
    thought: str
    said: Message


@dataclass(slots=True)
class Round:
    """One turn of the conversation. `results`: of the calls, in words; None until they are known."""

    turn: int
    envs: frozenset[str]
    shown: tuple[Part, ...]
    answer: Answer
    results: list[str] | None = field(default=None)


class Rounds:
    """The last rounds of one episode.

    Args:
        most: rounds that are kept; those before are forgotten.
    """

    def __init__(self, most: int) -> None:
        self._kept: deque[Round] = deque(maxlen=most)

    def keep(self, request: Request, shown: tuple[Part, ...], answer: Answer) -> None:
        """Keep a turn: what the model was shown of it, and what it answered."""
        self._kept.append(Round(request.turn, frozenset(request.observations), shown, answer))

    def settle(self, feedback: Sequence[Feedback]) -> tuple[Feedback, ...]:
        """Note what became of the last round's calls; the rest of the feedback comes back."""
        last = self._kept[-1] if self._kept else None
        if last is None or last.results is not None or not last.answer.said.calls:
            return tuple(feedback)
        rest = list(feedback)
        last.results = []
        for move in last.answer.moves:
            told = next((told for told in rest if told.move == move), None)
            if told is not None:
                rest.remove(told)
            last.results.append("its outcome is not known" if told is None else outcome_words(told.outcome))
        return tuple(rest)

    def unsaid(self, recalled: Iterable[Recalled]) -> tuple[Recalled, ...]:
        """The recalled parts that the rounds do not hold already."""
        held = {(one.turn, env) for one in self._kept for env in (*one.envs, "")}
        return tuple(item for item in recalled if item.source not in _SAID or (item.turn, item.env) not in held)

    def messages(self) -> list[Message]:
        """The rounds as a conversation: the user's message, the assistant's, and one for each of its calls."""
        found = []
        for one in self._kept:
            found += [Message("user", one.shown or ("(nothing was seen)",)), one.answer.said]
            results = one.results or ["its outcome is not known"] * len(one.answer.said.calls)
            found += [Message("tool", (result,)) for result in results if one.answer.said.calls]
        return found
