"""Coordinates as models write them. Strict: broken coordinates are rejected."""

from __future__ import annotations

import math
import re
from typing import Any

# Every quantifier is possessive or bounded: matching is linear in the text, whatever the text. None of a group is
# possessive: Python before 3.11.5 loses matches there (cpython issue 106052).
NUMBER = r"[-+]?(?:\d++\.\d*+|\d++|\.\d++)"
_GAP = r"(?:\s*+[,，;]\s*+|\s++|\s*+[)\]）］]\s*+[,，]?+\s*+[(\[（［]\s*+)"
_VALUE = re.compile(
    rf"([\s(\[（［]*+)({NUMBER}){_GAP}({NUMBER})(?:{_GAP}({NUMBER}){_GAP}({NUMBER}))?([\s)\]）］]*+)", re.ASCII
)
_ONE = re.compile(rf"\s*+({NUMBER})\s*+", re.ASCII)
_TAG = re.compile(r"<[^<>]{0,64}>")
_RUN = re.compile(r"</?point>\s{0,20}+<point>", re.ASCII)
LONGEST = 400
"""Characters of a written coordinate."""


_TWO = re.compile(
    r"[\d.]\s{0,20}+[)\]）］]\s{0,20}+[,，]?\s{0,20}+[(\[（［]|</?point>\s{0,20}+[,，]?\s{0,20}+<point>", re.ASCII
)


def two_places(value: Any) -> bool:
    """Whether a value is written as two pairs of numbers: `(1,2),(3,4)`, `[[1,2],[3,4]]`, two `<point>`s."""
    if isinstance(value, str):
        return len(value) <= LONGEST and _TWO.search(value) is not None
    return isinstance(value, list | tuple) and len(value) == 2 and all(isinstance(item, list | tuple) for item in value)


def points_run_on(text: str) -> bool:
    """Whether one `<point>` follows another with no comma between: the released parsers of UI-TARS read neither."""
    return len(text) <= LONGEST and _RUN.search(text) is not None


def parse_coordinates(text: str) -> tuple[float, ...] | None:
    """Two numbers (a place) or four (two corners) if `text` has nothing else, ignoring tags, brackets and quotes.

    `(1.1)`, `[]`, the empty string, three numbers, or an opening bracket without a closing one are None. A number of
    too many digits is infinite.
    """
    if len(text) > LONGEST:
        return None
    match = _VALUE.fullmatch(_TAG.sub(" ", text).strip().strip("'\""))
    if match is None or (match[1].strip() and not match[6].strip()):
        return None
    return tuple(float(number) for number in match.groups()[1:5] if number is not None)


def coordinates(value: Any) -> tuple[float, ...] | None:
    """Two numbers (a place) or four (two corners) if a value has nothing else; else None.

    Args:
        value: text such as `(1,2)`, `[[1,2,3,4]]`, `<point>1 2</point>`, `(1,2),(3,4)`; a list, or a list of lists, of
            numbers; or a mapping with x and y. `(1.1)`, `[]`, "", three numbers, or an opening bracket without a
            closing one are None.
    """
    if isinstance(value, str):
        return _finite(parse_coordinates(value))
    if isinstance(value, dict):
        return coordinates([value["x"], value["y"]]) if value.keys() == {"x", "y"} else None
    if not isinstance(value, list | tuple):
        return None
    if value and all(isinstance(item, list | tuple) for item in value):
        return coordinates([part for item in value for part in item]) if len(value) <= 2 else None
    found = [number(item) for item in value]
    if len(found) not in (2, 4) or None in found:
        return None
    return tuple(item for item in found if item is not None)


def number(value: Any) -> float | None:
    """A finite number or fully numeric text; else None."""
    if isinstance(value, str) and len(value) <= LONGEST and (match := _ONE.fullmatch(value)):
        value = float(match[1])
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def _finite(found: tuple[float, ...] | None) -> tuple[float, ...] | None:
    return found if found is not None and all(map(math.isfinite, found)) else None
