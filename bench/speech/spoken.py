"""A world in which the user's instruction is heard: before the first turn, and over what the application plays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs import AudioClip, Observation, World
from omnipilot.envs.recorded.substitute_world import with_changed_view
from omnipilot.envs.types import SAMPLE_RATE

LOUDNESS = 0.07
"""Root mean square, relative to full scale, of speech beside the application's sound."""
PAUSE = 1.0
"""Seconds between two repetitions of speech over the application's sound."""
_AUDIBLE = 33
"""Samples below this (-60 dB) count as silence."""


class SpokenInstruction:
    """Adds a spoken instruction to what is heard of one device.

    It is heard whole in the first observation of the device, in front of what the application played by then: the user
    has spoken before the first turn, so that the clip begins that much earlier than it would.

    With a level, it is also heard over what the application plays, again and again with a second between, in every
    clip from the first to the last sample of at least -60 dB: at each time of the world's clock the same part of it,
    so that it goes on over as many turns as the application sounds.

    Args:
        speech: the instruction. device: on which it is heard.
        level: decibels of speech over the application's sound; None for speech beside it alone.
    """

    def __init__(self, speech: AudioClip, device: str, level: float | None = None) -> None:
        self.device = device
        self.level = level
        samples = speech.array().astype(np.float64)
        self._speech = samples / _loudness(samples)
        self._said = False

    def hear(self, seen: Observation) -> Observation:
        """An observation of a device as the agent hears it."""
        if seen.env != self.device or not self._heard(seen):
            return seen
        clip = seen.audio if isinstance(seen.audio, AudioClip) else AudioClip(b"", seen.env, seen.time)
        if self.level is not None:
            clip = mix_over(clip, self._speech, self.level)
        if not self._said:
            self._said = True
            clip = _in_front(clip, self._speech)
        return replace(seen, audio=clip)

    def _heard(self, seen: Observation) -> bool:
        """Whether there is anything to hear there: the first time always, unless sound was not asked for."""
        if isinstance(seen.audio, AudioClip):
            return True
        return not self._said and seen.audio.reason not in ("unasked", "ablated")


def speaking(world: World, spoken: SpokenInstruction) -> World:
    """The world for an agent's loop, in which the instruction is heard; judges keep the true one."""
    return with_changed_view(world, spoken.hear)


def device_for(world: World) -> str:
    """The device that hears the user: the first phone, or else the first device."""
    phones = [name for name, env in world.envs.items() if env.platform == "phone"]
    return (phones or list(world.envs))[0]


def announcement(device: str) -> str:
    """What an agent is told in place of an instruction that is only spoken."""
    return f"The instruction is spoken: listen to the sound of {device} in the first turn, and do what it says."


def mix_over(clip: AudioClip, speech: NDArray[np.float64], level: float) -> AudioClip:
    """The clip with speech over what is heard in it.

    For speech s of root mean square 1 and a clip of root mean square a from its first to its last audible sample, the
    mix there is a·10^(level/20)·s + clip. Where its peak exceeds full scale, speech and clip are both scaled down, so
    that nothing is clipped and the level stays.

    Args:
        speech: samples of root mean square 1. level: decibels of speech over the clip's sound.
    """
    samples = clip.array().astype(np.float64)
    audible = np.nonzero(np.abs(samples) >= _AUDIBLE)[0]
    if not audible.size:
        return clip
    first, last = int(audible[0]), int(audible[-1]) + 1
    loop = np.concatenate([speech, np.zeros(round(PAUSE * SAMPLE_RATE))])
    at = (round(clip.start * SAMPLE_RATE) + np.arange(first, last)) % len(loop)
    mixed = samples.copy()
    mixed[first:last] += _rms(samples[first:last]) * 10 ** (level / 20) * loop[at]
    return AudioClip.from_array(_unclipped(mixed), clip.env, clip.start)


def _in_front(clip: AudioClip, speech: NDArray[np.float64]) -> AudioClip:
    spoken = _unclipped(speech * LOUDNESS * 32768)
    both = np.concatenate([spoken, clip.array()])
    return AudioClip.from_array(both, clip.env, clip.start - len(spoken) / SAMPLE_RATE)


def _unclipped(samples: NDArray[np.float64]) -> NDArray[np.int16]:
    """As 16-bit samples, scaled down as a whole if the peak exceeds full scale."""
    peak = float(np.abs(samples).max()) if samples.size else 0.0
    return np.rint(samples * min(1.0, 32767 / peak if peak > 0 else 1.0)).astype(np.int16)


def _loudness(samples: NDArray[np.float64]) -> float:
    """Root mean square of the samples that are audible: pauses between words do not count."""
    voiced = samples[np.abs(samples) >= _AUDIBLE]
    return _rms(voiced) if voiced.size else 1.0


def _rms(samples: NDArray[np.float64]) -> float:
    return float(np.sqrt(np.mean(samples**2)))
