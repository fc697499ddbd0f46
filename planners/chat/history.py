"""The rounds of a conversation that are shown to the model again: observation, reply, and outcome."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from omnipilot.memory import Expectation, Message, Move, Recalled
from omnipilot.memory.messages import Part
from omnipilot.planners.base import Feedback, Request
from omnipilot.planners.chat.render import outcome_words

_SAID = frozenset({"thought", "action", "outcome", "screenshot", "audio", "video"})
"""Sources of recalled parts that a round of the history contains anyway."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A parsed reply.

    Attributes:
        said: the reply as it appears in the conversation; if it has calls, one for each move.
        expectations: what it states should hold afterwards. remarks: what the model is told of them in the next turn.
    """

    moves: tuple[Move, ...]
    thought: str
    said: Message
    expectations: tuple[Expectation, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(slots=True)
class Round:
    """One turn of the conversation. `results`: results of the calls in words; None until they are known."""

    turn: int
    envs: frozenset[str]
    shown: tuple[Part, ...]
    answer: Answer
    results: list[str] | None = field(default=None)


class Rounds:
    """The last rounds of one episode.

    Args:
        most: number of rounds to keep; older ones are dropped.
    """

    def __init__(self, most: int) -> None:
        self._kept: deque[Round] = deque(maxlen=most)

    def keep(self, request: Request, shown: tuple[Part, ...], answer: Answer) -> None:
        """Keep a turn: what the model was shown, and what it answered."""
        self._kept.append(Round(request.turn, frozenset(request.observations), shown, answer))

    def settle(self, feedback: Sequence[Feedback]) -> tuple[Feedback, ...]:
        """Record the results of the last round's calls; returns the rest of the feedback."""
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
        """The recalled parts that the rounds do not already contain."""
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
