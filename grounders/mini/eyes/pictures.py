"""Screenshots at the size that the small eyes are used to: that of the embedded devices' layout."""

from __future__ import annotations

from omnipilot.envs import Image
from omnipilot.envs.types import Size

PHONE_WIDTH, DESKTOP_HEIGHT = 412, 800
"""Width of an upright screen and height of a wide one, in pixels; others are brought to it."""
LONGEST = 3
"""Sides of a screen as it is read, the longer over the shorter, at most; longer ones are squeezed."""


def layout_size(size: Size) -> Size:
    """The size at which a screenshot is read: that of a layout, and no longer than `LONGEST` times its other side."""
    if size.height > size.width:
        height = round(size.height * PHONE_WIDTH / size.width)
        return Size(PHONE_WIDTH, min(height, LONGEST * PHONE_WIDTH))
    width = round(size.width * DESKTOP_HEIGHT / size.height)
    return Size(min(width, LONGEST * DESKTOP_HEIGHT), DESKTOP_HEIGHT)


def layout_picture(image: Image) -> Image:
    """A screenshot at the size at which it is read; itself if it has that size."""
    size = layout_size(image.size)
    if size == image.size:
        return image
    from PIL import Image as pil

    small = pil.fromarray(image.array()).resize((size.width, size.height), pil.Resampling.BOX)
    return Image.raw(size, small.tobytes(), image.env, image.end)
