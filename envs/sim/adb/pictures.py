"""Screenshots in the formats of `screencap` and of the service `framebuffer:`."""

from __future__ import annotations

import struct

from omnipilot.envs.types.media import Image

RGBA_8888 = 1
SRGB = 1


def rgba(image: Image) -> bytes:
    """Pixels as red, green, blue and an alpha of 255."""
    import numpy as np

    pixels = image.array()
    whole = np.full((*pixels.shape[:2], 4), 255, dtype=np.uint8)
    whole[..., :3] = pixels
    return whole.tobytes()


def raw_screencap(image: Image) -> bytes:
    """As `screencap` without `-p` since Android 9: width, height, format, colour space, then RGBA."""
    return struct.pack("<4I", image.size.width, image.size.height, RGBA_8888, SRGB) + rgba(image)


def framebuffer(image: Image) -> bytes:
    """As the service sends it: version 1, bits a pixel, bytes, width, height, offset and length of the four colours."""
    width, height = image.size.width, image.size.height
    colors = (0, 8, 16, 8, 8, 8, 24, 8)
    return struct.pack("<13I", 1, 32, width * height * 4, width, height, *colors) + rgba(image)
