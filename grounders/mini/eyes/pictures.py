"""Screenshots at the size that the small eyes are used to: that of the embedded devices' layout."""

from __future__ import annotations

from omnipilot.envs import Image
from omnipilot.envs.types import Size

PHONE_WIDTH, DESKTOP_HEIGHT = 412, 800
"""Width of an upright screen and height of a wide one, in pixels; others are brought to it."""


def layout_size(size: Size) -> Size:
    """The size at which a screenshot is read."""
    if size.height > size.width:
        return Size(PHONE_WIDTH, max(1, round(size.height * PHONE_WIDTH / size.width)))
    return Size(max(1, round(size.width * DESKTOP_HEIGHT / size.height)), DESKTOP_HEIGHT)


def layout_picture(image: Image) -> Image:
    """A screenshot at the size at which it is read; itself if it has that size."""
    size = layout_size(image.size)
    if size == image.size:
        return image
    from PIL import Image as pil

    small = pil.fromarray(image.array()).resize((size.width, size.height), pil.Resampling.BOX)
    return Image.raw(size, small.tobytes(), image.env, image.end)
