"""DTMF telephone keys: two simultaneous tones, one from each group of four (ITU-T Q.23)."""

from __future__ import annotations

import numpy as np

from omnipilot.memory.perception.audio.notes import Partial
from omnipilot.memory.perception.audio.spectrum import FRAME

KEYS = "123A456B789C*0#D"
_ROWS, _COLUMNS = (697.0, 770.0, 852.0, 941.0), (1209.0, 1336.0, 1477.0, 1633.0)
_OFF, _OFF_SHARE = 3.0, 0.012
"""Maximum deviation of a tone from its frequency: in hertz, and as a share."""
_TWIST = 10.0
"""Maximum power ratio of the two tones."""
_TOGETHER = 0.6
"""Minimum overlap of both tones, as a share of the longer one."""


def keys(parts: list[Partial]) -> list[tuple[str, Partial, Partial]]:
    """The keys pressed, in order, each with its two tones."""
    rows = [(row, one) for one in parts if (row := _nearest(one, _ROWS)) is not None]
    columns = [(column, one) for one in parts if (column := _nearest(one, _COLUMNS)) is not None]
    found: list[tuple[str, Partial, Partial]] = []
    for row, low in rows:
        for column, high in columns:
            first, last = max(low.frames[0], high.frames[0]), min(low.frames[-1], high.frames[-1])
            longer = max(low.frames[-1] - low.frames[0], high.frames[-1] - high.frames[0]) + 1
            ratio = float(np.mean(low.power) / np.mean(high.power))
            if last - first + 1 >= _TOGETHER * longer and 1 / _TWIST <= ratio <= _TWIST:
                found.append((KEYS[4 * row + column], low, high))
    return sorted(found, key=lambda key: key[1].frames[0])


def _nearest(one: Partial, tones: tuple[float, ...]) -> int | None:
    hertz = float(np.median(one.hertz))
    off = [abs(hertz - tone) - _OFF - _OFF_SHARE * tone for tone in tones]
    return int(np.argmin(off)) if min(off) <= 0 else None


def times(low: Partial, high: Partial) -> tuple[float, float]:
    """Start and end of a key's two tones, in seconds from the start of the clip."""
    return min(low.frames[0], high.frames[0]) * FRAME, (max(low.frames[-1], high.frames[-1]) + 1) * FRAME
