"""Films as players show them: upright, with square pixels, from the first moment on, as long as their frames last.

What the head of a file says of duration and number of frames is not believed: recorders that stream, or are killed,
never write it. What it says of rotation and of the shape of a pixel is followed, as players do.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omnipilot.envs.types.errors import EnvLost, require
from omnipilot.envs.types.foreign_media import MOST_SECONDS, UnknownSound, open_film, open_sound
from omnipilot.envs.types.geometry import Size

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class FilmSpan:
    """When a film begins on its own clock, and how long it lasts, both in seconds.

    Attributes:
        start: what a player shows as 0:00. Times of decoded frames count from another moment in files that were cut
            out of longer ones.
    """

    start: float
    seconds: float


def film_span(film: Path | bytes, name: str = "") -> FilmSpan:
    """The span of a film or sound file, by the times of what it holds; nothing is decoded.

    Raises:
        MissingExtra: PyAV is not installed.
        EnvLost: it cannot be read, or lasts longer than `MOST_SECONDS`.
    """
    av: Any = require("av", "video")
    name = name or (film.name if isinstance(film, Path) else "a film")
    ends: dict[int, float] = {}
    starts: dict[int, float] = {}
    last: dict[int, float] = {}
    gaps: dict[int, float] = {}
    with open_film(film, name) as container:
        begun = None if container.start_time is None else container.start_time / 1e6
        tracks = [*container.streams.video[:1], *container.streams.audio[:1]]
        rates = {one.index: float(one.average_rate) for one in container.streams.video[:1] if one.average_rate}
        try:
            for packet in container.demux(*tracks) if tracks else ():
                if packet.pts is None or packet.time_base is None:
                    continue
                track, at = packet.stream_index, float(packet.pts * packet.time_base)
                if at > last.get(track, -1.0) and track in last:
                    gaps[track] = min(gaps.get(track, at - last[track]), at - last[track])
                last[track] = max(at, last.get(track, at))
                starts[track] = min(at, starts.get(track, at))
                lasts = float(packet.duration * packet.time_base) if packet.duration else 0.0
                # A recorder that streams does not know how long its last frame lasts; as long as the others, then.
                end = at + (lasts or gaps.get(track) or (1 / rates[track] if track in rates else 0.0))
                ends[track] = max(end, ends.get(track, end))
        except (OSError, ValueError, av.error.FFmpegError) as error:
            raise EnvLost(f"{name} cannot be read: {error}") from error
    if not ends:
        return FilmSpan(begun or 0.0, 0.0)
    first = min(starts.values()) if begun is None else begun
    seconds = max(0.0, max(ends.values()) - first)
    if seconds > MOST_SECONDS:
        raise EnvLost(f"{name} is not read: it lasts {seconds:.0f} s, more than {MOST_SECONDS:.0f}")
    return FilmSpan(first, seconds)


def sound_seconds(file: Path | bytes, name: str) -> float:
    """How long a sound file lasts, in seconds, by what it holds.

    Raises:
        EnvLost: it cannot be read. MissingExtra: it would need PyAV, which is not installed.
    """
    try:
        with open_sound(file, name) as sound:
            return float(sound.frames / sound.samplerate)
    except UnknownSound:
        return film_span(file, name).seconds


def pixel_ratio(stream: Any) -> float:
    """Width of a pixel by its height in a video stream of PyAV; 1 where nothing, or nonsense, is said."""
    ratio = getattr(stream, "sample_aspect_ratio", None)
    return float(ratio) if ratio and 0.1 <= ratio <= 10 else 1.0


def shown_size(frame: Any, ratio: float = 1.0) -> Size:
    """Width and height at which a player shows a frame of PyAV: upright, and with square pixels.

    Args:
        ratio: of its stream (`pixel_ratio`); pixels that are no squares change the width, as in players.
    """
    width, height = max(1, round(frame.width * ratio)), frame.height
    return Size(height, width) if _quarter_turns(frame) % 2 else Size(width, height)


def shown_pixels(frame: Any, size: Size, interpolation: str | None = None) -> NDArray[np.uint8]:
    """The pixels of a frame of PyAV as a player shows them, shape (rows, columns, 3), uint8, RGB.

    Args:
        size: to scale to, such as `shown_size`. interpolation: PyAV's name of a way to scale.
    """
    width, height = (size.height, size.width) if _quarter_turns(frame) % 2 else (size.width, size.height)
    pixels = frame.reformat(width=width, height=height, format="rgb24", interpolation=interpolation).to_ndarray()
    return upright(frame, pixels)


def upright(frame: Any, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Pixels of a frame, shape (rows, columns) or (rows, columns, channels), turned as the head of its film says."""
    import numpy as np

    turns = _quarter_turns(frame)
    return np.ascontiguousarray(np.rot90(pixels, turns)) if turns else pixels


def _quarter_turns(frame: Any) -> int:
    """Quarter turns against the clock, 0 to 3."""
    return round(float(frame.rotation or 0) / 90) % 4
