"""White and pink background noise at a given level, in integer arithmetic, identical on every machine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs.types.media import SAMPLE_RATE

Colour = Literal["white", "pink"]
QUIETEST, LOUDEST = -80, -10
"""Range of a noise's level, in decibels relative to full scale."""
_PERIOD = 1 << 17
_OCTAVES = 12


def decibels(level: int, of: int = 100) -> int:
    """`of` times 10^(level/20), rounded down to an integer without floating point: -20 is a tenth.

    By default it is the gain in percent that makes a sound `level` decibels louder (or softer, below 0).
    """
    low, high = 0, of * 10 ** max(0, level // 20 + 1) + 1
    while high - low > 1:
        middle = (low + high) // 2
        left, right = middle**20 * 10 ** max(0, -level), of**20 * 10 ** max(0, level)
        low, high = (middle, high) if left <= right else (low, middle)
    return low


@dataclass(frozen=True, slots=True)
class BackgroundNoise:
    """Noise with a root mean square of `level` decibels of full scale; it repeats after 8.192 s.

    Raises:
        ValueError: the colour or level is not supported.
    """

    colour: Colour
    level: int
    seed: int = 0

    def __post_init__(self) -> None:
        if self.colour not in get_args(Colour) or not QUIETEST <= self.level <= LOUDEST:
            raise ValueError(
                f"noise must be white or pink at {QUIETEST}..{LOUDEST} dB, not {self.colour} at {self.level}"
            )

    @property
    def seconds(self) -> float:
        """Length of one repetition."""
        return _PERIOD / SAMPLE_RATE

    def samples(self) -> NDArray[np.int32]:
        """One repetition, read-only."""
        return _drawn(self)


def noise(text: str) -> BackgroundNoise:
    """The noise described by "white:-30" or "pink:-30:7" (colour, level, seed).

    Raises:
        ValueError: the description is invalid.
    """
    colour, _, rest = text.partition(":")
    level, _, seed = rest.partition(":")
    try:
        return BackgroundNoise(colour, int(level), int(seed or 0))  # type: ignore[arg-type]
    except ValueError as error:
        raise ValueError(f"noise:{text} is invalid ({error}); write noise:white:-30 or noise:pink:-30:7") from error


@lru_cache(maxsize=16)
def _drawn(noise: BackgroundNoise) -> NDArray[np.int32]:
    total = _uniform(noise.seed, 0, _PERIOD)
    if noise.colour == "pink":
        # Voss and McCartney: each octave holds its value twice as long as the one above.
        for octave in range(1, _OCTAVES + 1):
            total += np.repeat(_uniform(noise.seed, octave, _PERIOD >> octave), 1 << octave)
    total -= int(total.sum()) // _PERIOD
    power = isqrt(int((total * total).sum()) // _PERIOD)
    wanted = decibels(noise.level, 32768 << 8)
    drawn: NDArray[np.int32] = np.clip((total * wanted // power) >> 8, -32768, 32767).astype(np.int32)
    drawn.flags.writeable = False
    return drawn


def _uniform(seed: int, stream: int, count: int) -> NDArray[np.int64]:
    """Bell-shaped sums of four 16-bit numbers around 0, from splitmix64 of a counter."""
    begin = (seed * 64 + stream) * 0xD1342543DE82EF95 % (1 << 64)
    state = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(begin)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        state = (state ^ (state >> np.uint64(shift))) * np.uint64(factor)
    state ^= state >> np.uint64(31)
    parts = state.astype("<u8").view("<u2").reshape(count, 4).astype(np.int64)
    return np.asarray(parts.sum(axis=1) - 2 * 65535, np.int64)
