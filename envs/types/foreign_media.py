"""Pictures, sounds and films that others made are opened here: listed formats, sizes looked at before decoding.

Decoders choose by content, not by name: what is called `.png` may be a PostScript program, a playlist that names other
files and servers, or a picture of more pixels than there is memory.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from omnipilot.envs.types.errors import EnvLost, MissingExtra, require
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


_UNKNOWN_FORMAT = 1
"""The error of libsndfile (SF_ERR_UNRECOGNISED_FORMAT) for a file of a format that it does not know."""
_LONGEST_HEAD = 1 << 16
"""Bytes of a WAV in which its samples begin."""


class UnknownSound(EnvLost):
    """A sound file of a format that soundfile does not know."""


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

    A WAV whose head was never finished, of a recorder that was killed or wrote to a pipe, lasts to its end.

    Raises:
        UnknownSound: soundfile knows no such format; `read_sound` decodes those of phones and browsers, too.
        EnvLost: it cannot be read, or is too long; or what is done with it within fails on its content.
    """
    import soundfile  # type: ignore[import-untyped,unused-ignore]

    try:
        opened = io.BytesIO(file) if isinstance(file, bytes) else open_file(file)
        with opened, soundfile.SoundFile(with_finished_head(opened)) as sound:
            if sound.samplerate not in SAMPLE_RATES or sound.frames > MOST_SECONDS * sound.samplerate:
                raise ValueError(f"it claims {sound.frames} samples, {sound.samplerate} a second")
            yield sound
    except (OSError, ValueError, RuntimeError) as error:
        kind = UnknownSound if getattr(error, "code", None) == _UNKNOWN_FORMAT else EnvLost
        raise kind(f"{name} cannot be read: {_told(error)}") from error


def read_sound(file: Path | bytes, name: str) -> tuple[Any, int]:
    """All samples of a sound file, float32 in -1..1 of shape (samples, channels), and samples a second.

    What soundfile does not know, such as m4a, aac, 3gp, webm and the sound of films, is decoded by PyAV.

    Raises:
        EnvLost: it cannot be read, has no sound, or is too long; or PyAV would be needed and is not installed.
    """
    try:
        with open_sound(file, name) as sound:
            if sound.frames * sound.channels > MOST_SAMPLES:
                raise ValueError(f"it claims {sound.frames} samples of {sound.channels} channels")
            return sound.read(dtype="float32", always_2d=True), sound.samplerate
    except UnknownSound as error:
        try:
            return _decoded_sound(file, name)
        except MissingExtra as missing:
            raise EnvLost(f"{error}; other formats need PyAV: {missing}") from missing


def _decoded_sound(file: Path | bytes, name: str) -> tuple[Any, int]:
    """As `read_sound`, by PyAV, in the rate and the channels of the file."""
    import numpy as np

    av: Any = require("av", "video")
    pieces: list[Any] = []
    count = 0
    with open_film(file, name) as container:
        if not container.streams.audio:
            raise EnvLost(f"{name} has no sound")
        track = container.streams.audio[0]
        track.thread_count = 1
        try:
            resampler = None
            for frame in chain(container.decode(track), (None,)):
                if resampler is None:
                    if frame is None:
                        break
                    rate, layout = frame.sample_rate, frame.layout
                    if rate not in SAMPLE_RATES:
                        raise EnvLost(f"{name} claims {rate} samples a second")
                    resampler = av.AudioResampler(format="flt", layout=layout, rate=rate)
                for piece in resampler.resample(frame):
                    pieces.append(piece.to_ndarray().reshape(-1, layout.nb_channels))
                    count += pieces[-1].size
                    if count > MOST_SAMPLES:
                        raise EnvLost(f"{name} has more than {MOST_SAMPLES} samples, channels together")
        except (OSError, ValueError, av.error.FFmpegError) as error:
            raise EnvLost(f"{name} cannot be decoded: {_told(error)}") from error
    if not pieces:
        raise EnvLost(f"{name} has no sound")
    return np.clip(np.concatenate(pieces), -1, 1).astype(np.float32), rate


def with_finished_head(file: BinaryIO) -> BinaryIO | io.RawIOBase:
    """A sound file, read through a head with true sizes if it is a WAV whose head was never finished.

    Recorders write 0 as the size of the samples, and put in the size when they end. A size that is there is believed.
    """
    head = file.read(_LONGEST_HEAD)
    end = file.seek(0, io.SEEK_END)
    file.seek(0)
    if head[:4] != b"RIFF" or head[8:12] != b"WAVE":
        return file
    at = 12
    while at + 8 <= len(head):
        kind, size = head[at : at + 4], int.from_bytes(head[at + 4 : at + 8], "little")
        if kind == b"data":
            left = end - at - 8
            if size or not left or _is_whole(head[at + 8 : at + 16], left):
                return file
            sizes = {4: end - 8, at + 4: left}
            return _Patched(file, {where: value.to_bytes(4, "little") for where, value in sizes.items()})
        at += 8 + size + size % 2
    return file


def _is_whole(follows: bytes, left: int) -> bool:
    """Whether what follows an empty chunk is another chunk, the last, and no samples."""
    return follows[:4].isalpha() and left == 8 + int.from_bytes(follows[4:8], "little")


class _Patched(io.RawIOBase):
    """A file of which some bytes read as others."""

    def __init__(self, file: BinaryIO, bytes_at: Mapping[int, bytes]) -> None:
        self._file, self._bytes_at = file, bytes_at

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def readinto(self, buffer: Any, /) -> int:
        begin = self._file.tell()
        content = bytearray(self._file.read(len(buffer)))
        for at, true in self._bytes_at.items():
            for place, byte in enumerate(true, at - begin):
                if 0 <= place < len(content):
                    content[place] = byte
        buffer[: len(content)] = content
        return len(content)


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
