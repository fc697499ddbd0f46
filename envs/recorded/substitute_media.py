"""Other sound and video of the same length in place of the true ones: controls for what agents hear and see move."""

from __future__ import annotations

import hashlib
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import SAMPLE_RATE, AudioClip, Image, VideoClip

LOUDNESS = 0.05
"""Of the noise in place of a clip in which nothing sounds: root mean square relative to full scale."""
BLOCK = 16
"""Side of a block of one colour in a picture of noise, in pixels."""
PICTURES = 8
"""How many pictures of noise an environment has; each frame shows one of them."""


class StandIn(Protocol):
    """Makes clips that take the place of true ones: of equal span, length, size, frame count and frame times."""

    def sound(self, env: str, clip: AudioClip) -> AudioClip:
        """What is heard in `env` instead of a clip."""
        ...

    def film(self, env: str, clip: VideoClip) -> VideoClip:
        """What is seen in `env` instead of a clip."""
        ...


class Silence:
    """No sound at all, and a still: every frame shows what the clip's last one does."""

    def sound(self, env: str, clip: AudioClip) -> AudioClip:
        """Zeros."""
        return AudioClip(bytes(len(clip.pcm)), env, clip.start)

    def film(self, env: str, clip: VideoClip) -> VideoClip:
        """The last frame, again and again."""
        return VideoClip([clip.frames[-1].at(env, frame.start) for frame in clip.frames], clip.end, env)


class Noise:
    """White noise as loud as what it replaces (`LOUDNESS` where that is silent), and frames of random blocks.

    Noise is a function of the seed, the environment and the time: two clips of one moment have the same samples,
    loudness apart, and the same frames.

    Args:
        seed: of all of it.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._pictures: dict[tuple[str, Size], tuple[Image, ...]] = {}

    def sound(self, env: str, clip: AudioClip) -> AudioClip:
        """Evenly distributed samples, scaled to the clip's root mean square.

        Above 0.57 of full scale, which no clip but a square wave has, they are cut off and a little less loud.
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
        """One of the pictures of noise in place of each frame."""
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
        """Samples in -1..1 by their number since the world began; those of a second are drawn together."""
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
        # The frames that show it then need not find it out one by one.
        _ = picture.digest
        return picture

    def _draw(self, env: str, what: str, number: int) -> int:
        digest = hashlib.sha256(f"{self._seed}\x1f{env}\x1f{what}\x1f{number}".encode()).digest()
        return int.from_bytes(digest[:8], "big")


def fitted_sound(source: AudioClip, start: float, env: str, clip: AudioClip) -> AudioClip:
    """A clip's sound replaced by what `source` has from `start` on its own clock: from the beginning again where it
    ends too early, cut where it is too long, silence where it has nothing at all."""
    count = len(clip.pcm) // 2
    found = source.slice(start, start + clip.seconds).array()
    found = found if found.size else source.array()
    if not found.size:
        return Silence().sound(env, clip)
    return AudioClip.from_array(np.resize(found, count), env, clip.start)


def fitted_film(source: VideoClip, start: float, env: str, clip: VideoClip) -> VideoClip:
    """A clip's frames replaced by what `source` shows at those times, `start` on its own clock being the clip's start:
    from the beginning again where it ends too early; scaled where its size is another."""
    part = source.slice(start, start + clip.seconds)
    times = np.array([frame.start for frame in part.frames])
    scaled: dict[int, Image] = {}
    frames = []
    for frame in clip.frames:
        at = frame.start - clip.start
        # The last frame is at the end, which a clip of the same length still has.
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
