"""The sounds of the simulated world, and what is heard of them between two times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs.media import SAMPLE_RATE, AudioClip
from omnipilot.envs.sim.waves import Note, Pattern, Shape, Timbre, wave

MAX_GAIN = 1000

# Thousandths of a hertz, equal temperament.
_PITCH = {
    "A3": 220000, "C4": 261626, "D4": 293665, "E4": 329628, "F4": 349228, "G4": 391995, "A4": 440000, "B4": 493883,
    "C5": 523251, "D5": 587330, "E5": 659255, "F5": 698456, "G5": 783991, "A5": 880000, "B5": 987767, "C6": 1046502,
    "E6": 1318510, "A6": 1760000,
}  # fmt: skip
_DTMF_ROWS = (697_000, 770_000, 852_000, 941_000)
_DTMF_COLUMNS = (1_209_000, 1_336_000, 1_477_000, 1_633_000)
_DTMF_KEYS = "123A456B789C*0#D"
_DTMF_ON, _DTMF_STEP = 120, 200


@dataclass(frozen=True, slots=True)
class Sound:
    """One sound in the world's history.

    Attributes:
        name: a key of `SOUNDS`, or "dtmf:" and the keys dialled, as in "dtmf:12345".
        start: seconds on the world's clock.
        seconds: how long it sounds; its pattern is repeated and cut at the end.
        gain: percent, 0..1000.

    Raises:
        ValueError: there is no such sound, or a number is out of its range.
    """

    name: str
    start: float
    seconds: float
    gain: int = 100

    def __post_init__(self) -> None:
        pattern(self.name)
        if not 0 <= self.gain <= MAX_GAIN or self.seconds < 0:
            raise ValueError(f"a sound has a gain of 0..{MAX_GAIN} percent and lasts 0 s or more, not {self}")


def _tune(beat: int, timbre: Timbre, shape: Shape, level: int, notes: str) -> Pattern:
    """A melody: names of notes, each for one beat of `beat` ms; "-" is a rest, "+" lets the note before ring on."""
    names = notes.split()
    found = []
    for index, name in enumerate(names):
        if name in "-+":
            continue
        beats = 1
        while index + beats < len(names) and names[index + beats] == "+":
            beats += 1
        found.append(Note(index * beat, beats * beat, _PITCH[name], level, timbre, shape))
    return Pattern(len(names) * beat, tuple(found))


SOUNDS: Mapping[str, Pattern] = MappingProxyType(
    {
        "alarm": Pattern(1000, tuple(Note(at, 80, 2_000_000, 420, "reed") for at in (0, 125, 250, 375))),
        "ringtone": _tune(125, "soft", "struck", 420, "E5 + B4 E5 A5 + + + E5 + B4 E5 A5 + + + - - - - - - - -"),
        "chime": Pattern(
            1200,
            (Note(0, 900, _PITCH["E5"], 330, "bell", "struck"), Note(180, 1000, _PITCH["A5"], 330, "bell", "struck")),
        ),
        "ding": Pattern(700, (Note(0, 700, _PITCH["E6"], 450, "bell", "struck"),)),
        "click": Pattern(40, (Note(0, 20, 1_800_000, 350, "soft", "struck"),)),
        "melody_a": _tune(250, "soft", "struck", 400, "C5 E5 G5 C6 + G5 E5 C5 + F5 A5 C6 + G5 + +"),
        "melody_b": _tune(200, "reed", "struck", 360, "A4 + E4 A4 + C5 B4 A4 + E4 + D4 + C4 A3 + + + - -"),
        "tone_low": Pattern(1000, (Note(0, 1000, _PITCH["A3"], 400, "sine", "steady"),)),
        "tone_high": Pattern(1000, (Note(0, 1000, _PITCH["A5"], 400, "sine", "steady"),)),
        "buzz": Pattern(1000, tuple(Note(at, 220, 150_000, 450, "reed") for at in (0, 300))),
    }
)
"""The named sounds; `SOUNDS[name].seconds` is the length of one repetition."""


def pattern(name: str) -> Pattern:
    """What the sound called `name` repeats.

    Raises:
        ValueError: there is no such sound; the message names the nearest.
    """
    if name in SOUNDS:
        return SOUNDS[name]
    prefix, _, keys = name.partition(":")
    if prefix == "dtmf" and keys and all(key in _DTMF_KEYS for key in keys):
        return _dialled(keys)
    near = ", ".join(get_close_matches(name, SOUNDS)) or ", ".join(SOUNDS)
    raise ValueError(f"no sound is called {name!r}; there is {near}, and dtmf: with keys of {_DTMF_KEYS}")


def mix(sounds: Sequence[Sound], env: str, start: float, end: float) -> AudioClip:
    """What is heard in `env` from `start` to `end`, in seconds on the world's clock.

    The clip has round((end - start) * 16000) samples; where nothing sounds they are 0, where the sum is too loud they
    stay at full scale. Clips that meet at a whole sample join without a seam.

    Raises:
        ValueError: `end` is before `start`.
    """
    if end < start:
        raise ValueError(f"a clip ends at or after its start, not {start}..{end}")
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
        _add(total[left:right], _loud(sound.name, sound.gain), left - begins)
    if total is None:
        return AudioClip(bytes(2 * count), env, start)
    return AudioClip.from_array(np.clip(total, -32768, 32767).astype(np.int16), env, start)


def _add(out: NDArray[np.int32], samples: NDArray[np.int32], offset: int) -> None:
    """Add the endless repetition of `samples`, from its sample `offset` on."""
    at, offset = 0, offset % len(samples)
    while at < len(out):
        length = min(len(out) - at, len(samples) - offset)
        out[at : at + length] += samples[offset : offset + length]
        at, offset = at + length, 0


@lru_cache(maxsize=64)
def _loud(name: str, gain: int) -> NDArray[np.int32]:
    samples = wave(pattern(name))
    return samples if gain == 100 else samples * np.int32(gain) // np.int32(100)


@lru_cache(maxsize=256)
def _dialled(keys: str) -> Pattern:
    notes = []
    for index, key in enumerate(keys):
        row, column = divmod(_DTMF_KEYS.index(key), 4)
        for pitch in (_DTMF_ROWS[row], _DTMF_COLUMNS[column]):
            notes.append(Note(index * _DTMF_STEP, _DTMF_ON, pitch, 250))
    return Pattern(len(keys) * _DTMF_STEP + 400, tuple(notes))
