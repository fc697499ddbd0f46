"""Moments that a task names to say when something was: "before Anna called", "after the alarm", "until it rang"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from omnipilot.memory.episodic.events import EventKind, TimelineEvent

Side: TypeAlias = Literal["before", "after", "during"]

HALF_LIFE = 8
"""Turns from a moment after which being near it is worth half."""
HELD = 0.6
"""Share of a moment's words that an event must hold to be that moment: a name of two words, without its verb."""
MOST_NAMED, MOST_WORDS = 2, 5
"""Moments that are looked for in one task, and words of each."""
TIED = 6
"""Events that hold equally many of the words, of which one is the moment."""
_SIDES: dict[str, Side] = {
    "before": "before",
    "until": "before",
    "after": "after",
    "since": "after",
    "during": "during",
    "while": "during",
}
_NAMED = re.compile(rf"\b({'|'.join(_SIDES)})\b\s+([^\"“”.,;:!?()]+)", re.IGNORECASE)
_ENDS = re.compile(rf"\b(?:as|and|or|then|to|that|which|who|with|so|but|{'|'.join(_SIDES)})\b", re.IGNORECASE)
_HEARD = frozenset(
    "call calls called caller ring rings rang ringing phoned alarm beep beeped chime chimed bell knock tone melody "
    "said announced announcement".split()
)
_SOUNDS: frozenset[EventKind] = frozenset({"sound", "transcript"})


@dataclass(frozen=True, slots=True)
class NamedMoment:
    """A moment as a task names it.

    Attributes:
        side: where what is asked for lies. words: that say what happened then. heard: whether it was something that is
            heard.
    """

    side: Side
    words: tuple[str, ...]
    heard: bool


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment that was found.

    Attributes:
        events: what it consists of, in order.
    """

    named: NamedMoment
    events: tuple[TimelineEvent, ...]

    @property
    def turns(self) -> tuple[int, int]:
        """The first and the last turn that may matter for it."""
        turn, reach = self.events[0].turn, HALF_LIFE
        before, after = self.named.side != "after", self.named.side != "before"
        return turn - reach * before, turn + reach * after

    def nearness(self, event: TimelineEvent) -> float:
        """How near an event is on the side that is asked for, 0..1; 1 for the moment itself."""
        if any(event.id == one.id for one in self.events):
            return 1.0
        first, last = self.events[0], self.events[-1]
        start, end = min(one.start for one in self.events), max(one.end for one in self.events)
        apart = first.turn - event.turn if event.id < first.id else event.turn - last.turn
        wrong = {"before": event.start > start, "after": event.end < end, "during": False}
        if wrong[self.named.side]:
            return 0.0
        return float(0.5 ** (max(0, apart) / HALF_LIFE))

    def told(self, event: TimelineEvent) -> str:
        """Why it speaks for an event that is near, in words."""
        words = " ".join(self.named.words)
        within = any(event.id == one.id for one in self.events)
        return f'is when "{words}" was' if within else f'was {self.named.side} "{words}"'


def named_moments(query: str, content_words: Callable[[str], tuple[str, ...]]) -> Iterator[NamedMoment]:
    """The moments that a task names, in order, as far as simple English tells."""
    for match in _NAMED.finditer(query):
        clause = match[2][: end.start()] if (end := _ENDS.search(match[2])) else match[2]
        words = content_words(clause)[:MOST_WORDS]
        if words:
            yield NamedMoment(_SIDES[match[1].casefold()], words, not _HEARD.isdisjoint(words))


def find_moment(
    named: NamedMoment,
    hits: Sequence[tuple[TimelineEvent, frozenset[str]]],
    of_turn: Callable[[int], Sequence[TimelineEvent]],
) -> Moment | None:
    """The moment that a task means, of events with the words that they hold, best first; None if none says enough.

    Something that is heard is where a sound was too: a name stands in many lists, and rings when its owner calls.

    Args:
        of_turn: the events of a turn that may be recalled.
    """
    most = max((len(held) for _, held in hits), default=0)
    if most < HELD * len(named.words):
        return None
    tied = [event for event, held in hits if len(held) == most][:TIED]
    if not named.heard:
        return Moment(named, (tied[0],))
    for event in tied:
        sounds = [one for one in of_turn(event.turn) if one.kind in _SOUNDS and one.env == event.env]
        if sounds:
            together = {one.id: one for one in (event, *sounds)}
            return Moment(named, tuple(together[id] for id in sorted(together)))
    return Moment(named, (tied[0],))
