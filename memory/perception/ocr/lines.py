"""From the rough places of a text detector to lines: each one's exact rectangle, in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from omnipilot.memory.perception.ocr.engine import Area, Pixels

Rect = tuple[int, int, int, int]
"""Left, top, right, bottom in whole pixels."""

_REACH = 0.25
"""How far beyond its rough place a line's letters are looked for, in heights of that place."""
_CONTRAST = 0.3
"""Share of the strongest contrast to the background from which a pixel belongs to a letter."""
_LOWEST = 5
"""Pixels of height below which nothing is a line."""
_TALLER = 1.8
"""How much higher a piece may be than another one of its line: capitals and tails against "saw"."""
_SPACE = 0.8
"""Gap between two pieces of one line, in heights of the lower one, at most."""


def lines(pixels: Pixels, areas: Iterable[Area]) -> list[Rect]:
    """The lines at rough places, each once, from top to bottom and from left to right."""
    found = {rect for area in areas for rect in snap_lines(pixels, area)}
    return in_order(join_pieces([rect for rect in found if not any(_within(rect, other) for other in found)]))


def snap_lines(pixels: Pixels, area: Area) -> list[Rect]:
    """The lines whose letters are at a rough place, tightly around these; the place itself on a restless background.

    A place may hold a bit of the line above or below, or two whole lines. That the result depends on the letters
    alone, not on the detector's rounding, is what lets a line be known again in another screenshot.
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
    """Pieces that stand beside each other on one line, no further apart than words are, made one."""
    merged: list[Rect] = []
    for rect in sorted(rects):
        near = next((i for i, other in enumerate(merged) if _beside(other, rect)), None)
        if near is None:
            merged.append(rect)
        else:
            merged[near] = _union(merged[near], rect)
    return merged


def in_order(rects: Iterable[Rect]) -> list[Rect]:
    """Row by row from the top, each row from the left; rows are told apart by their first line's height."""
    rows: list[list[Rect]] = []
    for rect in sorted(rects, key=lambda rect: (rect[1] + rect[3], rect[0])):
        if rows and _overlap(rows[-1][0], rect) >= 0.5:
            rows[-1].append(rect)
        else:
            rows.append([rect])
    return [rect for row in rows for rect in sorted(row)]


def _ink(around: Pixels, inner: Pixels) -> NDArray[np.bool_]:
    """Which pixels differ from the background: the commonest colour of the inner part."""
    coarse = inner.astype(np.int32) >> 3
    codes = (coarse[:, :, 0] << 10) | (coarse[:, :, 1] << 5) | coarse[:, :, 2]
    values, counts = np.unique(codes, return_counts=True)
    ground = inner[codes == values[counts.argmax()]].mean(axis=0)
    contrast = np.abs(inner - ground).max(axis=2).max()
    return np.asarray(np.abs(around - ground).max(axis=2) > max(16.0, _CONTRAST * contrast))


def _runs(line: NDArray[np.bool_], gap: int) -> list[tuple[int, int]]:
    """Stretches of True, those no more than `gap` apart taken together: first index, and the one after the last."""
    at = np.flatnonzero(line)
    if not len(at):
        return []
    cuts = np.flatnonzero(np.diff(at) > gap + 1)
    firsts, lasts = at[np.r_[0, cuts + 1]], at[np.r_[cuts, len(at) - 1]] + 1
    return [(int(first), int(last)) for first, last in zip(firsts, lasts, strict=True)]


def _overlap(one: Rect, other: Rect) -> float:
    """Share of the lower one's height that both have in common."""
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
