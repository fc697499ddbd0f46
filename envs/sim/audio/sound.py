"""The sounds of the simulated world, and mixing them for an interval."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from types import MappingProxyType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs.sim.audio.noise import noise
from omnipilot.envs.sim.audio.scores import dial_tones, melody, pitch, tone, tune
from omnipilot.envs.sim.audio.waves import SoundPattern, WaveNote
from omnipilot.envs.speech.synthesis import synthesize
from omnipilot.envs.types.media import SAMPLE_RATE, AudioClip

MAX_GAIN = 1000


class Waveform(Protocol):
    """The repeated unit of a sound: a `SoundPattern` of notes, `Spoken` words or `BackgroundNoise`."""

    @property
    def seconds(self) -> float:
        """Length of one repetition."""
        ...

    def samples(self) -> NDArray[np.int32]:
        """One repetition, within 16 bits."""
        ...


@dataclass(frozen=True, slots=True)
class Sound:
    """One sound in the world's history.

    Attributes:
        name: a key of `SOUNDS`, or a description such as "dtmf:12345" (see `pattern`).
        start: seconds on the world's clock.
        seconds: duration; the pattern is repeated and cut at the end.
        gain: percent, 0..1000.
        skip: seconds to skip at the start of the pattern.

    Raises:
        ValueError: the sound is unknown, or a number is out of range.
    """

    name: str
    start: float
    seconds: float
    gain: int = 100
    skip: float = 0.0

    def __post_init__(self) -> None:
        pattern(self.name)
        if not 0 <= self.gain <= MAX_GAIN or self.seconds < 0 or self.skip < 0:
            raise ValueError(f"a sound's gain must be 0..{MAX_GAIN} percent and its length at least 0 s, not {self}")


SOUNDS: Mapping[str, SoundPattern] = MappingProxyType(
    {
        "alarm": SoundPattern(1000, tuple(WaveNote(at, 80, 2_000_000, 420, "reed") for at in (0, 125, 250, 375))),
        "ringtone": tune(125, "soft", "struck", 420, "E5 + B4 E5 A5 + + + E5 + B4 E5 A5 + + + - - - - - - - -"),
        "chime": SoundPattern(
            1200,
            (
                WaveNote(0, 900, pitch("E5"), 330, "bell", "struck"),
                WaveNote(180, 1000, pitch("A5"), 330, "bell", "struck"),
            ),
        ),
        "ding": SoundPattern(700, (WaveNote(0, 700, pitch("E6"), 450, "bell", "struck"),)),
        "alarm_rising": SoundPattern(
            1400, tuple(WaveNote(i * 140, 110, 900_000 + i * 150_000, 400, "reed") for i in range(6))
        ),
        "alarm_siren": SoundPattern(
            1000, (WaveNote(0, 500, 960_000, 400, "soft"), WaveNote(500, 500, 770_000, 400, "soft"))
        ),
        "alarm_slow": SoundPattern(
            1500, (WaveNote(0, 350, 1_250_000, 420, "soft"), WaveNote(500, 350, 1_250_000, 420, "soft"))
        ),
        "ringtone_bells": tune(110, "bell", "struck", 380, "G5 B5 D6 G6 + D6 B5 + G5 B5 D6 G6 + + + - - - - -"),
        "ringtone_marimba": tune(140, "soft", "struck", 420, "C5 G5 E5 G5 C6 + A5 + G5 E5 D5 + C5 + - - - -"),
        "ringtone_pulse": tune(90, "reed", "held", 340, "A4 E5 A4 E5 A4 E5 - - B4 F#5 B4 F#5 B4 F#5 - - - - - -"),
        "busy": SoundPattern(1000, (WaveNote(0, 500, 480_000, 230, "sine"), WaveNote(0, 500, 620_000, 230, "sine"))),
        "chime_door": SoundPattern(
            1600,
            (
                WaveNote(0, 800, pitch("G5"), 340, "bell", "struck"),
                WaveNote(450, 1150, pitch("D#5"), 340, "bell", "struck"),
            ),
        ),
        "chime_three": SoundPattern(
            1700,
            tuple(WaveNote(i * 220, 1200, pitch(n), 300, "bell", "struck") for i, n in enumerate(("C5", "F5", "A5"))),
        ),
        "ding_low": SoundPattern(900, (WaveNote(0, 900, pitch("B4"), 450, "bell", "struck"),)),
        "error": SoundPattern(500, (WaveNote(0, 200, 220_000, 420, "reed"), WaveNote(230, 250, 165_000, 420, "reed"))),
        "click": SoundPattern(40, (WaveNote(0, 20, 1_800_000, 350, "soft", "struck"),)),
        "melody_a": tune(250, "soft", "struck", 400, "C5 E5 G5 C6 + G5 E5 C5 + F5 A5 C6 + G5 + +"),
        "melody_b": tune(200, "reed", "struck", 360, "A4 + E4 A4 + C5 B4 A4 + E4 + D4 + C4 A3 + + + - -"),
        "waltz": tune(
            220, "soft", "struck", 400, "C5 E5 G5 C5 E5 G5 D5 F5 A5 D5 F5 A5 E5 G5 C6 E5 G5 C6 D5 + G4 C5 + +"
        ),
        "march": tune(200, "reed", "struck", 360, "C4 - C4 C4 E4 - G4 - E4 - G4 - C5 + + - G4 - E4 - C4 + + -"),
        "lullaby": tune(400, "bell", "struck", 330, "E5 E5 G5 + E5 E5 G5 + E5 G5 C6 B4 A4 A4 G4 + D5 F5 A4 + G4 + + -"),
        "jig": tune(130, "soft", "struck", 400, "G4 B4 D5 B4 D5 G5 E5 C5 E5 D5 B4 G4 A4 B4 C5 D5 E5 F5 G5 + D5 G5 + -"),
        "blues": tune(260, "reed", "struck", 340, "A3 C4 D4 + E4 + D4 C4 A3 + - A3 C4 D4 E4 G4 A4 + G4 E4 D4 C4 A3 -"),
        "canon": tune(300, "sine", "held", 380, "F5 + E5 + D5 + C5 + B4 + A4 + B4 + C5 + D5 C5 B4 C5 A4 B4 C5 + -"),
        "ringback": SoundPattern(4000, (WaveNote(0, 1000, 425_000, 300, "sine", "steady"),)),
        "tone_low": SoundPattern(1000, (WaveNote(0, 1000, pitch("A3"), 400, "sine", "steady"),)),
        "tone_high": SoundPattern(1000, (WaveNote(0, 1000, pitch("A5"), 400, "sine", "steady"),)),
        "buzz": SoundPattern(1000, tuple(WaveNote(at, 220, 150_000, 450, "reed") for at in (0, 300))),
    }
)
"""The named sounds; `SOUNDS[name].seconds` is the length of one repetition."""


_WRITTEN: Mapping[str, Callable[[str], Waveform]] = MappingProxyType(
    {"dtmf": dial_tones, "melody": melody, "noise": noise, "speech": synthesize, "tone": tone}
)


@lru_cache(maxsize=512)
def pattern(name: str) -> Waveform:
    """The repeated unit of the sound called `name`.

    Besides the keys of `SOUNDS`, names may describe a sound: "dtmf:12#", "melody:C4,E4,-,G4" (see `melody`),
    "tone:880", "noise:pink:-30" (see `noise`), "speech:en-a:the code is 4711" (see `synthesize`).

    Raises:
        ValueError: the sound is unknown; the message names the nearest.
    """
    if name in SOUNDS:
        return SOUNDS[name]
    prefix, colon, rest = name.partition(":")
    if colon and prefix in _WRITTEN:
        return _WRITTEN[prefix](rest)
    near = ", ".join(get_close_matches(name, SOUNDS)) or ", ".join(SOUNDS)
    raise ValueError(f"unknown sound {name!r}; available are {near}, and {', '.join(f'{key}:' for key in _WRITTEN)}")


def recordings() -> dict[str, AudioClip]:
    """One repetition of each named sound of at least 0.1 s, for enrolling the sounds of this world."""
    return {
        name: mix([Sound(name, 0.0, one.seconds)], "", 0.0, one.seconds)
        for name, one in SOUNDS.items()
        if one.seconds >= 0.1
    }


def mix(sounds: Sequence[Sound], env: str, start: float, end: float) -> AudioClip:
    """Mix the sounds in `env` from `start` to `end`, in seconds on the world's clock.

    The clip has round((end - start) * 16000) samples; they are 0 where there is no sound, and clipped to full scale
    where the sum is too loud. Adjacent clips that meet at a whole sample join seamlessly.

    Raises:
        ValueError: `end` is before `start`.
    """
    if end < start:
        raise ValueError(f"a clip must end at or after its start, not {start}..{end}")
    first, count = round(start * SAMPLE_RATE), round((end - start) * SAMPLE_RATE)
    total: NDArray[np.int32] | None = None
    for sound in sounds:
        begins = round(sound.start * SAMPLE_RATE) - first
        left = max(0, begins)
        right = min(count, begins + round(sound.seconds * SAMPLE_RATE))
        if left >= right or not sound.gain:
            continue
        if total is None:
            total = np.zeros(count, np.int32)
        _add(total[left:right], _loud(sound.name, sound.gain), left - begins + round(sound.skip * SAMPLE_RATE))
    if total is None:
        return AudioClip.silence(count, env, start)
    return AudioClip.from_array(np.clip(total, -32768, 32767).astype(np.int16), env, start)


def _add(out: NDArray[np.int32], samples: NDArray[np.int32], offset: int) -> None:
    """Add an endless repetition of `samples`, starting at sample `offset`."""
    at, offset = 0, offset % len(samples)
    while at < len(out):
        length = min(len(out) - at, len(samples) - offset)
        out[at : at + length] += samples[offset : offset + length]
        at, offset = at + length, 0


@lru_cache(maxsize=32)
def _loud(name: str, gain: int) -> NDArray[np.int32]:
    samples = pattern(name).samples()
    return samples if gain == 100 else samples * np.int32(gain) // np.int32(100)
