"""The rounds of a conversation that are shown to the model again: observation, reply, and outcome.

A provider's prompt cache pays for the part of a request that repeats the beginning of the one before. So rounds are
only appended; what has to go, goes several rounds at once, and seldom.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from omnipilot.envs import Image
from omnipilot.memory import TRANSCRIPT, Expectation, Message, Move, Recalled, estimate_tokens
from omnipilot.memory.episodic.anchors.remembered import note_words
from omnipilot.memory.messages import Part
from omnipilot.memory.quoting import one_line
from omnipilot.planners.base import Feedback, Request
from omnipilot.planners.chat.render import feedback_words, outcome_words
from omnipilot.planners.recalled import OWN_WORDS, join_words
from omnipilot.planners.tools import REMEMBER

_MEDIA = frozenset({"screenshot", "audio", "video"})
_SAID = OWN_WORDS | {"context", TRANSCRIPT}
"""Sources of recalled parts that a round of the history contains anyway."""

KEPT = 0.6
"""Share of the budget that is left after rounds were cut: the more is cut at once, the less often."""


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """A parsed reply.

    Attributes:
        said: the reply as it appears in the conversation; if it has calls, one for each move and each note.
        notes: what it asks to remember.
        expectations: what it states should hold afterwards. remarks: what the model is told of them in the next turn.
    """

    moves: tuple[Move, ...]
    thought: str
    said: Message
    notes: tuple[str, ...] = ()
    expectations: tuple[Expectation, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MessagePiece:
    """A part of a message with what stands for it once the pictures, sound and video of its device are left out.

    Attributes:
        env: its device; "" for what is never left out. short: what is told instead; "" for nothing.
    """

    part: Part
    env: str = ""
    short: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a turn shows of itself, which later requests repeat.

    Attributes:
        pieces: in order. pictures: the screens among them, by environment.
    """

    pieces: tuple[MessagePiece, ...]
    pictures: Mapping[str, Image] = field(default_factory=dict)

    def parts(self, media: Collection[str]) -> tuple[Part, ...]:
        """The parts of a message, with pictures, sound and video of these environments alone."""
        told = (one.part if not one.env or one.env in media else one.short for one in self.pieces)
        return join_words(part for part in told if not isinstance(part, str) or part)


@dataclass(slots=True)
class Round:
    """One turn of the conversation.

    Attributes:
        envs: that were shown. media: those whose pictures, sound and video are still shown.
        results: results of the calls in words; None until they are known.
    """

    turn: int
    envs: frozenset[str]
    shown: Shown
    answer: ParsedReply
    media: set[str]
    results: list[str] | None = field(default=None)

    @property
    def parts(self) -> tuple[Part, ...]:
        """What of its turn is shown."""
        return self.shown.parts(self.media)

    @property
    def tokens(self) -> int:
        """About how many tokens its words are."""
        said = self.answer.said
        texts = [*self.parts, *said.parts, *(f"{name} {told}" for name, told in said.calls), *(self.results or ())]
        return sum(estimate_tokens(text) for text in texts if isinstance(text, str))

    def shows(self, env: str) -> bool:
        """Whether a picture, sound or video of this environment is still in it."""
        return env in self.media and any(one.env == env and not isinstance(one.part, str) for one in self.shown.pieces)

    def says(self, item: Recalled) -> bool:
        """Whether it contains a recalled part of its own turn anyway."""
        return item.source in _SAID or (item.source in _MEDIA and item.env in self.media)


class Rounds:
    """The rounds of one episode that are shown again.

    Args:
        most: the last so many rounds, whole, and nothing of older ones; None for all rounds, within `tokens`.
        tokens: of the words of all rounds together, by `estimate_tokens`. When they exceed it, the oldest are cut until
            `KEPT` of it is left; the last one is never cut.
        media: at most so many rounds show old pictures, sound and video, see `release`; if there are more, half as many
            keep them. The last picture of each screen is always shown.
        words: no round shows pictures, sound or video again.
        result: what every call is answered, instead of its outcome; "" for its outcome. No turn begins with one then.
    """

    def __init__(
        self, most: int | None, tokens: int = 0, media: int = 0, words: bool = False, result: str = ""
    ) -> None:
        self._most, self._tokens, self._media, self._words, self._result = most, tokens, media, words, result
        self._kept: list[Round] = []
        self._cut = 0

    def keep(self, request: Request, shown: Shown, answer: ParsedReply) -> None:
        """Keep a turn: what the model was shown, and what it answered."""
        envs = frozenset(request.observations)
        self._kept.append(Round(request.turn, envs, shown, answer, set() if self._words else set(envs)))
        if self._most == 0:
            self._drop(1)

    def settle(self, feedback: Sequence[Feedback]) -> tuple[Part, ...]:
        """Record the results of the last round's calls, and cut what no longer fits.

        Returns:
            What this turn has to begin with: that no earlier turn is left, and what of the feedback no call stands for.
        """
        rest = self._record_results(feedback)
        self._trim()
        if self._result:
            return ()
        missing = ("(Earlier turns are left out here.)",) if self._cut and not self._kept else ()
        return (*missing, *feedback_words(rest))

    def pictures(self) -> dict[str, tuple[Image, int]]:
        """The last picture of each environment's screen that is shown, and its turn."""
        found: dict[str, tuple[Image, int]] = {}
        for one in self._kept:
            found |= {env: (picture, one.turn) for env, picture in one.shown.pictures.items() if env in one.media}
        return found

    def release(self, now: Collection[str]) -> None:
        """Leave out pictures, sound and video that have grown old, if they are more than `media` rounds.

        What is old is a screen that has been shown again, changed, since then, and sound and video beside such a screen
        or none.

        Args:
            now: environments of which this turn sends a picture.
        """
        if self._most is not None:
            return
        later = set(now)
        old: list[tuple[Round, set[str]]] = []
        for one in reversed(self._kept):
            showing = {env for env in one.media if one.shows(env)}
            if gone := {env for env in showing if env in later or env not in one.shown.pictures}:
                old.append((one, gone))
            later |= showing & set(one.shown.pictures)
        if len(old) > self._media:
            for one, gone in old[self._media // 2 :]:
                one.media -= gone

    def unsaid(self, recalled: Iterable[Recalled]) -> tuple[Recalled, ...]:
        """The recalled parts that the rounds do not already contain, or leave out on purpose."""
        rounds = {one.turn: one for one in self._kept}

        def said(item: Recalled) -> bool:
            one = rounds.get(item.turn)
            if one is None or (item.env and item.env not in one.envs):
                return False
            return one.says(item) or (self._words and item.source in _MEDIA)

        return tuple(item for item in recalled if not said(item))

    def messages(self) -> list[Message]:
        """The rounds as a conversation: the user's message, the assistant's, and one for each of its calls."""
        found: list[Message] = []
        for number, one in enumerate(self._kept):
            shown = one.parts or ("(nothing was seen)",)
            if number == 0 and self._cut and not self._result:
                turns = "turn 1 is" if self._cut == 1 else f"turns 1 to {self._cut} are"
                shown = join_words((f"({turns.capitalize()} left out here.)", *shown))
            found += [Message("user", shown), one.answer.said]
            results = one.results or ["its outcome is not known"] * len(one.answer.said.calls)
            found += [Message("tool", (result,)) for result in results if one.answer.said.calls]
        return found

    def _record_results(self, feedback: Sequence[Feedback]) -> tuple[Feedback, ...]:
        last = self._kept[-1] if self._kept else None
        if last is None or last.results is not None or not last.answer.said.calls:
            return tuple(feedback)
        if self._result:
            last.results = [self._result] * len(last.answer.said.calls)
            return ()
        rest = list(feedback)
        last.results = []
        moves = iter(last.answer.moves)
        notes = iter(last.answer.notes)
        for name, _ in last.answer.said.calls:
            if name == REMEMBER.name and (note := next(notes, None)) is not None:
                last.results.append(f"remembered: {one_line(note_words(note))}")
                continue
            if (move := next(moves, None)) is None:
                break
            told = next((told for told in rest if told.move == move), None)
            if told is not None:
                rest.remove(told)
            last.results.append("its outcome is not known" if told is None else outcome_words(told.outcome))
        return tuple(rest)

    def _trim(self) -> None:
        if self._most is not None:
            self._drop(len(self._kept) - self._most)
            return
        tokens = [one.tokens for one in self._kept]
        if sum(tokens) > self._tokens:
            left, number = sum(tokens), 0
            while number < len(tokens) - 1 and left > KEPT * self._tokens:
                left -= tokens[number]
                number += 1
            self._drop(number)

    def _drop(self, number: int) -> None:
        """Forget the oldest rounds."""
        if number > 0:
            self._cut = self._kept[number - 1].turn + 1
            del self._kept[:number]
