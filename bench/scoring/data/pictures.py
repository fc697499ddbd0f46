"""Pictures of a data set: the size is read from the header, pixels are decoded on first use."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import BinaryIO

from omnipilot.envs import EnvLost, Image, Size
from omnipilot.envs.types import open_file, read_file
from omnipilot.envs.types.foreign_media import size_of_picture

_PNG = b"\x89PNG\r\n\x1a\n"


def picture(file: Path, env: str, time: float) -> Image:
    """A recorded screenshot, named after its file.

    Raises:
        EnvLost: the file has disappeared or is not a picture.
    """
    try:
        return Image.encoded(read_file(file), env, time, file.name)
    except OSError as error:
        raise EnvLost(f"{file.name} cannot be read: {error}") from error


def picture_size(file: Path | bytes) -> Size:
    """Width and height in pixels; a truncated PNG is detected without decoding it.

    Raises:
        OSError: the file is not a picture, is a truncated PNG, or is too large to decode.
    """
    with io.BytesIO(file) if isinstance(file, bytes) else open_file(file) as content:
        size = size_of_picture(content)
        _see_whole(content)
        return size


def _see_whole(content: BinaryIO) -> None:
    """Check that a PNG has all the data that its chunks announce, skipping over it without decoding.

    Raises:
        OSError: the file ends before they do.
    """
    end = content.seek(0, os.SEEK_END)
    content.seek(0)
    if content.read(len(_PNG)) != _PNG:
        return
    pixels = False
    while len(head := content.read(8)) == 8:
        if head[4:] == b"IEND":
            return
        if content.seek(int.from_bytes(head[:4], "big") + 4, os.SEEK_CUR) > end:
            break
        pixels = pixels or head[4:] == b"IDAT"
    else:
        # Without its last chunk a picture can be decoded all the same.
        if pixels:
            return
    raise OSError(f"it is truncated after {end} bytes")
