"""Screenshots at the size that the small eyes are used to: that of the embedded devices' layout."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs import Image
from omnipilot.envs.types import Size

PHONE_WIDTH, DESKTOP_HEIGHT = 412, 800
"""Width of an upright screen and height of a wide one, in pixels; others are brought to it."""
PHONE_BAR, DESKTOP_BAR = 52, 48
"""Height in pixels of the bar along the lower edge of such a screen."""
LONGEST = 3
"""Sides of a screen as it is read, the longer over the shorter, at most; longer ones are squeezed."""
SMALLEST, LARGEST = 0.5, 2.0
"""How much larger things are drawn than on screens that were learnt, at least and at most; what else looks like a bar
is none."""
SHADE = 4
"""Difference of two pixels in one channel, of 255, up to which they have one colour."""
HAIRS = 51
"""The bar of a phone is so many times as high as the hairline above it."""


def layout_size(size: Size, larger: float = 1.0) -> Size:
    """The size at which a screenshot is read: that of a layout, and no longer than `LONGEST` times its other side.

    Args:
        larger: how much larger things are drawn on it than on screens that were learnt, see `drawn_larger`.
    """
    if size.height > size.width:
        width, height = PHONE_WIDTH / larger, size.height * PHONE_WIDTH / size.width / larger
        return Size(round(width), min(round(height), LONGEST * round(width)))
    width, height = size.width * DESKTOP_HEIGHT / size.height / larger, DESKTOP_HEIGHT / larger
    return Size(min(round(width), LONGEST * round(height)), round(height))


def layout_picture(image: Image, larger: float = 1.0) -> Image:
    """A screenshot at the size at which it is read, see `layout_size`; itself if it has that size."""
    size = layout_size(image.size, larger)
    if size == image.size:
        return image
    from PIL import Image as pil

    # Letters that were drawn for another scale are read more often where they are not blurred.
    how = pil.Resampling.BOX if larger == 1 else pil.Resampling.LANCZOS
    small = pil.fromarray(image.array()).resize((size.width, size.height), how)
    return Image.raw(size, small.tobytes(), image.env, image.end)


def drawn_larger(image: Image) -> float | None:
    """How much larger things are drawn, beside the screen, than on screens that were learnt.

    Each of these has a bar of one height along its lower edge. The scale of a screen is told by that bar's height, to
    half a pixel; of the scales that this leaves, the simplest fraction is taken: screens have round ones, such as 9/5.

    Returns:
        1 if the bar is as high as it was learnt, to a pixel; None where no bar is seen.
    """
    size = image.size
    upright = size.height > size.width
    learnt = PHONE_BAR if upright else DESKTOP_BAR
    usual = size.width / PHONE_WIDTH if upright else size.height / DESKTOP_HEIGHT
    seen = bar_height(image.array())
    if not SMALLEST * usual * learnt <= seen <= LARGEST * usual * learnt:
        return None
    if abs(seen - usual * learnt) <= 1:
        return 1.0
    return simplest_between((seen - 0.5) / learnt, (seen + 0.5) / learnt) / usual


def bar_height(pixels: NDArray[np.uint8]) -> int:
    """Height of the bar along the lower edge, in pixels: as far up as both sides of a picture keep their colour.

    Its topmost row has that colour from side to side, and most of the row above has not. A hairline from side to side,
    as phones draw it above the bar, belongs to it.

    Args:
        pixels: (height, width, 3), uint8.

    Returns:
        0 where there is no bar.
    """
    height, width, _ = pixels.shape
    if height < 4 or width < 4:
        return 0
    # The outermost pixels may belong to a border.
    color = pixels[height - 2, 1]
    above = _last_other(pixels[:-1, [1, width - 2]], color)
    if above < 0 or _share(pixels[above + 1], color) < 1 or _share(pixels[above], color) >= 0.5:
        return 0
    bar: int = height - 1 - above
    if height > width and _share(pixels[above], line := pixels[above, 1]) == 1:
        # What is drawn above it may begin in its colour.
        bar += min(above - _last_other(pixels[: above + 1, [1, width - 2]], line), max(1, round(bar / HAIRS)))
    return bar


def simplest_between(low: float, high: float) -> float:
    """The fraction of the least denominator from `low` to `high`, two numbers above 0 that are not equal."""
    below = 1
    while (above := math.ceil(low * below)) > high * below:
        below += 1
    return above / below


def _last_other(columns: NDArray[np.uint8], color: NDArray[np.uint8]) -> int:
    """The last row in which one of some columns, (rows, columns, 3), has another colour; -1 if there is none."""
    others = np.flatnonzero((np.abs(columns.astype(np.int16) - color).max(axis=2) > SHADE).any(axis=1))
    return int(others[-1]) if len(others) else -1


def _share(row: NDArray[np.uint8], color: NDArray[np.uint8]) -> float:
    """How many pixels of a row, of shape (width, 3), have a colour, 0..1; the outermost are left out."""
    return float((np.abs(row[1:-1].astype(np.int16) - color).max(axis=1) <= SHADE).mean())
