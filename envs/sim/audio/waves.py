"""Waveforms in integer arithmetic, so that every machine gets the same samples.

A pattern is a length and the notes in it; a note is a frequency with overtones under an envelope.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs.types.media import SAMPLE_RATE

Timbre = Literal["sine", "soft", "bell", "reed"]
Shape = Literal["steady", "held", "struck"]

# Overtones as (thousandths of the frequency, share); the shares of a timbre add up to 1000.
TIMBRES: dict[Timbre, tuple[tuple[int, int], ...]] = {
    "sine": ((1000, 1000),),
    "soft": ((1000, 780), (2000, 150), (3000, 70)),
    "bell": ((1000, 640), (2000, 180), (2760, 110), (5400, 70)),
    "reed": ((1000, 620), (3000, 230), (5000, 150)),
}
PER_MS = SAMPLE_RATE // 1000
_TABLE_BITS = 12
_PI = 3141592653589793238462643383279502884
_PI_UNIT = 10**36
_ONE = 1 << 96


@dataclass(frozen=True, slots=True)
class WaveNote:
    """One note: times in milliseconds, pitch in thousandths of a hertz, level in thousandths of full scale.

    A steady note has no envelope, a held one fades in and out in 6 ms, a struck one decays and has lost nine
    tenths of its level at about `ms`/2.
    """

    at: int
    ms: int
    pitch: int
    level: int = 400
    timbre: Timbre = "sine"
    shape: Shape = "held"


@dataclass(frozen=True, slots=True)
class SoundPattern:
    """The repeated unit of a sound: `ms` milliseconds with notes; a note past the end is cut."""

    ms: int
    notes: tuple[WaveNote, ...]

    @property
    def seconds(self) -> float:
        """Length of one repetition."""
        return self.ms / 1000

    def samples(self) -> NDArray[np.int32]:
        """One repetition, within 16 bits."""
        total = np.zeros(self.ms * PER_MS, np.int64)
        for note in self.notes:
            samples = _note(note)
            start = note.at * PER_MS
            length = min(len(samples), len(total) - start)
            total[start : start + length] += samples[:length]
        return np.clip(total, -32768, 32767).astype(np.int32)


def _note(note: WaveNote) -> NDArray[np.int64]:
    table, count = _sines(), note.ms * PER_MS
    places = np.arange(count, dtype=np.int64)
    total = np.zeros(count, np.int64)
    for multiple, share in TIMBRES[note.timbre]:
        pitch = note.pitch * multiple // 1000
        if 2 * pitch < SAMPLE_RATE * 1000:  # an overtone that the rate cannot carry would come back as a false one
            step = (pitch << 32) // (SAMPLE_RATE * 1000)
            total += table[(places * step >> (32 - _TABLE_BITS)) & ((1 << _TABLE_BITS) - 1)] * share
    # table: 15 bits; shares: thousandths; envelope: 16 bits; level: thousandths.
    shaped = (total // 1000) * _envelope(note.shape, note.ms) >> 16
    return np.asarray(shaped * note.level // 1000, np.int64)


def _envelope(shape: Shape, ms: int) -> NDArray[np.int64]:
    """Level of each sample, 0..65536: one value per millisecond, linearly interpolated."""
    full, ramp = 1 << 16, 6
    if shape == "steady":
        return np.full(ms * PER_MS, full, np.int64)
    levels = [full] * (ms + 1)
    if shape == "struck":
        for index in range(1, ms + 1):
            # 1 - 4.6 / ms each millisecond: a tenth is left at ms / 2, a hundredth at ms.
            levels[index] = levels[index - 1] * (10 * ms - 46) // (10 * ms)
    for index in range(min(ramp, ms + 1)):
        rise = 2 if shape == "struck" else ramp
        levels[index] = levels[index] * min(index, rise) // rise
        levels[ms - index] = levels[ms - index] * index // ramp
    corners = np.array(levels, np.int64)
    between = np.arange(PER_MS, dtype=np.int64)
    lines = corners[:-1, None] * (PER_MS - between) + corners[1:, None] * between
    return np.asarray(lines.reshape(-1) // PER_MS, np.int64)


@lru_cache(maxsize=1)
def _sines() -> NDArray[np.int64]:
    """One period of a sine, -32767..32767, from its power series in integers."""
    size = 1 << _TABLE_BITS
    quarter = []
    for index in range(size // 4 + 1):
        angle = 2 * _PI * _ONE * index // (_PI_UNIT * size)
        square = angle * angle // _ONE
        term, total, order = angle, angle, 1
        while term:
            term = -term * square // (_ONE * (order + 1) * (order + 2))
            total += term
            order += 2
            if term == -1:  # flooring a negative rest never reaches nought
                break
        quarter.append((total * 32767 + _ONE // 2) // _ONE)
    rising = np.array(quarter, np.int64)
    half = np.concatenate([rising, rising[-2:0:-1]])
    return np.concatenate([half, -half])
