"""Coordinates as native models write them. Strict: a broken coordinate is no place."""

from __future__ import annotations

import math
import re
from typing import Any

from omnipilot.memory.models.replies.coordinates import LONGEST, NUMBER, written

_ONE = re.compile(rf"\s*+({NUMBER})\s*+", re.ASCII)


def coordinates(value: Any) -> tuple[float, ...] | None:
    """Two numbers (a place) or four (two corners) that are all there is in a value; else None.

    Args:
        value: text such as `(1,2)`, `[[1,2,3,4]]`, `<point>1 2</point>`, `(1,2),(3,4)`; a list, or a list of lists, of
            numbers; or a mapping with x and y. `(1.1)`, `[]`, "", three numbers, or an opening bracket without a
            closing one are None.
    """
    if isinstance(value, str):
        return _finite(written(value))
    if isinstance(value, dict):
        return coordinates([value["x"], value["y"]]) if value.keys() == {"x", "y"} else None
    if not isinstance(value, list | tuple):
        return None
    if value and all(isinstance(item, list | tuple) for item in value):
        return coordinates([number for item in value for number in item]) if len(value) <= 2 else None
    found = [number(item) for item in value]
    if len(found) not in (2, 4) or None in found:
        return None
    return tuple(item for item in found if item is not None)


def number(value: Any) -> float | None:
    """A finite number, or text that is one and nothing else; else None."""
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
