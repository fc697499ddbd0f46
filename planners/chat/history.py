"""The rounds of a conversation that are shown to the model again: observation, reply, and outcome."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from omnipilot.envs import Elements
from omnipilot.memory import Message, Move, Recalled
from omnipilot.memory.base import TEXTS, TRANSCRIPT
from omnipilot.memory.messages import Part
from omnipilot.planners.base import Feedback, Request
from omnipilot.planners.chat.render import outcome_words
from omnipilot.planners.recalled import OWN_WORDS

_SAID = OWN_WORDS | {"screenshot", "audio", "video", "context", TRANSCRIPT, TEXTS}
"""Sources of recalled parts that a round of the history contains anyway."""
_LISTED = frozenset({"text"})
"""Sources that a round contains if it lists the elements of the screen."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A parsed reply.

    Attributes:
        said: the reply as it appears in the conversation; if it has calls, one for each move.
    """

    moves: tuple[Move, ...]
    thought: str
    said: Message


@dataclass(slots=True)
class Round:
    """One turn of the conversation.

    Attributes:
        envs: that were shown. listed: those of which the elements were listed.
        results: results of the calls in words; None until they are known.
    """

    turn: int
    envs: frozenset[str]
    listed: frozenset[str]
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
        seen = request.observations
        listed = frozenset(name for name, one in seen.items() if isinstance(one.elements, Elements))
        self._kept.append(Round(request.turn, frozenset(seen), listed, shown, answer))

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
        listed = {(one.turn, env) for one in self._kept for env in one.listed}

        def said(item: Recalled) -> bool:
            at = (item.turn, item.env)
            return (item.source in _SAID and at in held) or (item.source in _LISTED and at in listed)

        return tuple(item for item in recalled if not said(item))

    def messages(self) -> list[Message]:
        """The rounds as a conversation: the user's message, the assistant's, and one for each of its calls."""
        found = []
        for one in self._kept:
            found += [Message("user", one.shown or ("(nothing was seen)",)), one.answer.said]
            results = one.results or ["its outcome is not known"] * len(one.answer.said.calls)
            found += [Message("tool", (result,)) for result in results if one.answer.said.calls]
        return found
