"""Where a video changes: downsampled frames, and the regions of the image with activity."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs import Box, VideoClip

Mask = NDArray[np.bool_]

_LONGEST = 720
"""Maximum longer side of downsampled frames, in pixels."""
BLOCK = 4
"""Side of a block in downsampled pixels: the resolution of activity."""
_SHARE = 0.1
"""Minimum share of differing pixels in an active block."""
_FAINTEST, _ABOVE_NOISE = 16, 4.2
"""Minimum channel difference that counts: absolute, and in multiples of the noise (median difference of frames)."""
_LOUDEST = 24.0
"""Maximum median difference between frames that counts as noise."""
CUT = 0.35
"""Minimum share of the image that changes at once in a scene cut."""


@dataclass(frozen=True, slots=True)
class Film:
    """A preprocessed clip.

    Attributes:
        pixels: shape (frames, rows, columns, 3), int16; every `step`th pixel per side.
        times: time of each frame. level: minimum channel difference that counts.
        active: shape (frames, block rows, block columns): blocks differing from the previous frame; none in the first.
    """

    pixels: NDArray[np.int16]
    times: tuple[float, ...]
    level: float
    active: Mask

    def box(self, left: float, top: float, right: float, bottom: float) -> Box:
        """A box in downsampled pixels, converted to the unit square."""
        _, rows, columns, _ = self.pixels.shape
        return Box(
            max(0.0, left / columns),
            max(0.0, top / rows),
            min(1.0, right / columns),
            min(1.0, bottom / rows),
        )


def film(clip: VideoClip) -> Film:
    """Downsample a clip and find what differs from frame to frame."""
    step = max(1, round(max(clip.size.width, clip.size.height) / _LONGEST))
    pixels = np.stack([frame.array()[::step, ::step].astype(np.int16) for frame in clip.frames])
    differences = [np.abs(after - before).max(axis=2) for before, after in itertools.pairwise(pixels)]
    # Noise is in every frame: the minimum is the cleanest measurement of it.
    noise = min((float(np.median(one)) for one in differences), default=0.0)
    level = max(_FAINTEST, _ABOVE_NOISE * min(noise, _LOUDEST))
    still = np.zeros_like(blocks(np.zeros(pixels.shape[1:3], np.bool_)))
    active = np.stack([still, *(blocks(one > level) for one in differences)])
    return Film(pixels, tuple(frame.start for frame in clip.frames), level, active)


def blocks(mask: Mask) -> Mask:
    """Which blocks contain enough of a mask; partial blocks at the right and bottom edges count as full ones."""
    rows, columns = mask.shape
    padded = np.pad(mask, ((0, -rows % BLOCK), (0, -columns % BLOCK)))
    cut = padded.reshape(padded.shape[0] // BLOCK, BLOCK, padded.shape[1] // BLOCK, BLOCK)
    return np.asarray(cut.mean(axis=(1, 3)) >= _SHARE)


def scenes(film: Film) -> list[tuple[int, int]]:
    """Intervals without a cut, as half-open frame ranges."""
    cuts = [i for i in range(1, len(film.times)) if film.active[i].mean() >= CUT]
    return list(zip([0, *cuts], [*cuts, len(film.times)], strict=True))


def regions(active: Mask, bridge: int) -> Iterator[Mask]:
    """Regions of blocks that are active at any time, connected across gaps of up to `2 * bridge` blocks.

    Args:
        active: shape (frames, block rows, block columns).
    """
    ever = np.any(active, axis=0)
    near = _grown(ever, bridge)
    seen = np.zeros_like(near)
    for start in zip(*np.nonzero(ever), strict=True):
        if seen[start]:
            continue
        due, part = [start], np.zeros_like(near)
        seen[start] = True
        while due:
            row, column = due.pop()
            part[row, column] = True
            for place in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                inside = 0 <= place[0] < near.shape[0] and 0 <= place[1] < near.shape[1]
                if inside and near[place] and not seen[place]:
                    seen[place] = True
                    due.append(place)
        yield part & ever


def _grown(mask: Mask, by: int) -> Mask:
    grown = mask.copy()
    for _ in range(by):
        wider = grown.copy()
        wider[1:] |= grown[:-1]
        wider[:-1] |= grown[1:]
        wider[:, 1:] |= grown[:, :-1]
        wider[:, :-1] |= grown[:, 1:]
        grown = wider
    return grown
