"""Where a video changes: its frames made smaller, and the parts of the picture in which anything happens."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs import Box, VideoClip

Mask = NDArray[np.bool_]

_LONGEST = 720
"""Pixels of the longer side to which frames are thinned out."""
BLOCK = 4
"""Side of a block, in thinned pixels: the grain of activity."""
_SHARE = 0.1
"""Share of a block's pixels that must differ for it to be active."""
_FAINTEST, _ABOVE_NOISE = 16, 4.2
"""Difference of a channel that counts, at least, and in medians of the differences between frames (noise)."""
_LOUDEST = 24.0
"""Median difference between frames above which it is no noise."""
CUT = 0.35
"""Share of the picture that changes at once when the scene is another one."""


@dataclass(frozen=True, slots=True)
class Film:
    """A clip prepared.

    Attributes:
        pixels: shape (frames, rows, columns, 3), int16; every `step`th pixel of each side.
        times: when each frame is shown. level: difference of a channel that counts.
        active: shape (frames, block rows, block columns): which blocks differ from the frame before; none in the first.
    """

    pixels: NDArray[np.int16]
    times: tuple[float, ...]
    level: float
    active: Mask

    def box(self, left: float, top: float, right: float, bottom: float) -> Box:
        """Of thinned pixels, on the unit square."""
        _, rows, columns, _ = self.pixels.shape
        return Box(
            max(0.0, left / columns),
            max(0.0, top / rows),
            min(1.0, right / columns),
            min(1.0, bottom / rows),
        )


def film(clip: VideoClip) -> Film:
    """Thin a clip out and find what differs from frame to frame."""
    step = max(1, round(max(clip.size.width, clip.size.height) / _LONGEST))
    pixels = np.stack([frame.array()[::step, ::step].astype(np.int16) for frame in clip.frames])
    differences = [np.abs(after - before).max(axis=2) for before, after in itertools.pairwise(pixels)]
    # Noise is in every frame: where it is least, nothing else is in the way of measuring it.
    noise = min((float(np.median(one)) for one in differences), default=0.0)
    level = max(_FAINTEST, _ABOVE_NOISE * min(noise, _LOUDEST))
    still = np.zeros_like(blocks(np.zeros(pixels.shape[1:3], np.bool_)))
    active = np.stack([still, *(blocks(one > level) for one in differences)])
    return Film(pixels, tuple(frame.start for frame in clip.frames), level, active)


def blocks(mask: Mask) -> Mask:
    """Which blocks hold enough of a mask; what is left over at the right and bottom edges counts as whole blocks."""
    rows, columns = mask.shape
    padded = np.pad(mask, ((0, -rows % BLOCK), (0, -columns % BLOCK)))
    cut = padded.reshape(padded.shape[0] // BLOCK, BLOCK, padded.shape[1] // BLOCK, BLOCK)
    return np.asarray(cut.mean(axis=(1, 3)) >= _SHARE)


def scenes(film: Film) -> list[tuple[int, int]]:
    """Stretches of frames without a cut: first, and the one after the last."""
    cuts = [i for i in range(1, len(film.times)) if film.active[i].mean() >= CUT]
    return list(zip([0, *cuts], [*cuts, len(film.times)], strict=True))


def regions(active: Mask, bridge: int) -> Iterator[Mask]:
    """The parts of the picture in which blocks are active at any time: those connected over gaps of `2 * bridge`.

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
