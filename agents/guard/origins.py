"""Where the words that a move enters were met before: on a screen, in a mail, in what was heard, on another device."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from omnipilot.agents.guard.origin_patterns import DEVICE, ELSEWHERE, JOINT, MEMORY, TURN
from omnipilot.agents.guard.policy import NOTHING, KnownSide
from omnipilot.agents.guard.words import plain, readings, squeeze
from omnipilot.envs import Context, Elements, Observation
from omnipilot.envs.types import WordsOrigin, origin_of, read_origin
from omnipilot.memory import Origin

SHORTEST = 4
"""Letters and digits of a value that is looked for in what is typed: shorter ones stand in it by chance."""
_LONG_WORD = 6
"""Letters and digits of a word that is followed by itself, out of its line."""
_MOST = 1_000_000
"""Letters and digits of a device that are kept, the newest."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where words were met: their origin, the device, and whether they were heard there."""

    origin: WordsOrigin
    env: str
    heard: bool = False


class ShownWords:
    """What devices have shown in an episode, line by line and word by word, anchors or not, and what the user said.

    Each line is kept with its origins and the turn in which each last came up.
    """

    def __init__(self) -> None:
        self._lines: dict[str, dict[str, dict[_Place, int | None]]] = {}
        self._sizes: dict[str, int] = {}
        self._last: dict[str, object] = {}
        self._current: dict[str, set[tuple[str, _Place]]] = {}
        self._taken: set[Origin] = set()
        self._user: list[str] = []
        self.turn: int | None = None

    def hear_user(self, text: str) -> None:
        """Take in what the user says: the instruction, and answers."""
        self._user.append(plain(text))

    def look(self, seen: Observation, perceived: bool = False) -> None:
        """Take in an observation's words.

        Args:
            perceived: whether its elements were read from the picture, beside what the device tells.
        """
        if isinstance(seen.elements, Elements) and seen.elements is not self._last.get(seen.env):
            self._last[seen.env] = seen.elements
            if not perceived:
                self._current[seen.env] = set()
            for one in seen.elements:
                place = _Place(origin_of(one, seen.context), seen.env)
                for text in filter(None, (one.name, one.value)):
                    self._take(text, place, self.turn, current=True)
        if isinstance(seen.context, Context) and seen.context.clipboard:
            place = _Place(read_origin("clipboard", seen.context.app), seen.env)
            self._take(seen.context.clipboard, place, self.turn, current=True)

    def take(self, origin: Origin) -> None:
        """Take in a stretch of words that a memory keeps."""
        if origin not in self._taken:
            self._taken.add(origin)
            self._take(origin.value, _place_of(origin), origin.turn, current=False)

    def fork(self) -> ShownWords:
        """Another one that knows the same so far."""
        other = ShownWords()
        other._lines = {
            env: {letters: dict(places) for letters, places in lines.items()} for env, lines in self._lines.items()
        }
        other._sizes, other._last = dict(self._sizes), dict(self._last)
        other._current = {env: set(current) for env, current in self._current.items()}
        other._taken, other._user, other.turn = set(self._taken), list(self._user), self.turn
        return other

    def places_of(self, texts: Sequence[str]) -> Iterator[tuple[_Place, int | None, bool]]:
        """Where what is typed was shown, the beginning of it, or a part that tells: each place with the turn, and
        whether it is there now.

        Args:
            texts: all that is or may be typed.
        """
        forms = [form for form in dict.fromkeys(map(squeeze, texts)) if form]
        for env, lines in self._lines.items():
            current = self._current.get(env, set())
            for line, places in lines.items():
                if any(_is_from(form, line) for form in forms):
                    for place, turn in places.items():
                        heard_now = place.heard and turn is not None and turn == self.turn
                        yield place, turn, heard_now or (line, place) in current

    def is_of_user(self, texts: Sequence[str]) -> bool:
        """Whether the user said all of each of these texts, in whole words and in no disguise."""
        forms = [re.compile(rf"(?<!\w){re.escape(form)}(?!\w)") for form in map(plain, texts) if form]
        return bool(forms) and all(any(form.search(said) for said in self._user) for form in forms)

    def _take(self, text: str, place: _Place, turn: int | None, current: bool) -> None:
        for letters in dict.fromkeys((squeeze(text), *map(squeeze, text.split()))):
            if len(letters) < SHORTEST:
                continue
            if current:
                self._current.setdefault(place.env, set()).add((letters, place))
            self._keep(letters, place, turn)

    def _keep(self, letters: str, place: _Place, turn: int | None) -> None:
        env = place.env
        lines = self._lines.setdefault(env, {})
        if (places := lines.get(letters)) is not None:
            places[place] = turn
            return
        lines[letters] = {place: turn}
        self._sizes[env] = self._sizes.get(env, 0) + len(letters)
        while self._sizes[env] > _MOST:
            oldest = next(iter(lines))
            del lines[oldest]
            self._sizes[env] -= len(oldest)


def origins_of(
    typed: KnownSide, env: str, known: Iterable[Origin] | None, shown: ShownWords | None = None
) -> KnownSide:
    """Where what is typed comes from, as far as it holds a value that the agent's memory knows, or begins one, or words
    that a device showed or the user said.

    Args:
        known: each value that was met, with where; None where nobody keeps that.
        shown: what devices have shown besides.

    Returns:
        Each origin as its labels, see `omnipilot.agents.guard.origin_patterns`.
    """
    if typed == NOTHING:
        return NOTHING
    shown = ShownWords() if shown is None else shown
    every = (*typed.values, *typed.perhaps)
    texts = [letters for text in every for letters in _letters(text) if letters]
    found: dict[_Place, tuple[int | None, bool]] = {}
    for one in known or ():
        if one.words:
            shown.take(one)
            continue
        values = [value for value in _letters(one.value) if len(value) >= SHORTEST]
        if any(value in text or value.startswith(text) for value in values for text in texts):
            _note(found, _place_of(one), one.turn, one.turn is None or one.turn == shown.turn)
    for place, turn, now in shown.places_of(every):
        _note(found, place, turn, now)
    values = [_labels(place, env, *when) for place, when in found.items()]
    if shown.is_of_user(typed.values):
        values.insert(0, "user")
    return KnownSide(tuple(dict.fromkeys(values)), typed.whole and known is not None)


def _note(found: dict[_Place, tuple[int | None, bool]], place: _Place, turn: int | None, now: bool) -> None:
    """Add where words were met; of several turns the latest counts."""
    before, current = found.get(place, (None, False))
    latest = turn if before is None else before if turn is None else max(before, turn)
    found[place] = latest, current or now


def _place_of(one: Origin) -> _Place:
    return _Place(WordsOrigin(one.source, one.who, one.app), one.env, one.heard or one.source == "speech")


def _labels(place: _Place, env: str, turn: int | None, now: bool) -> str:
    """An origin as a policy may name it."""
    origin, found = place.origin, [str(place.origin)]
    if place.heard and origin.kind != "speech":
        found.append("speech")
    if origin.app and origin.kind != "app":
        found.append(f"app:{origin.app}")
    if place.env:
        found.append(f"{DEVICE}:{place.env}")
    if turn is not None:
        found.append(f"{TURN}{turn}")
    if not now and origin.kind != "note":
        found.append(MEMORY)
    if place.env not in ("", env):
        found.append(ELSEWHERE)
    return JOINT.join(found)


def _is_from(typed: str, line: str) -> bool:
    """Whether what is typed begins a line or a word that was shown, is a part of it, or holds it."""
    if len(typed) < SHORTEST:
        return line.startswith(typed)
    return typed in line or (len(line) >= _LONG_WORD and line in typed)


@lru_cache(maxsize=4_096)
def _letters(text: str) -> frozenset[str]:
    """The letters and digits of all that a person may read a text as, without what separates them."""
    return frozenset("".join(filter(str.isalnum, one)) for one in readings(text))
