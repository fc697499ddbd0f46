"""The eleven colour names of DetACT, and the colour of a region."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

COLORS = ("black", "white", "grey", "red", "orange", "brown", "yellow", "green", "blue", "violet", "pink")
MODES = ("mean", "dominant")
"""The colour of a region: that of the mean of its pixels, as in the paper, or the most frequent one."""

_DARK = 0.2
"""Greatest value (of hue, saturation, value) of black."""
_PALE = 0.12
"""Greatest saturation of white and grey."""
_BRIGHT = 0.9
"""Value above which a pale colour is white."""
_BROWN = 0.65
"""Value below which orange is brown."""
_ROSY = (0.55, 0.75)
"""Red of less than this saturation and more than this value is pink."""
_HUES = ((15, "red"), (40, "orange"), (70, "yellow"), (165, "green"), (255, "blue"), (290, "violet"), (345, "pink"))
"""Upper end of each hue in degrees; beyond the last it is red again."""
_STEP = 3
"""Bits of a channel that do not count where colours are counted."""


def color_indices(rgb: NDArray[np.uint8]) -> NDArray[np.intp]:
    """The colour of each pixel as an index into `COLORS`.

    Args:
        rgb: any shape whose last axis is red, green, blue in 0..255.

    Returns:
        The shape without its last axis.
    """
    part = np.asarray(rgb, float) / 255
    value = part.max(axis=-1)
    spread = value - part.min(axis=-1)
    saturation = np.divide(spread, value, out=np.zeros_like(value), where=value > 0)
    hue = _hue(part, value, spread)
    ends = np.array([end for end, _ in _HUES])
    by_hue = np.array([COLORS.index(name) for name in (*(name for _, name in _HUES), "red")])
    found = by_hue[np.searchsorted(ends, hue, side="right")]
    red, orange = COLORS.index("red"), COLORS.index("orange")
    found = np.where((found == orange) & (value < _BROWN), COLORS.index("brown"), found)
    rosy = (found == red) & (saturation < _ROSY[0]) & (value > _ROSY[1])
    found = np.where(rosy, COLORS.index("pink"), found)
    pale = np.where(value > _BRIGHT, COLORS.index("white"), COLORS.index("grey"))
    found = np.where(saturation < _PALE, pale, found)
    return np.where(value < _DARK, COLORS.index("black"), found)


def region_color(pixels: NDArray[np.uint8], mode: str = "mean") -> tuple[str, float]:
    """The colour of a region, and the share of its pixels that have this name themselves, in 0..1.

    Args:
        pixels: shape (height, width, 3), RGB; at least one pixel.
        mode: one of `MODES`.
    """
    flat = pixels.reshape(-1, 3)
    coarse = flat >> _STEP
    codes = (coarse[:, 0].astype(np.int32) << 10) | (coarse[:, 1].astype(np.int32) << 5) | coarse[:, 2]
    counts = np.bincount(codes, minlength=1 << 15)
    color = flat[codes == counts.argmax()].mean(axis=0) if mode == "dominant" else flat.mean(axis=0)
    index = int(color_indices(color))
    return COLORS[index], float(counts[_coarse_colors() == index].sum() / len(flat))


def _hue(part: NDArray[np.float64], value: NDArray[np.float64], spread: NDArray[np.float64]) -> NDArray[np.float64]:
    """Degrees, 0 where there is none."""
    red, green, blue = part[..., 0], part[..., 1], part[..., 2]
    safe = np.where(spread > 0, spread, 1)
    turn = np.select(
        [spread <= 0, value == red, value == green],
        [np.zeros_like(value), (green - blue) / safe, 2 + (blue - red) / safe],
        4 + (red - green) / safe,
    )
    return np.asarray((turn * 60) % 360)


@lru_cache(maxsize=1)
def _coarse_colors() -> NDArray[np.intp]:
    """The colour of every code of 15 bits, by the middle of its cell."""
    codes = np.arange(1 << 15)
    channels = np.stack([codes >> 10, codes >> 5 & 31, codes & 31], axis=-1)
    return color_indices(channels * (1 << _STEP) + (1 << _STEP) // 2)
