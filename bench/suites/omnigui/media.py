"""Reads sound and video files as clips that end at a given time, decoded on first use and only as far as needed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.envs import AudioClip, ConfigError, EnvLost, Image, Size, VideoClip
from omnipilot.envs.types import (
    SAMPLE_RATE,
    film_span,
    open_film,
    pixel_ratio,
    read_sound,
    require,
    shown_pixels,
    shown_size,
    sound_seconds,
)


@dataclass(frozen=True, slots=True)
class VideoSampling:
    """How much of a video is kept.

    Attributes:
        fps: frames per second. frames: maximum number, spread evenly over a longer video.
        side: pixels of the longer side, to which larger frames are shrunk; 0 keeps their size.
    """

    fps: float = 4.0
    frames: int = 32
    side: int = 960

    def __post_init__(self) -> None:
        if self.fps <= 0 or self.frames < 1 or self.side < 0:
            raise ConfigError("fps must be above 0, frames at least 1, and side at least 0")

    def times(self, seconds: float) -> list[float]:
        """The sampling times from a video's start; each frame is shown until the next time."""
        count = min(self.frames, max(1, round(seconds * self.fps)))
        return [seconds * number / count for number in range(count)]


def seconds_of(video: Path | None, audio: Path | None) -> float:
    """The duration of the longer of two files, by what they hold; 0 without files.

    Raises:
        MissingExtra: there is a video, and PyAV is not installed. EnvLost: a file cannot be read.
    """
    found = [0.0]
    if audio is not None:
        found.append(sound_seconds(audio, audio.name))
    if video is not None:
        found.append(film_span(video).seconds)
    return max(found)


def sound(path: Path, env: str, end: float) -> AudioClip:
    """A sound file as mono sound at 16 kHz that ends at `end`.

    Channels are averaged, other rates resampled to 16 kHz via their spectrum (content above 8 kHz is cut off).

    Raises:
        EnvLost: the file cannot be read.
    """
    import numpy as np

    samples, rate = read_sound(path, path.name)
    mono = _resampled(samples.mean(axis=1), rate)
    pcm = np.clip(np.round(mono * 32768), -32768, 32767).astype(np.int16)
    return AudioClip.from_array(pcm, env, end - len(pcm) / SAMPLE_RATE)


def film(path: Path, env: str, end: float, sampling: VideoSampling) -> VideoClip:
    """A video file as a clip that ends at `end`.

    Raises:
        MissingExtra: PyAV is not installed. EnvLost: the file cannot be read.
    """
    span = film_span(path)
    wanted = sampling.times(span.seconds)
    start = end - span.seconds
    frames: list[Image] = []
    with open_film(path) as container:
        shown: Any = None
        ratio = pixel_ratio(container.streams.video[0]) if container.streams.video else 1.0
        for frame in _frames(container, path):
            # A frame is seen until the next one: the one before is what was seen at the times up to here.
            at = frame.time - span.start - 1e-6 if frame.time is not None else -1.0
            while shown is not None and len(frames) < len(wanted) and wanted[len(frames)] < at:
                frames.append(_picture(shown, ratio, env, start + wanted[len(frames)], sampling.side))
            shown = frame
        if shown is None:
            raise EnvLost(f"{path.name} contains no frame")
        while len(frames) < len(wanted):
            frames.append(_picture(shown, ratio, env, start + wanted[len(frames)], sampling.side))
    return VideoClip(frames, end, env)


def _frames(container: Any, path: Path) -> Any:
    av: Any = require("av", "video")
    if not container.streams.video:
        raise EnvLost(f"{path.name} contains no video")
    try:
        yield from container.decode(video=0)
    except av.error.FFmpegError as error:
        raise EnvLost(f"{path.name} cannot be decoded: {error}") from error


def _picture(frame: Any, ratio: float, env: str, time: float, side: int) -> Image:
    whole = shown_size(frame, ratio)
    scale = min(1.0, side / max(whole.width, whole.height)) if side else 1.0
    size = Size(max(1, round(whole.width * scale)), max(1, round(whole.height * scale)))
    return Image.from_array(shown_pixels(frame, size), env, time)


def _resampled(samples: Any, rate: int) -> Any:
    import numpy as np

    if rate == SAMPLE_RATE or not len(samples):
        return samples
    count = round(len(samples) * SAMPLE_RATE / rate)
    spectrum = np.fft.rfft(samples)
    kept = np.zeros(count // 2 + 1, dtype=spectrum.dtype)
    common = min(len(kept), len(spectrum))
    kept[:common] = spectrum[:common]
    return np.fft.irfft(kept, count) * (count / len(samples))
