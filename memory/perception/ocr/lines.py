"""From the rough boxes of a text detector to exact line rectangles, in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from omnipilot.memory.perception.ocr.engine import Area, Pixels

Rect = tuple[int, int, int, int]
"""Left, top, right, bottom in whole pixels."""

_REACH = 0.25
"""How far outside its rough box a line's letters are searched, in box heights."""
_CONTRAST = 0.3
"""Minimum contrast of a letter's pixel, as a share of the strongest contrast to the background."""
_LOWEST = 5
"""Minimum height of a line, in pixels."""
_TALLER = 1.8
"""Maximum height ratio of two fragments of one line: capitals and descenders against "saw"."""
_SPACE = 0.8
"""Maximum gap between two fragments of one line, in heights of the lower one."""


def lines(pixels: Pixels, areas: Iterable[Area]) -> list[Rect]:
    """The distinct lines in rough boxes, from top to bottom and left to right."""
    found = {rect for area in areas for rect in snap_lines(pixels, area)}
    return in_order(join_pieces([rect for rect in found if not any(_within(rect, other) for other in found)]))


def snap_lines(pixels: Pixels, area: Area) -> list[Rect]:
    """The lines in a rough box, cropped tightly to their letters; the box itself on a noisy background.

    A box may contain part of the line above or below, or two full lines. Because the result depends only on the
    letters, not on the detector's rounding, a line can be recognised again in another screenshot.
    """
    height, width, _ = pixels.shape
    left, top = max(0, int(area[0])), max(0, int(area[1]))
    right, bottom = min(width, int(area[2]) + 1), min(height, int(area[3]) + 1)
    if right - left < 2 or bottom - top < _LOWEST:
        return []
    reach = max(3, int(_REACH * (bottom - top)))
    x, y = max(0, left - 2 * reach), max(0, top - reach)
    around = pixels[y : min(height, bottom + reach), x : min(width, right + 2 * reach)]
    ink = _ink(around, pixels[top:bottom, left:right])
    found = []
    for first, last in _runs(np.any(ink[:, left - x : right - x], axis=1), 1):
        tall = last - first
        inside = min(last + y, bottom) - max(first + y, top)
        cut = (first == 0 and y > 0) or (last == len(ink) and y + last < height)
        if tall < _LOWEST or inside < 0.6 * tall or cut:
            continue
        pieces = [
            (start, end)
            for start, end in _runs(np.any(ink[first:last], axis=0), tall // 2)
            if end > left - x and start < right - x
        ]
        if pieces:
            found.append((x + pieces[0][0], y + first, x + pieces[-1][1], y + last))
    return found or [(left, top, right, bottom)]


def join_pieces(rects: Sequence[Rect]) -> list[Rect]:
    """Merge fragments of one line that are no further apart than words."""
    merged: list[Rect] = []
    for rect in sorted(rects):
        near = next((i for i, other in enumerate(merged) if _beside(other, rect)), None)
        if near is None:
            merged.append(rect)
        else:
            merged[near] = _union(merged[near], rect)
    return merged


def in_order(rects: Iterable[Rect]) -> list[Rect]:
    """Sort row by row from the top, each from the left; the height of a row's first line separates rows."""
    rows: list[list[Rect]] = []
    for rect in sorted(rects, key=lambda rect: (rect[1] + rect[3], rect[0])):
        if rows and _overlap(rows[-1][0], rect) >= 0.5:
            rows[-1].append(rect)
        else:
            rows.append([rect])
    return [rect for row in rows for rect in sorted(row)]


def _ink(around: Pixels, inner: Pixels) -> NDArray[np.bool_]:
    """Which pixels differ from the background, the most common colour of the inner part."""
    coarse = inner.astype(np.int32) >> 3
    codes = (coarse[:, :, 0] << 10) | (coarse[:, :, 1] << 5) | coarse[:, :, 2]
    values, counts = np.unique(codes, return_counts=True)
    ground = inner[codes == values[counts.argmax()]].mean(axis=0)
    contrast = np.abs(inner - ground).max(axis=2).max()
    return np.asarray(np.abs(around - ground).max(axis=2) > max(16.0, _CONTRAST * contrast))


def _runs(line: NDArray[np.bool_], gap: int) -> list[tuple[int, int]]:
    """Runs of True as half-open index ranges, merging runs no more than `gap` apart."""
    at = np.flatnonzero(line)
    if not len(at):
        return []
    cuts = np.flatnonzero(np.diff(at) > gap + 1)
    firsts, lasts = at[np.r_[0, cuts + 1]], at[np.r_[cuts, len(at) - 1]] + 1
    return [(int(first), int(last)) for first, last in zip(firsts, lasts, strict=True)]


def _overlap(one: Rect, other: Rect) -> float:
    """Vertical overlap as a share of the lower one's height."""
    common = min(one[3], other[3]) - max(one[1], other[1])
    return common / min(one[3] - one[1], other[3] - other[1])


def _beside(one: Rect, other: Rect) -> bool:
    gap = max(one[0], other[0]) - min(one[2], other[2])
    low, high = sorted((one[3] - one[1], other[3] - other[1]))
    return high <= _TALLER * low and _overlap(one, other) >= 0.6 and gap <= _SPACE * low


def _within(rect: Rect, other: Rect) -> bool:
    return rect != other and (
        other[0] <= rect[0] and other[1] <= rect[1] and rect[2] <= other[2] and rect[3] <= other[3]
    )


def _union(one: Rect, other: Rect) -> Rect:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])
