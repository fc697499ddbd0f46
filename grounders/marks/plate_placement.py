"""Placing number plates: near their outline, without covering content or each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

Rect = tuple[int, int, int, int]
"""Left, top, right, bottom in whole pixels."""

_STEP = 12
"""Minimum brightness difference between neighbouring pixels that counts as content, of 255."""
_INK, _PLATE, _BOX, _OWN = 8.0, 6.0, 1.0, 1.5
"""Costs of covering, per share of the plate: content, another plate, another mark's box, all of the mark's own box."""


class Ink:
    """The pixels of a screenshot that have content.

    Args:
        pixels: shape (height, width, 3).
        coarse: step between the rows and columns that are checked.
    """

    def __init__(self, pixels: NDArray[np.uint8], coarse: int = 1) -> None:
        self.height, self.width, _ = pixels.shape
        self._coarse = coarse
        self._table = _sums(pixels[::coarse, ::coarse])

    def amount(self, rect: Rect) -> float:
        """Number of pixels with content in a rectangle."""
        left, top, right, bottom = (max(0, edge) // self._coarse for edge in rect)
        right, bottom = min(right, self._table.shape[1] - 1), min(bottom, self._table.shape[0] - 1)
        if right <= left or bottom <= top:
            return 0.0
        table = self._table
        count = table[bottom, right] - table[top, right] - table[bottom, left] + table[top, left]
        return float(count) * self._coarse**2


def outline_areas(ink: Ink, rects: Mapping[int, Rect], thick: int) -> dict[int, Rect]:
    """Rectangles of the outlines: each box, enlarged if the line would run over its text.

    No rectangle is enlarged into a neighbouring one.
    """
    found: dict[int, Rect] = {}
    for number, rect in rects.items():
        left, top, right, bottom = rect
        by = thick + 1
        outer = max(0, left - by), max(0, top - by), min(ink.width, right + by), min(ink.height, bottom + by)
        free = all(_common(rect, other) or not _common(outer, other) for other in rects.values())
        inside = ink.amount(rect) - ink.amount(_shrunk(rect, thick))
        outside = ink.amount(outer) - ink.amount(_shrunk(outer, thick))
        found[number] = outer if free and inside > 1.2 * outside + thick else rect
    return found


def place_plates(
    ink: Ink, rects: Mapping[int, Rect], plates: Mapping[int, tuple[int, int]], thick: int
) -> dict[int, Rect]:
    """Choose a place for each plate.

    Args:
        rects: outlines, by number. plates: width and height of each plate. thick: line width of the outlines.
    """
    taken: list[Rect] = []
    boxes = np.array(list(rects.values()), dtype=float).reshape(-1, 4)
    found: dict[int, Rect] = {}
    for number in sorted(rects, key=lambda one: (_area(rects[one]), one)):
        rect = rects[number]
        best: tuple[float, Rect] | None = None
        for rank, spot in enumerate(_spots(rect, plates[number], thick)):
            moved = _inside(spot, ink.width, ink.height)
            own = _common(moved, rect)
            cost = 0.04 * rank + _share(moved, spot)
            cost += _INK * ink.amount(_shrunk(moved, thick)) / _area(moved)
            cost += _PLATE * _covered(moved, np.array(taken, dtype=float).reshape(-1, 4))
            cost += _BOX * (_covered(moved, boxes) - own / _area(moved)) + _OWN * own / _area(rect)
            if best is None or cost < best[0]:
                best = cost, moved
        assert best is not None
        found[number] = best[1]
        taken.append(best[1])
    return found


def _spots(rect: Rect, plate: tuple[int, int], thick: int) -> Iterator[Rect]:
    """Candidate places for a plate, best first: over the corners, beside, above and below, in the corners."""
    left, top, right, bottom = rect
    wide, high = plate
    middle = (top + bottom - high) // 2
    spots = [
        (left, top),
        (right - wide, top),
        (left, bottom - high),
        (right - wide, bottom - high),
        (left - wide + thick, middle),
        (right - thick, middle),
        (left, top - high + thick),
        (right - wide, top - high + thick),
        (left, bottom - thick),
        (right - wide, bottom - thick),
        (left - wide // 2, top - high // 2),
        (right - wide // 2, top - high // 2),
        (left - wide + thick, top - high + thick),
        (right - thick, top - high + thick),
        (right - wide, middle),
        ((left + right - wide) // 2, bottom - thick),
        ((left + right - wide) // 2, top - high + thick),
    ]
    for x, y in spots:
        yield x, y, x + wide, y + high


def _inside(spot: Rect, width: int, height: int) -> Rect:
    """The spot, moved onto the screen."""
    x = max(0, min(spot[0], width - (spot[2] - spot[0])))
    y = max(0, min(spot[1], height - (spot[3] - spot[1])))
    return x, y, x + spot[2] - spot[0], y + spot[3] - spot[1]


def _share(moved: Rect, spot: Rect) -> float:
    """How far a spot had to be moved, in plate heights."""
    return (abs(moved[0] - spot[0]) + abs(moved[1] - spot[1])) / max(1, spot[3] - spot[1])


def _sums(pixels: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Summed-area table of the pixels with content, shape (height + 1, width + 1)."""
    grey = pixels[:, :, 1].astype(np.int16)
    drawn = np.zeros(grey.shape, bool)
    across, down = np.abs(np.diff(grey, axis=1)) >= _STEP, np.abs(np.diff(grey, axis=0)) >= _STEP
    drawn[:, 1:] |= across
    drawn[1:] |= down
    table = np.zeros((grey.shape[0] + 1, grey.shape[1] + 1), np.int64)
    table[1:, 1:] = drawn.cumsum(axis=0, dtype=np.int32).cumsum(axis=1)
    return table


def _covered(rect: Rect, others: NDArray[np.float64]) -> float:
    """Share of a rectangle covered by others, counting overlaps twice."""
    if not len(others):
        return 0.0
    wide = np.minimum(rect[2], others[:, 2]) - np.maximum(rect[0], others[:, 0])
    high = np.minimum(rect[3], others[:, 3]) - np.maximum(rect[1], others[:, 1])
    return float((np.clip(wide, 0, None) * np.clip(high, 0, None)).sum()) / _area(rect)


def _shrunk(rect: Rect, by: int) -> Rect:
    return rect[0] + by, rect[1] + by, rect[2] - by, rect[3] - by


def _common(one: Rect, other: Rect) -> int:
    wide, high = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0


def _area(rect: Rect) -> int:
    return (rect[2] - rect[0]) * (rect[3] - rect[1])
