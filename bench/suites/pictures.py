"""The size of a picture of a data set, read from its head."""

from __future__ import annotations

import io
from pathlib import Path

from omnipilot.envs.geometry import Size


def picture_size(file: Path | bytes) -> Size:
    """Width and height in pixels.

    Raises:
        OSError: it is no picture, or one so large that it would not be decoded either.
    """
    from PIL import Image

    try:
        with Image.open(io.BytesIO(file) if isinstance(file, bytes) else file) as picture:
            return Size(*picture.size)
    except OSError:
        raise
    except (Image.DecompressionBombError, ValueError, SyntaxError) as error:
        # What Pillow says of a damaged head depends on the format.
        raise OSError(str(error)) from None
