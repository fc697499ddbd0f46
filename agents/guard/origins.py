"""Where the words that a move enters were met before: on a screen, in what was heard, on another device."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import get_args

from omnipilot.agents.guard.policy import NOTHING, UNKNOWN, KnownSide
from omnipilot.agents.guard.words import readings, squeeze
from omnipilot.envs import Context, Elements, Observation
from omnipilot.memory import Origin
from omnipilot.memory.base import WordsSource

ELSEWHERE = "elsewhere"
ORIGINS = (*get_args(WordsSource), ELSEWHERE)
"""What a rule may say of where words come from; `elsewhere` is another device than the one where they are entered."""
SHORTEST = 4
"""Letters and digits of a value that is looked for in what is typed: shorter ones stand in it by chance."""
_LONG_WORD = 6
"""Letters and digits of a word that is followed by itself, out of its line."""
_MOST = 1_000_000
"""Letters and digits of a device that are kept, the newest."""


class ShownWords:
    """What devices have shown in an episode, line by line and word by word, anchors or not."""

    def __init__(self) -> None:
        self._lines: dict[str, dict[str, None]] = {}
        self._sizes: dict[str, int] = {}
        self._last: dict[str, object] = {}

    def look(self, seen: Observation) -> None:
        """Take in what an observation shows in words."""
        texts: list[str] = []
        if isinstance(seen.elements, Elements) and seen.elements is not self._last.get(seen.env):
            self._last[seen.env] = seen.elements
            texts += [text for one in seen.elements for text in (one.name, one.value)]
        if isinstance(seen.context, Context) and seen.context.clipboard:
            texts.append(seen.context.clipboard)
        lines = self._lines.setdefault(seen.env, {})
        for text in dict.fromkeys(filter(None, texts)):
            for letters in (squeeze(text), *map(squeeze, text.split())):
                self._keep(lines, seen.env, letters)

    def fork(self) -> ShownWords:
        """Another one that knows the same so far."""
        other = ShownWords()
        other._lines = {env: dict(lines) for env, lines in self._lines.items()}
        other._sizes, other._last = dict(self._sizes), dict(self._last)
        return other

    def envs_of(self, texts: Sequence[str]) -> Iterator[str]:
        """The devices that showed what is typed, the beginning of it, or a part that tells.

        Args:
            texts: all that is or may be typed.
        """
        forms = [form for form in dict.fromkeys(map(squeeze, texts)) if form]
        for env, lines in self._lines.items():
            if any(_is_from(form, line) for line in lines for form in forms):
                yield env

    def _keep(self, lines: dict[str, None], env: str, letters: str) -> None:
        if len(letters) < SHORTEST or letters in lines:
            return
        lines[letters] = None
        self._sizes[env] = self._sizes.get(env, 0) + len(letters)
        while self._sizes[env] > _MOST:
            oldest = next(iter(lines))
            del lines[oldest]
            self._sizes[env] -= len(oldest)


def origins_of(
    typed: KnownSide, env: str, known: Iterable[Origin] | None, shown: ShownWords | None = None
) -> KnownSide:
    """Where what is typed comes from, as far as it holds a value that the agent's memory knows, or begins one, or words
    that a device showed.

    Args:
        known: each value that was met, with where; None where nobody keeps that.
        shown: what devices have shown besides.
    """
    if typed == NOTHING:
        return NOTHING
    if known is None:
        return UNKNOWN
    every = (*typed.values, *typed.perhaps)
    texts = [letters for text in every for letters in _letters(text) if letters]
    found: dict[str, None] = {}
    for one in known:
        values = [value for value in _letters(one.value) if len(value) >= SHORTEST]
        if any(value in text or value.startswith(text) for value in values for text in texts):
            found[one.source] = None
            if one.env not in ("", env):
                found[ELSEWHERE] = None
    for other in shown.envs_of(every) if shown is not None else ():
        found["screen"] = None
        if other != env:
            found[ELSEWHERE] = None
    return KnownSide(tuple(found), typed.whole)


def _is_from(typed: str, line: str) -> bool:
    """Whether what is typed begins a line or a word that was shown, is a part of it, or holds it."""
    if len(typed) < SHORTEST:
        return line.startswith(typed)
    return typed in line or (len(line) >= _LONG_WORD and line in typed)


@lru_cache(maxsize=4_096)
def _letters(text: str) -> frozenset[str]:
    """The letters and digits of all that a person may read a text as, without what separates them."""
    return frozenset("".join(filter(str.isalnum, one)) for one in readings(text))
