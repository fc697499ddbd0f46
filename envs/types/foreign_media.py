"""Pictures, sounds and films that others made are opened here: listed formats, sizes looked at before decoding.

Decoders choose by content, not by name: what is called `.png` may be a PostScript program, a playlist that names other
files and servers, or a picture of more pixels than there is memory.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from omnipilot.envs.types.errors import EnvLost, require
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.regular_files import open_file

PICTURE_FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
"""Pillow's names of the formats that are read; each is decoded by code that runs nothing else."""
MOST_PIXELS = 64_000_000
"""Most pixels of a picture, 192 MB decoded: two screens of 7680×4320 side by side have as many."""
CONTAINERS = (
    "mov",
    "mp4",
    "m4a",
    "3gp",
    "3g2",
    "mj2",
    "matroska",
    "webm",
    "avi",
    "ogg",
    "mpegts",
    "mpeg",
    "flv",
    "gif",
)
SOUND_CONTAINERS = ("wav", "flac", "mp3", "aac", "aiff", "w64")
"""FFmpeg's names of the containers that are read: none of them names other files."""
MOST_SECONDS = 6 * 3600.0
"""Longest film or sound."""
MOST_SAMPLES = 30 * 60 * 48_000 * 2
"""Most samples of a sound that is read as a whole, all channels together: half an hour in stereo, 690 MB."""
SAMPLE_RATES = range(1_000, 768_001)
"""Samples a second of what can be resampled in bounded memory."""


@contextmanager
def open_picture(file: bytes, name: str) -> Iterator[Any]:
    """A picture of Pillow, made of the bytes of a file; its pixels are decoded when they are asked for.

    Args:
        name: what the picture is called in messages.

    Raises:
        EnvLost: it cannot be read, has too many pixels, or what is done with it within fails on its content.
    """
    from PIL import Image as pil
    from PIL import UnidentifiedImageError

    try:
        with pil.open(io.BytesIO(file), formats=PICTURE_FORMATS) as picture:
            if (reason := why_too_large(picture.size)) is not None:
                raise ValueError(reason)
            yield picture
    except (
        OSError, SyntaxError, ValueError, EOFError, IndexError, struct.error, zlib.error, pil.DecompressionBombError
    ) as error:  # fmt: skip
        # What Pillow raises on damaged content depends on the format, and on where the damage is.
        told = "it is no picture" if isinstance(error, UnidentifiedImageError) else str(error)
        raise EnvLost(f"{name} cannot be decoded: {told}") from error


def why_too_large(size: tuple[int, int]) -> str | None:
    """Why a picture of this width and height is not decoded, None if it is."""
    width, height = size
    if width * height <= MOST_PIXELS:
        return None
    return f"{width}×{height} are {width * height / 1e6:.0f} million pixels, more than {MOST_PIXELS / 1e6:.0f}"


def open_film(film: Path | bytes, name: str = "") -> Any:
    """A film or sound file as a container of PyAV, to be closed by the caller.

    Args:
        film: its path, or its content.
        name: what it is called in messages; by default its path's name.

    Raises:
        MissingExtra: PyAV is not installed.
        EnvLost: it cannot be read, is a playlist or of another kind that is not listed, or is too large or too long.
    """
    av: Any = require("av", "video")
    # A playlist that is taken for a film could name any file and any server.
    allowed = {"protocol_whitelist": "", "format_whitelist": ",".join((*CONTAINERS, *SOUND_CONTAINERS))}
    name = name or (film.name if isinstance(film, Path) else "a film")
    try:
        file: Any = open_file(film) if isinstance(film, Path) else io.BytesIO(film)
    except OSError as error:
        raise EnvLost(f"{name} cannot be read: {error.strerror}") from error
    try:
        container = av.open(file, metadata_errors="replace", container_options=allowed)
    except (OSError, ValueError, av.error.FFmpegError) as error:
        file.close()
        raise EnvLost(f"{name} cannot be read: {_told(error)}") from error
    reason = _why_no_film(container)
    if reason is not None:
        container.close()
        file.close()
        raise EnvLost(f"{name} is not read: {reason}")
    return container


def _why_no_film(container: Any) -> str | None:
    if container.duration is not None and container.duration / 1e6 > MOST_SECONDS:
        return f"it lasts {container.duration / 1e6:.0f} s, more than {MOST_SECONDS:.0f}"
    for stream in container.streams.video:
        context = stream.codec_context
        # What the head says holds for the head: a decoder refuses larger frames that come later.
        context.options = {"max_pixels": str(MOST_PIXELS)}
        if (reason := why_too_large((context.width or 0, context.height or 0))) is not None:
            return reason
    return None


@contextmanager
def open_sound(file: Path | bytes, name: str) -> Iterator[Any]:
    """A sound file as a `soundfile.SoundFile`, closed afterwards.

    Raises:
        EnvLost: it cannot be read, or is too long; or what is done with it within fails on its content.
    """
    import soundfile  # type: ignore[import-untyped,unused-ignore]

    try:
        opened = io.BytesIO(file) if isinstance(file, bytes) else open_file(file)
        with opened, soundfile.SoundFile(opened) as sound:
            if sound.samplerate not in SAMPLE_RATES or sound.frames > MOST_SECONDS * sound.samplerate:
                raise ValueError(f"it claims {sound.frames} samples, {sound.samplerate} a second")
            yield sound
    except (OSError, ValueError, RuntimeError) as error:
        raise EnvLost(f"{name} cannot be read: {_told(error)}") from error


def read_sound(file: Path | bytes, name: str) -> tuple[Any, int]:
    """All samples of a sound file, float32 in -1..1 of shape (samples, channels), and samples a second.

    Raises:
        EnvLost: it cannot be read, or is too long.
    """
    with open_sound(file, name) as sound:
        if sound.frames * sound.channels > MOST_SAMPLES:
            raise ValueError(f"it claims {sound.frames} samples of {sound.channels} channels")
        return sound.read(dtype="float32", always_2d=True), sound.samplerate


def size_of_picture(file: Any) -> Size:
    """Width and height of an opened picture file in pixels, from its head.

    Raises:
        OSError: it is no picture, or too large to be decoded.
    """
    from PIL import Image as pil

    try:
        with pil.open(file, formats=PICTURE_FORMATS) as opened:
            size = Size(*opened.size)
    except (pil.DecompressionBombError, ValueError, SyntaxError) as error:
        # What Pillow says of a damaged head depends on the format.
        raise OSError(str(error)) from None
    if (reason := why_too_large(opened.size)) is not None:
        raise OSError(reason)
    return size


def _told(error: BaseException) -> str:
    return str(getattr(error, "strerror", None) or error)
