"""Coverage masks of shapes by counting samples, in integer arithmetic, so that every machine gets the same pixels.

A `SampleGrid` has the positions of 8 x 8 samples per pixel; shapes are boolean arrays, combined with `|`, `&` and `~`.
Coordinates are integers in the grid's unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isqrt

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint16]
"""Shape (rows, columns); 0 is uncovered and 256 is fully covered."""
Samples = NDArray[np.bool_]
Place = tuple[int, int]

SAMPLES = 8
"""Samples per pixel in each direction."""


class SampleGrid:
    """The samples of an area of `width` x `height` pixels, each pixel 2 * SAMPLES * `scale` units wide and high."""

    def __init__(self, width: int, height: int, scale: int = 1) -> None:
        self.width = width
        self.height = height
        self.x = ((2 * np.arange(width * SAMPLES, dtype=np.int64) + 1) * scale)[None, :]
        self.y = ((2 * np.arange(height * SAMPLES, dtype=np.int64) + 1) * scale)[:, None]

    def empty(self) -> Samples:
        """No sample covered."""
        return np.zeros((self.height * SAMPLES, self.width * SAMPLES), np.bool_)

    def disc(self, center: Place, radius: int) -> Samples:
        """A filled circle."""
        return self.segment(center, center, radius)

    def ring(self, center: Place, radius: int, half: int) -> Samples:
        """A circle drawn with a pen of width 2 * `half`."""
        distance = self._distance(center)
        inside: Samples = (distance <= (radius + half) ** 2) & (distance >= max(0, radius - half) ** 2)
        return inside

    def segment(self, start: Place, end: Place, half: int) -> Samples:
        """A straight stroke of width 2 * `half` with round ends."""
        # Only what is near the stroke is computed: most samples of an icon are far from each of its strokes.
        low, high = (min(start[0], end[0]), min(start[1], end[1])), (max(start[0], end[0]), max(start[1], end[1]))
        columns = self._between(self.x[0], low[0] - half, high[0] + half)
        rows = self._between(self.y[:, 0], low[1] - half, high[1] + half)
        x, y = self.x[:, columns], self.y[rows]
        px, py = x - start[0], y - start[1]
        near = px**2 + py**2 <= half * half
        dx, dy = end[0] - start[0], end[1] - start[1]
        length = dx * dx + dy * dy
        if length:
            along = px * dx + py * dy
            across = np.abs(px * dy - py * dx)
            near |= (x - end[0]) ** 2 + (y - end[1]) ** 2 <= half * half
            near |= (along >= 0) & (along <= length) & (across <= isqrt(half * half * length))
        covered = self.empty()
        covered[rows, columns] = near
        return covered

    def polygon(self, corners: Sequence[Place]) -> Samples:
        """A filled polygon (even-odd)."""
        inside = self.empty()
        left = min(x for x, _ in corners)
        for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]], strict=True):
            if y0 == y1:
                continue
            # Left of the edge: (x - x0) / (y - y0) < (x1 - x0) / (y1 - y0), with the divisions cleared. What is left
            # of all corners or right of this edge need not be looked at.
            rows = self._between(self.y[:, 0], min(y0, y1), max(y0, y1) - 1)
            columns = self._between(self.x[0], left, max(x0, x1))
            side = (self.x[:, columns] - x0) * (y1 - y0) - (self.y[rows] - y0) * (x1 - x0)
            inside[rows, columns] ^= (side < 0) if y1 > y0 else (side > 0)
        return inside

    def mask(self, samples: Samples) -> Mask:
        """The coverage of each pixel."""
        counted = samples.reshape(self.height, SAMPLES, self.width, SAMPLES).sum(axis=(1, 3), dtype=np.uint16)
        return np.asarray(counted * (256 // SAMPLES**2), np.uint16)

    @staticmethod
    def _between(places: NDArray[np.int64], low: int, high: int) -> slice:
        """Which of some samples lie between two coordinates."""
        return slice(*np.searchsorted(places, [low, high + 1]).tolist())

    def _distance(self, center: Place) -> NDArray[np.int64]:
        distance: NDArray[np.int64] = (self.x - center[0]) ** 2 + (self.y - center[1]) ** 2
        return distance


@lru_cache(maxsize=128)
def corner(radius: int, inset: int = 0) -> Mask:
    """The top left quarter of a disc of `radius` pixels drawn `inset` pixels smaller: shape (radius, radius)."""
    unit = 2 * SAMPLES
    grid = SampleGrid(radius, radius)
    return grid.mask(grid.disc((radius * unit, radius * unit), (radius - inset) * unit))


def round_rectangle(width: int, height: int, radius: int, inset: int = 0) -> Mask:
    """A rectangle with round corners, `inset` pixels smaller on each side; `radius` at most half of the sides."""
    mask = np.zeros((height, width), np.uint16)
    mask[inset : height - inset, inset : width - inset] = 256
    if radius > inset:
        quarter = corner(radius, inset)
        mask[:radius, :radius] = quarter
        mask[:radius, width - radius :] = quarter[:, ::-1]
        mask[height - radius :] = mask[:radius][::-1]
    return mask


def stroke(dx: int, dy: int, width: int) -> Mask:
    """A line from the middle of one pixel to that of the pixel (dx, dy) further, in a box `width` wider all around."""
    unit = 2 * SAMPLES
    grid = SampleGrid(abs(dx) + 1 + 2 * width, abs(dy) + 1 + 2 * width)
    x, y = (width + max(0, -dx)) * unit + SAMPLES, (width + max(0, -dy)) * unit + SAMPLES
    return grid.mask(grid.segment((x, y), (x + dx * unit, y + dy * unit), width * SAMPLES))


def blur(mask: Mask, reach: int, strength: int) -> Mask:
    """The mask widened by `reach` pixels on each side, softened, and scaled by `strength`/256."""
    steps = 3
    soft = np.pad(mask.astype(np.int64), reach)
    for axis in (0, 1):
        for step in range(steps):
            # Three passes of a moving average approximate a Gaussian; their half widths add up to `reach`.
            half = reach // steps + (step < reach % steps)
            size = 2 * half + 1
            before = [(half + 1, half) if a == axis else (0, 0) for a in (0, 1)]
            sums = np.cumsum(np.pad(soft, before), axis=axis)
            count = soft.shape[axis]
            low = np.take(sums, np.arange(count), axis)
            high = np.take(sums, np.arange(size, size + count), axis)
            soft = (high - low + half) // size
    return np.asarray((soft * strength + 128) >> 8, np.uint16)
