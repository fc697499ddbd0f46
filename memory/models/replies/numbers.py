"""Numbers in text: two for a place, four for a box. Strict: broken coordinates must never become a place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from typing import Any, TypeAlias

from omnipilot.memory.models.replies.coordinates import parse_coordinates, points_run_on, two_places

Numbers: TypeAlias = tuple[float, ...]
"""Two numbers (a place) or four (two opposite corners), in the model's own space and order."""


class Written(tuple[float, ...]):
    """Numbers, and what their writing says about them.

    Attributes:
        pairs: four numbers stand as two pairs, such as `(1,2), (3,4)`: corners of a box, or two places.
        box: they are called a box, or edges.
        named: they are called x and y, whatever the family's usual order.
    """

    pairs: bool
    box: bool
    named: bool

    def __new__(cls, numbers: Iterable[float], pairs: bool = False, box: bool = False, named: bool = False) -> Written:
        """The numbers, marked."""
        made = super().__new__(cls, numbers)
        made.pairs, made.box, made.named = pairs, box, named
        return made


class NumbersVerdict(Enum):
    """The result for an answer that is not numbers, when no other parser should be tried."""

    BROKEN = "a coordinate is announced and cannot be read"
    REFUSED = "the model says that the place is not there"


Read: TypeAlias = "Numbers | NumbersVerdict | None"
"""What a form found: numbers, a verdict, or nothing of its kind (the next form is tried)."""

# Every quantifier is possessive or bounded: a search is linear in the text, whatever the text.
N = r"-?(?:\d++\.\d++|\d++|\.\d++)"
_PAIR = re.compile(
    rf"[(\[]\s*+({N})\s*+,\s*+({N})(?:\s*+,\s*+({N})\s*+,\s*+({N}))?\s*+[)\]]"
    rf"(?:(?<=\])\s*+,\s*+\[\s*+({N})\s*+,\s*+({N})\s*+\])?",
    re.ASCII,
)
_CORNERS = re.compile(
    rf"\(\s*+({N})\s*+,\s*+({N})\s*+\)\s*+,\s*+\(\s*+({N})\s*+,\s*+({N})\s*+\)",
    re.ASCII,
)


def value(text: str) -> Numbers | None:
    """Two or four numbers if `text` has nothing else; see `omnipilot.memory.models.replies.coordinates`.

    None for two points one after the other, of which nobody said which counts.
    """
    found = parse_coordinates(text)
    if found is None or len(found) != 4 or not two_places(text):
        return found
    return None if points_run_on(text) else Written(found, pairs=True)


def pair(text: str) -> Numbers | None:
    """The first `(x, y)`, `[x, y]`, `[x1, y1, x2, y2]` or `[x1, y1], [x2, y2]` in a text."""
    match = _PAIR.search(text)
    if match is None:
        return None
    found = _floats(match)[:4]
    return Written(found, pairs=True) if match[5] is not None and match[3] is None else found


def corners(text: str) -> Numbers | None:
    """The first `(x1,y1),(x2,y2)` in a text."""
    match = _CORNERS.search(text)
    return Written(_floats(match), pairs=True) if match else None


def _floats(match: re.Match[str]) -> Numbers:
    return tuple(float(number) for number in match.groups() if number is not None)


def of(data: Any) -> Numbers | None:
    """Two or four numbers from a decoded value: a list, nested lists, `{"x": …, "y": …}`, or text; else None."""
    if isinstance(data, str):
        return value(data)
    if isinstance(data, dict):
        return _of_dict(data)
    if not isinstance(data, list | tuple):
        return None
    if data and all(isinstance(item, list | tuple) for item in data):
        found = of([number for item in data[:2] for number in item]) if len(data) <= 2 else None
        return Written(found, pairs=True) if found is not None and len(data) == 2 else found
    if data and all(isinstance(item, dict) for item in data):
        return of(data[0])
    numbers = [_number(item) for item in data]
    if len(numbers) not in (2, 4) or None in numbers:
        return None
    return tuple(number for number in numbers if number is not None)


def _of_dict(data: dict[Any, Any]) -> Numbers | None:
    for keys in _NAMES:
        if all(key in data for key in keys):
            found = of([data[key] for key in keys])
            return None if found is None else Written(found, box=len(keys) == 4, named=True)
    return None


_NAMES = (
    ("x", "y"),
    ("x_min", "y_min", "x_max", "y_max"),
    ("xmin", "ymin", "xmax", "ymax"),
    ("x1", "y1", "x2", "y2"),
    ("left", "top", "right", "bottom"),
)
"""Names of numbers, across first; they win over the order in which they stand, and over the family's."""


def _number(item: Any) -> float | None:
    if isinstance(item, str):
        match = re.fullmatch(rf"\s*+({N})\s*+", item[:40], re.ASCII)
        return float(match[1]) if match and len(item) <= 40 else None
    return float(item) if isinstance(item, int | float) and not isinstance(item, bool) else None
