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
_HIDDEN_TOGETHER, _ALIKE, _REACH = 0.45, 0.5, 4.0
"""Of a key that another sound hides in part: that overlap, by which share of the other keys' length its own may differ,
and within how many such lengths of another key it is."""


def keys(parts: list[Partial], together: float = _TOGETHER) -> list[tuple[str, Partial, Partial]]:
    """The keys pressed, in order, each with its two tones, which overlap by this share of the longer one."""
    rows = [(row, one) for one in parts if (row := _nearest(one, _ROWS)) is not None]
    columns = [(column, one) for one in parts if (column := _nearest(one, _COLUMNS)) is not None]
    found: list[tuple[str, Partial, Partial]] = []
    for row, low in rows:
        for column, high in columns:
            first, last = max(low.frames[0], high.frames[0]), min(low.frames[-1], high.frames[-1])
            longer = max(low.frames[-1] - low.frames[0], high.frames[-1] - high.frames[0]) + 1
            ratio = float(np.mean(low.power) / np.mean(high.power))
            if last - first + 1 >= together * longer and 1 / _TWIST <= ratio <= _TWIST:
                found.append((KEYS[4 * row + column], low, high))
    return sorted(found, key=lambda key: key[1].frames[0])


def with_hidden(found: list[tuple[str, Partial, Partial]], parts: list[Partial]) -> list[tuple[str, Partial, Partial]]:
    """The keys found, with those that another sound hides in part: in line with two or more keys, a key of their length
    and power whose tones are less clear."""
    if len(found) < 2:
        return found
    lengths = [end - start for start, end in (times(low, high) for _, low, high in found)]
    length, power = float(np.median(lengths)), float(np.median([_power(low, high) for _, low, high in found]))
    busy = [times(low, high) for _, low, high in found]
    more = []
    for key in keys(parts, _HIDDEN_TOGETHER):
        start, end = times(*key[1:])
        near = any(-_REACH * length <= start - last <= _REACH * length for _, last in busy)
        apart = all(end <= first or start >= last for first, last in busy)
        alike = abs(end - start - length) <= _ALIKE * length and power / _TWIST <= _power(*key[1:]) <= power * _TWIST
        if near and apart and alike:
            more.append(key)
            busy.append((start, end))
    return sorted([*found, *more], key=lambda key: key[1].frames[0])


def _power(low: Partial, high: Partial) -> float:
    return float(np.mean(low.power) + np.mean(high.power))


def _nearest(one: Partial, tones: tuple[float, ...]) -> int | None:
    hertz = float(np.median(one.hertz))
    off = [abs(hertz - tone) - _OFF - _OFF_SHARE * tone for tone in tones]
    return int(np.argmin(off)) if min(off) <= 0 else None


def times(low: Partial, high: Partial) -> tuple[float, float]:
    """Start and end of a key's two tones, in seconds from the start of the clip."""
    return min(low.frames[0], high.frames[0]) * FRAME, (max(low.frames[-1], high.frames[-1]) + 1) * FRAME
