"""Where lines of text may be on a screen: runs of vertical strokes that stand close to each other.

Icons and borders are found too; the reader of lines reads nothing in them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Rect = tuple[int, int, int, int]
"""Left, top, right, bottom in whole pixels."""

STROKE = 20
"""Least difference of brightness between two pixels side by side, of 255, where a stroke begins or ends."""
GAP = 6
"""Widest gap between two strokes of a line of small letters, in pixels."""
LOWEST, HIGHEST, WIDEST = 2, 44, 1000
"""Height of the ink of a line in pixels, and width."""
TALLEST = 34
"""Longest straight stroke of a letter, in pixels."""
WORD_GAP = 0.55
"""Widest gap between two words of a line, as a share of its height."""
WINDOW = 32
"""Height in pixels of what the reader is shown of a line."""
HALVED = 23
"""Ink that is higher than this is shown at half its size."""


def brightness(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The brightness of each pixel, 0..255."""
    return pixels.astype(np.float32) @ np.array([0.299, 0.587, 0.114], np.float32)


def find_lines(bright: NDArray[np.float32]) -> list[Rect]:
    """Rectangles around the ink of what may be lines, from top to bottom."""
    from scipy import ndimage  # type: ignore[import-untyped]

    strokes = np.zeros(bright.shape, bool)
    strokes[:, 1:] = np.abs(np.diff(bright, axis=1)) > STROKE
    closed = _close_gaps(_without_borders(strokes))
    labels, _ = ndimage.label(closed, np.ones((3, 3), int))
    rects = []
    for found in ndimage.find_objects(labels):
        (top, bottom), (left, right) = ((part.start, part.stop) for part in found)
        if LOWEST <= bottom - top <= HIGHEST and 1 < right - left <= WIDEST:
            rects.append((left - 1, top, right, bottom))
    return sorted(_join_words(_join_dots(rects)), key=lambda rect: (rect[1] + rect[3], rect[0]))


def _without_borders(strokes: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Strokes without those that run straight down for longer than a letter is high."""
    rows = np.arange(len(strokes), dtype=np.int16)[:, None]
    before = np.maximum.accumulate(np.where(strokes, np.int16(-1), rows), axis=0)
    behind = np.minimum.accumulate(np.where(strokes, np.int16(len(strokes)), rows)[::-1], axis=0)[::-1]
    return np.asarray(strokes & (behind - before <= TALLEST))


def _close_gaps(strokes: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Strokes with the gaps between two in a row filled, where these are narrow."""
    width = strokes.shape[1]
    columns = np.arange(width, dtype=np.int16)
    before = np.maximum.accumulate(np.where(strokes, columns, np.int16(-width)), axis=1)
    behind = np.minimum.accumulate(np.where(strokes, columns, np.int16(2 * width))[:, ::-1], axis=1)[:, ::-1]
    return np.asarray(behind - before <= GAP + 1)


def _join_dots(rects: list[Rect]) -> list[Rect]:
    """Join what is low and close to a line, such as the dot of an i, a hyphen, or a full stop, to that line."""
    tall = [rect for rect in rects if rect[3] - rect[1] >= 7]
    low = [rect for rect in rects if rect[3] - rect[1] < 7]
    joined = list(tall)
    for one in low:
        for at, other in enumerate(joined):
            near = one[0] <= other[2] + GAP and one[2] >= other[0] - GAP
            if near and one[1] >= other[1] - 5 and one[3] <= other[3] + 4 and other[3] - other[1] <= HIGHEST:
                joined[at] = _around(one, other)
                break
        else:
            joined.append(one)
    return joined


def _join_words(rects: list[Rect]) -> list[Rect]:
    """Join the words of lines with large letters, whose gaps are wider."""
    joined: list[Rect] = []
    for rect in sorted(rects):
        high = rect[3] - rect[1]
        for at, other in enumerate(joined):
            low, tall = sorted((high, other[3] - other[1]))
            shared = min(rect[3], other[3]) - max(rect[1], other[1])
            if low >= 7 and -tall < rect[0] - other[2] <= WORD_GAP * tall and shared >= 0.7 * low and tall <= 2.2 * low:
                joined[at] = _around(rect, other)
                break
        else:
            joined.append(rect)
    return joined


def _around(one: Rect, other: Rect) -> Rect:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def ink_of(bright: NDArray[np.float32], rect: Rect) -> tuple[NDArray[np.float32], int, int]:
    """What the reader is shown of a line: how much each pixel differs from the background, 0..1.

    Returns:
        Ink of shape (WINDOW, width); the column of the screen that it begins at; pixels of the screen for a pixel.
    """
    left, top, right, bottom = rect
    scale = 2 if bottom - top > HALVED else 1
    height = WINDOW * scale
    above = top - (height - (bottom - top)) // 2
    margin = 2 * scale
    first, last = max(0, left - margin), min(bright.shape[1], right + margin)
    window = np.empty((height, last - first), np.float32)
    low, high = max(0, above), min(bright.shape[0], above + height)
    tight = bright[top:bottom, first:last]
    ground = _most_common(tight)
    window[:] = ground
    # Only the ink's own rows: what is above and below belongs to other lines.
    low, high = max(low, top - 1), min(high, bottom + 1)
    window[low - above : high - above] = bright[low:high, first:last]
    ink = np.abs(window - ground)
    ink /= max(16.0, float(ink.max()))
    if scale == 2:
        ink = ink[:, : ink.shape[1] // 2 * 2]
        ink = ink.reshape(WINDOW, 2, -1, 2).mean(axis=(1, 3))
    return ink, first, scale


def _most_common(part: NDArray[np.float32]) -> float:
    values, counts = np.unique(np.round(part), return_counts=True)
    return float(values[counts.argmax()])
