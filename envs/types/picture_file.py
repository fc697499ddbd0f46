"""Files of pictures, opened so that a damaged one is an error of ours, which says which picture it is."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from omnipilot.envs.types.errors import EnvLost


@contextmanager
def opened(file: bytes, name: str) -> Iterator[Any]:
    """A picture of Pillow, made of the bytes of a file; its pixels are decoded when they are asked for.

    Args:
        name: what the picture is called in messages.

    Raises:
        EnvLost: it cannot be read, or what is done with it within fails on its content.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(file)) as picture:
            yield picture
    except (
        OSError, SyntaxError, ValueError, EOFError, IndexError, struct.error, zlib.error, Image.DecompressionBombError
    ) as error:  # fmt: skip
        # What Pillow raises on damaged content depends on the format, and on where the damage is.
        told = "it is no picture" if isinstance(error, UnidentifiedImageError) else str(error)
        raise EnvLost(f"{name} cannot be decoded: {told}") from error
