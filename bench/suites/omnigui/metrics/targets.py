"""The touch target of an OmniGUI step: a point, a rectangle, or a list of rectangles, in pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from omnipilot.bench.suites.omnigui.metrics.fields import Pair
from omnipilot.envs.schema import parse_json

Rectangle: TypeAlias = tuple[float, float, float, float]
"""Two opposite corners, x and y each, in either order, in pixels."""
REACH = 140.0
"""How far from a point, in thousandths of the sides, still is a match: 14 % of the screen."""


@dataclass(frozen=True, slots=True)
class TargetField:
    """One parsed target field.

    Attributes:
        point: in pixels, where the field is a point. rectangles: otherwise.
        listed: the field is a list of rectangles, even of one; the release stumbles over such.
    """

    point: tuple[float, float] | None = None
    rectangles: tuple[Rectangle, ...] = ()
    listed: bool = False

    def matches(self, place: Pair, size: tuple[int, int], first_only: bool = False) -> bool:
        """Whether a place in thousandths is in a rectangle, edges included, or close enough to the point.

        Args:
            size: of the step's screenshot in pixels, by which the target is brought to thousandths, truncated.
            first_only: only the first rectangle counts.
        """
        if self.point is not None:
            x, y = _thousandths(self.point, size)
            return math.hypot(place[0] - x, place[1] - y) <= REACH
        return any(_inside(place, box, size) for box in (self.rectangles[:1] if first_only else self.rectangles))


def target(field: Any, swapped: bool = False) -> TargetField | None:
    """Parse a field such as `result_touch_xy`, as data or JSON text; None if empty or in an unknown form.

    Args:
        swapped: the legacy fields `…_yx`, which name y first.
    """
    if isinstance(field, str):
        try:
            field = parse_json(field)
        except ValueError:
            return None
    if not isinstance(field, list) or not field:
        return None
    if not isinstance(field[0], list):
        x, y = field if len(field) == 2 else (None, None)
        if not isinstance(x, int | float) or not isinstance(y, int | float):
            return None
        return TargetField(point=(y, x) if swapped else (x, y))
    if field[0] and isinstance(field[0][0], list):
        boxes = [_rectangle(corners, swapped) for corners in field]
        kept = tuple(box for box in boxes if box is not None)
        return TargetField(rectangles=kept, listed=True) if kept else None
    box = _rectangle(field, swapped)
    return None if box is None else TargetField(rectangles=(box,))


def _rectangle(corners: Any, swapped: bool) -> Rectangle | None:
    if not isinstance(corners, list) or len(corners) < 2:
        return None
    flat = [n for corner in corners[:2] if isinstance(corner, list) and len(corner) == 2 for n in corner]
    if len(flat) != 4 or not all(isinstance(n, int | float) for n in flat):
        return None
    a, b, c, d = flat
    return (b, a, d, c) if swapped else (a, b, c, d)


def _thousandths(place: Sequence[float], size: tuple[int, int]) -> Pair:
    # In this order, as released: 1 / 3 * 1000 and 1000 / 3 may round to different sides.
    return int(place[0] / size[0] * 1000), int(place[1] / size[1] * 1000)


def _inside(place: Pair, box: Rectangle, size: tuple[int, int]) -> bool:
    (x1, y1), (x2, y2) = _thousandths(box[:2], size), _thousandths(box[2:], size)
    return min(x1, x2) <= place[0] <= max(x1, x2) and min(y1, y2) <= place[1] <= max(y1, y2)
