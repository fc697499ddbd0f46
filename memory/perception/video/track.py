"""One region of a video over time: its states, and the path of an object moving in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omnipilot.memory.perception.video.regions import BLOCK, Film, Mask, blocks

_SAME = 0.25
"""Maximum share of a region's changing pixels that differ between two frames of one state."""
_PLACES = 3
"""Minimum number of places of a moving object, as opposed to blinking in several places."""

Edges = tuple[float, float, float, float]
"""Left, top, right, bottom in downsampled pixels."""


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the image over a range of frames.

    Attributes:
        first: index of the first frame.
        pixels: shape (frames, rows, columns, 3). changes: which frames differ from the previous one.
        changing: shape (rows, columns): pixels that ever differ from their first colour.
        corner: left and top, in downsampled pixels.
    """

    first: int
    pixels: NDArray[np.int16]
    changes: tuple[bool, ...]
    changing: Mask
    corner: tuple[int, int]
    level: float

    @property
    def edges(self) -> Edges:
        """The bounding box of the changes."""
        return self.around(self.changing)

    def around(self, mask: Mask) -> Edges:
        """The bounding box of a mask of this region."""
        rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
        x, y = self.corner
        return float(x + columns[0]), float(y + rows[0]), float(x + columns[-1] + 1), float(y + rows[-1] + 1)


def region(film: Film, part: Mask, first: int, last: int) -> Region | None:
    """The region of active blocks `part` in frames `first`..`last` (end excluded); None if nothing stands out."""
    rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    # One more block on each side: the active blocks may contain only most of the change.
    top, left = max(0, rows[0] - 1) * BLOCK, max(0, columns[0] - 1) * BLOCK
    down, across = slice(top, (rows[-1] + 2) * BLOCK), slice(left, (columns[-1] + 2) * BLOCK)
    pixels = film.part(first, last, down, across)
    changing = _solid((np.abs(pixels - pixels[0]).max(axis=3) > film.level).any(axis=0))
    if not changing.any():
        return None
    active = np.any(film.active[first + 1 : last] & part, axis=(1, 2))
    return Region(first, pixels, (False, *map(bool, active)), changing, (left, top), film.level)


def states(region: Region) -> list[int]:
    """The state of each frame: similar frames share a number, and 0 is the longest state."""
    looks: list[NDArray[np.int16]] = []
    numbers: list[int] = []
    for frame, changed in zip(region.pixels, region.changes, strict=True):
        if numbers and not changed:
            numbers.append(numbers[-1])
            continue
        flat = frame[region.changing]
        alike = (i for i, look in enumerate(looks) if _apart(flat, look, region.level) <= _SAME)
        number = next(alike, len(looks))
        if number == len(looks):
            looks.append(flat)
        numbers.append(number)
    order = sorted(set(numbers), key=lambda number: (-numbers.count(number), number))
    return [order.index(number) for number in numbers]


def path(region: Region) -> list[Edges] | None:
    """The position of a moving object in each frame; None if the change stays in its place.

    The background is the median of the frames with changes, so that a resting object does not become part of it.
    """
    kept = [i for i, changed in enumerate(region.changes) if changed or i == 0]
    if len(kept) <= _PLACES:
        return None
    ground = np.median(region.pixels[kept], axis=0)
    masks = [_solid(np.abs(frame - ground).max(axis=2) > region.level) for frame in region.pixels]
    sizes = [int(mask.sum()) for mask in masks]
    usual = float(np.median([sizes[i] for i in kept]))
    if usual < BLOCK * BLOCK:
        return None
    found: list[Edges] = []
    for mask, size in zip(masks, sizes, strict=True):
        if size >= 0.4 * usual:
            found.append(region.around(mask))
        elif found:
            found.append(found[-1])
    found = found[:1] * (len(masks) - len(found)) + found
    return found if _travels(found) else None


def _travels(found: list[Edges]) -> bool:
    """Whether opposite edges move together, by most of the object's size, over several places."""
    edges = np.asarray(found)
    sizes = edges[:, 2:] - edges[:, :2]
    wide, high = np.median(sizes, axis=0)
    # Two lamps lit together span their distance, which is not one object.
    edges = edges[(np.abs(sizes - (wide, high)) <= np.maximum(2.0, (0.3 * wide, 0.3 * high))).all(axis=1)]
    if not len(edges):
        return False
    for low, far, size in ((0, 2, wide), (1, 3, high)):
        travel = min(np.ptp(edges[:, low]), np.ptp(edges[:, far]))
        places = len({round(value / max(2.0, 0.25 * size)) for value in (edges[:, low] + edges[:, far]) / 2})
        if travel > max(2.0 * BLOCK, 0.8 * size) and places >= _PLACES:
            return True
    return False


def _apart(one: NDArray[np.int16], other: NDArray[np.int16], level: float) -> float:
    return float((np.abs(one - other).max(axis=1) > level).mean())


def _solid(mask: Mask) -> Mask:
    """The mask without isolated noise pixels: only inside blocks that contain enough of it."""
    rows, columns = mask.shape
    kept = blocks(mask).repeat(BLOCK, axis=0).repeat(BLOCK, axis=1)[:rows, :columns]
    return mask & kept
