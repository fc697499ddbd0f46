"""Which parts of a screen may be an icon or have a colour of their own: what is left when text is taken out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs import Box, Element, Size

SMALLEST = 8
"""Pixels of a side below which a region is dropped."""
LARGEST = 0.25
"""Share of the screen above which a region is dropped."""
SAME_AS_TEXT, COVERED = 0.5, 0.8
"""A region is text whose intersection over union with a line is this, or of whose area lines cover this share."""
SAME = 0.7
"""Intersection over union of two regions of which the later one is dropped."""


_LETTERS = 2
"""Characters of a line that may be an icon."""
_BEYOND, _SQUARE = 0.35, 2.0
"""How far inside the end of its line an icon may begin, and its greatest width, in heights of the line."""


def choose_regions(found: Sequence[Element], lines: Sequence[Element], size: Size) -> list[Element]:
    """The regions of a usable size that are not text, each place once, in the given order.

    Args:
        found: regions, the more trusted first. lines: of text.
        size: of the screen in pixels.
    """
    sized = [one for one in found if _is_usable(one.box, size)]
    boxes, texts = _edges([one.box for one in sized]), _edges([one.box for one in lines])
    common, areas = intersections(boxes, texts), _area(boxes)
    alike = common / np.maximum(areas[:, None] + _area(texts)[None] - common, 1e-12)
    is_text = (alike >= SAME_AS_TEXT).any(axis=1) | (common.sum(axis=1) >= COVERED * areas)
    left = np.flatnonzero(~is_text)
    return [sized[left[at]] for at in distinct(boxes[left])]


def add_icons_in_text(
    regions: Sequence[Element], found: Sequence[Element], lines: Sequence[Element], size: Size
) -> list[Element]:
    """The regions, and whatever else may be an icon although it is in the box of a line: OCR takes an icon before a
    label for its first letter, or reads one that stands alone.

    Args:
        found: groups of strokes, letters among them.
    """
    added = [one for one in found if _is_usable(one.box, size) and _may_stand_in_text(one.box, lines, size)]
    every = [*regions, *added]
    return [every[at] for at in distinct(_edges([one.box for one in every]))]


def _may_stand_in_text(box: Box, lines: Sequence[Element], size: Size) -> bool:
    """Whether no line is there, or it is a square at an end of one, or the line is no more than a letter or two."""
    for line in lines:
        if not line.box.contains(box.center):
            continue
        if len(line.name) <= _LETTERS:
            return True
        reach = _BEYOND * (line.box.bottom - line.box.top) * size.height / size.width
        ends = box.left <= line.box.left + reach or box.right >= line.box.right - reach
        wide = (box.right - box.left) * size.width / ((line.box.bottom - line.box.top) * size.height)
        return ends and wide <= _SQUARE
    return True


def distinct(boxes: NDArray[np.float64]) -> list[int]:
    """Non-maximum suppression: which boxes are not the same as an earlier one that is kept."""
    common, areas = intersections(boxes, boxes), _area(boxes)
    alike = common / np.maximum(areas[:, None] + areas[None] - common, 1e-12)
    kept: list[int] = []
    for at in range(len(boxes)):
        if not kept or alike[at, kept].max() < SAME:
            kept.append(at)
    return kept


def intersections(ones: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Areas of the intersections of boxes of shape (n, 4) and (m, 4), as (n, m)."""
    low = np.maximum(ones[:, None, :2], others[None, :, :2])
    high = np.minimum(ones[:, None, 2:], others[None, :, 2:])
    return np.asarray(np.clip(high - low, 0, None).prod(axis=2))


def _is_usable(box: Box, size: Size) -> bool:
    wide, high = (box.right - box.left) * size.width, (box.bottom - box.top) * size.height
    return min(wide, high) >= SMALLEST and box.area <= LARGEST


def _edges(boxes: Sequence[Box]) -> NDArray[np.float64]:
    return np.array([(box.left, box.top, box.right, box.bottom) for box in boxes], float).reshape(-1, 4)


def _area(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]))
