"""Short forms of heads and labels, each with what it stands for."""

from __future__ import annotations

import re
from collections.abc import Sequence

KEPT = 7
"""Words of up to so many letters are not cut."""


def abbreviate(names: Sequence[str]) -> list[str]:
    """A short form of each name, none of them twice; a name that is short already is its own.

    Several words become their first letters ("long-range planning": LRP), a long word its first four letters
    ("Windows": Wind.). Where two would be alike, letters are added.
    """
    short: dict[str, str] = {}
    for name in dict.fromkeys(names):
        short[name] = next((one for one in _tries(name) if one not in short.values()), name)
    return [short[name] for name in names]


def _tries(name: str) -> list[str]:
    words = re.findall(r"[^\W_]+", name)
    if len(name) <= KEPT or not words:
        return [name]
    if len(words) == 1:
        return [f"{name[:count]}." for count in range(4, len(name) - 1)]
    capitals = "".join(word if word.isdigit() else word[0].upper() for word in words)
    return [capitals, *(f"{words[0][:count]}. {words[-1]}" for count in (3, 4, 5)), name]


def legend(names: Sequence[str], short: Sequence[str]) -> str:
    """What the short forms stand for, such as "LRP: long-range planning, Wind.: Windows"; "" if nothing is short."""
    pairs = dict(zip(short, names, strict=True))
    return ", ".join(f"{one}: {name}" for one, name in pairs.items() if one != name)
