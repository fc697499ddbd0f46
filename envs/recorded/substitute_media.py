"""Substitute audio and video of the same length: controls for whether agents use what they hear and see."""

from __future__ import annotations

import hashlib
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import SAMPLE_RATE, AudioClip, Image, VideoClip

LOUDNESS = 0.05
"""Root mean square, relative to full scale, of the noise that replaces a silent clip."""
BLOCK = 16
"""Side of a single-colour block in a noise image, in pixels."""
PICTURES = 8
"""Number of noise images per environment; each frame shows one of them."""


class StandIn(Protocol):
    """Creates substitute clips with equal span, length, size, frame count and frame times."""

    def sound(self, env: str, clip: AudioClip) -> AudioClip:
        """The substitute for an audio clip in `env`."""
        ...

    def film(self, env: str, clip: VideoClip) -> VideoClip:
        """The substitute for a video clip in `env`."""
        ...


class Silence:
    """Silence and a still: every frame is the clip's last one."""

    def sound(self, env: str, clip: AudioClip) -> AudioClip:
        """A clip of zeros."""
        return AudioClip(bytes(len(clip.pcm)), env, clip.start)

    def film(self, env: str, clip: VideoClip) -> VideoClip:
        """The last frame, repeated."""
        return VideoClip([clip.frames[-1].at(env, frame.start) for frame in clip.frames], clip.end, env)


class Noise:
    """White noise as loud as the original (`LOUDNESS` if that is silent), and frames of random blocks.

    Noise depends on the seed, the environment and the time: two clips of one moment have the same samples,
    except for loudness, and the same frames.

    Args:
        seed: seed of all noise.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._pictures: dict[tuple[str, Size], tuple[Image, ...]] = {}

    def sound(self, env: str, clip: AudioClip) -> AudioClip:
        """Uniformly distributed samples, scaled to the clip's root mean square.

        Above 0.57 of full scale, which only a square wave reaches, they are clipped and slightly quieter.
        """
        count = len(clip.pcm) // 2
        if not count:
            return AudioClip(b"", env, clip.start)
        first = round(clip.start * SAMPLE_RATE)
        samples = self._samples(env, first, first + count)
        scale = 32768 * (clip.loudness() or LOUDNESS) / np.sqrt(np.mean(samples**2))
        pcm = np.clip(np.rint(samples * scale), -32768, 32767).astype(np.int16)
        return AudioClip.from_array(pcm, env, clip.start)

    def film(self, env: str, clip: VideoClip) -> VideoClip:
        """One of the noise images in place of each frame."""
        key = (env, clip.size)
        if key not in self._pictures:
            self._pictures[key] = tuple(self._picture(env, clip.size, number) for number in range(PICTURES))
        pictures = self._pictures[key]
        frames = [
            pictures[self._draw(env, "frame", round(frame.start * 1000)) % PICTURES].at(env, frame.start)
            for frame in clip.frames
        ]
        return VideoClip(frames, clip.end, env)

    def _samples(self, env: str, first: int, last: int) -> NDArray[np.float64]:
        """Samples in -1..1 by their index since the world's start; those of one second are generated together."""
        start, end = first // SAMPLE_RATE, -(-last // SAMPLE_RATE)
        seconds = [
            np.random.default_rng(self._draw(env, "second", second)).uniform(-1, 1, SAMPLE_RATE)
            for second in range(start, end)
        ]
        return np.concatenate(seconds)[first - start * SAMPLE_RATE : last - start * SAMPLE_RATE]

    def _picture(self, env: str, size: Size, number: int) -> Image:
        chance = np.random.default_rng(self._draw(env, f"picture {size}", number))
        blocks = chance.integers(0, 256, (-(-size.height // BLOCK), -(-size.width // BLOCK), 3), dtype=np.uint8)
        pixels = blocks.repeat(BLOCK, axis=0).repeat(BLOCK, axis=1)[: size.height, : size.width]
        picture = Image.from_array(pixels, env)
        # Computed once here, not for each frame that shows it.
        _ = picture.digest
        return picture

    def _draw(self, env: str, what: str, number: int) -> int:
        digest = hashlib.sha256(f"{self._seed}\x1f{env}\x1f{what}\x1f{number}".encode()).digest()
        return int.from_bytes(digest[:8], "big")


def fitted_sound(source: AudioClip, start: float, env: str, clip: AudioClip) -> AudioClip:
    """Replace a clip's sound with `source` from `start` on its own clock: repeated if too short, cut if too long, and
    silence if it is empty."""
    count = len(clip.pcm) // 2
    found = source.slice(start, start + clip.seconds).array()
    found = found if found.size else source.array()
    if not found.size:
        return Silence().sound(env, clip)
    return AudioClip.from_array(np.resize(found, count), env, clip.start)


def fitted_film(source: VideoClip, start: float, env: str, clip: VideoClip) -> VideoClip:
    """Replace a clip's frames with those of `source` at the same times, where `start` on its own clock is the clip's
    start: repeated if too short, and scaled if its size differs."""
    part = source.slice(start, start + clip.seconds)
    times = np.array([frame.start for frame in part.frames])
    scaled: dict[int, Image] = {}
    frames = []
    for frame in clip.frames:
        at = frame.start - clip.start
        # The last frame is at the end, which a clip of the same length still includes.
        into = at if at <= part.seconds + 1e-6 or not part.seconds else at % part.seconds
        shown = max(0, int(np.searchsorted(times, part.start + into + 1e-6, side="right")) - 1)
        if shown not in scaled:
            scaled[shown] = _scaled(part.frames[shown], clip.size)
            _ = scaled[shown].digest
        frames.append(scaled[shown].at(env, frame.start))
    return VideoClip(frames, clip.end, env)


def _scaled(picture: Image, size: Size) -> Image:
    if picture.size == size:
        return picture
    from PIL import Image as pil

    whole = pil.frombytes("RGB", (picture.size.width, picture.size.height), picture.rgb)
    return Image.raw(size, whole.resize((size.width, size.height), pil.Resampling.BILINEAR).tobytes())
