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
        inside: Samples = self._distance(center) <= radius * radius
        return inside

    def ring(self, center: Place, radius: int, half: int) -> Samples:
        """A circle drawn with a pen of width 2 * `half`."""
        distance = self._distance(center)
        inside: Samples = (distance <= (radius + half) ** 2) & (distance >= max(0, radius - half) ** 2)
        return inside

    def segment(self, start: Place, end: Place, half: int) -> Samples:
        """A straight stroke of width 2 * `half` with round ends."""
        dx, dy = end[0] - start[0], end[1] - start[1]
        length = dx * dx + dy * dy
        ends = self.disc(start, half) | self.disc(end, half)
        if not length:
            return ends
        px, py = self.x - start[0], self.y - start[1]
        along = px * dx + py * dy
        across = np.abs(px * dy - py * dx)
        covered: Samples = ends | ((along >= 0) & (along <= length) & (across <= isqrt(half * half * length)))
        return covered

    def polygon(self, corners: Sequence[Place]) -> Samples:
        """A filled polygon (even-odd)."""
        inside = self.empty()
        for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]], strict=True):
            if y0 == y1:
                continue
            # Left of the edge: (x - x0) / (y - y0) < (x1 - x0) / (y1 - y0), with the divisions cleared.
            side = (self.x - x0) * (y1 - y0) - (self.y - y0) * (x1 - x0)
            crossed = (self.y < y0) != (self.y < y1)
            inside ^= crossed & ((side < 0) if y1 > y0 else (side > 0))
        return inside

    def mask(self, samples: Samples) -> Mask:
        """The coverage of each pixel."""
        counted = samples.reshape(self.height, SAMPLES, self.width, SAMPLES).sum(axis=(1, 3), dtype=np.uint16)
        return np.asarray(counted * (256 // SAMPLES**2), np.uint16)

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
