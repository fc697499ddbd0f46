"""Where the words that a move enters were met before: on a screen, in what was heard, on another device."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import get_args

from omnipilot.agents.guard.policy import NOTHING, UNKNOWN, KnownSide
from omnipilot.agents.guard.words import readings
from omnipilot.memory import Origin
from omnipilot.memory.base import WordsSource

ELSEWHERE = "elsewhere"
ORIGINS = (*get_args(WordsSource), ELSEWHERE)
"""What a rule may say of where words come from; `elsewhere` is another device than the one where they are entered."""
SHORTEST = 4
"""Letters and digits of a value that is looked for in what is typed: shorter ones stand in it by chance."""


def origins_of(typed: KnownSide, env: str, known: Iterable[Origin] | None) -> KnownSide:
    """Where what is typed comes from, as far as it holds a value that the agent's memory knows.

    Args:
        known: each value that was met, with where; None where nobody keeps that.
    """
    if typed == NOTHING:
        return NOTHING
    if known is None:
        return UNKNOWN
    texts = [letters for text in (*typed.values, *typed.perhaps) for letters in _letters(text)]
    found: dict[str, None] = {}
    for one in known:
        if any(len(value) >= SHORTEST and value in text for value in _letters(one.value) for text in texts):
            found[one.source] = None
            if one.env not in ("", env):
                found[ELSEWHERE] = None
    return KnownSide(tuple(found), typed.whole)


@lru_cache(maxsize=4_096)
def _letters(text: str) -> frozenset[str]:
    """The letters and digits of all that a person may read a text as, without what separates them."""
    return frozenset("".join(filter(str.isalnum, one)) for one in readings(text))
