"""Fields of an OmniGUI action, under the many names that models give them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

Pair: TypeAlias = tuple[int, int]
"""x and y in thousandths of the screen's sides, as the reply gives them."""

PLACE = ("coordinate", "coordinates", "position", "point", "xy", "pos", "location", "touch_point", "click_point")
START = (
    "start_coordinate",
    "startCoordinate",
    "start",
    "from",
    "from_coordinate",
    "touch",
    "touch_point",
    "coordinate",
    "coordinates",
    "position",
    "point",
)
END = (
    "end_coordinate",
    "endCoordinate",
    "end",
    "to",
    "to_coordinate",
    "lift",
    "lift_point",
    "coordinate2",
    "target",
)
TEXT = ("text", "input_text", "inputText", "content", "value", "string", "message")
_X, _Y = ("x", "X", "pos_x", "posX"), ("y", "Y", "pos_y", "posY")
_BETWEEN = re.compile(r"[,\s]+")


def place(fields: Mapping[str, Any], names: Iterable[str]) -> Pair | None:
    """The first readable place under `names`: [x, y], {"x", "y"} or "x, y"; then separate x and y; truncated."""
    for name in names:
        if name in fields and (pair := _pair(fields[name])) is not None:
            return pair
    x = next((n for name in _X if name in fields and (n := whole(fields[name])) is not None), None)
    y = next((n for name in _Y if name in fields and (n := whole(fields[name])) is not None), None)
    return None if x is None or y is None else (x, y)


def pair(x: Any, y: Any) -> Pair | None:
    """Two numbers or numeric texts, truncated; None if either is not numeric."""
    across, down = whole(x), whole(y)
    return None if across is None or down is None else (across, down)


def whole(value: Any) -> int | None:
    """A number or numeric text, truncated to an integer."""
    try:
        return int(float(value))
    except (ValueError, TypeError, OverflowError):
        return None


def text(fields: Mapping[str, Any], names: Iterable[str] = TEXT) -> str | None:
    """The first field in `names` that exists and is not null, as text."""
    return next((str(fields[name]) for name in names if fields.get(name) is not None), None)


def _pair(value: Any) -> Pair | None:
    if isinstance(value, Mapping):
        return pair(value["x"], value["y"]) if "x" in value and "y" in value else None
    if isinstance(value, str):
        value = _BETWEEN.split(value.strip())
    return pair(value[0], value[1]) if isinstance(value, list) and len(value) >= 2 else None
