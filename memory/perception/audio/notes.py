"""Notes: steady frequencies, with their start, end and decay."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from omnipilot.memory.perception.audio.spectrum import FRAME, Peaks

_SHORTEST = 3
"""Minimum frames of a note."""
_LOST = 1
"""Maximum gap within a note, in frames."""
_DRIFT = (9.0, 0.004)
"""Maximum frequency change from frame to frame: in hertz, and as a share."""
_WAVER = (2.0, 0.003)
"""Maximum mean deviation of a steady note's frequencies: in hertz, and as a share."""
_STRUCK_AGAIN = 2.5
"""Power ratio (4 dB) of the fall and rise that mark a note struck again."""


_OVERTONES = (2.0, 2.76, 3.0, 4.0, 5.0, 5.4, 6.0)
_WEAKER, _WITH = 0.5, 0.3
"""Maximum power, relative to the note, of an overtone and of other partials that start with it."""


@dataclass(slots=True)
class Partial:
    """One continuous frequency: frames, with hertz and power in each."""

    frames: list[int] = field(default_factory=list)
    hertz: list[float] = field(default_factory=list)
    power: list[float] = field(default_factory=list)

    def add(self, frame: int, hertz: float, power: float) -> None:
        """Continue in `frame`."""
        self.frames.append(frame)
        self.hertz.append(hertz)
        self.power.append(power)


@dataclass(frozen=True, slots=True)
class HeardNote:
    """A note: `start`..`end` in seconds from the clip's start, pitch in hertz, mean power.

    `fall` is its decay in dB per second; `others` are the partials that sound with it.
    """

    start: float
    end: float
    hertz: float
    power: float
    fall: float
    others: tuple[float, ...] = ()

    @property
    def seconds(self) -> float:
        """Its duration."""
        return self.end - self.start


def partials(peaks: Peaks) -> list[Partial]:
    """Peaks linked over time, strongest first; each at least three frames long, and split where struck again."""
    done: list[Partial] = []
    open_: list[Partial] = []
    starts = np.flatnonzero(np.diff(peaks.frame, prepend=-1))
    ends = [*starts[1:], len(peaks.frame)]
    for start, end in zip(starts, ends, strict=False):
        frame = int(peaks.frame[start])
        keep = [one for one in open_ if frame - one.frames[-1] <= 1 + _LOST]
        done += [one for one in open_ if frame - one.frames[-1] > 1 + _LOST]
        free = list(range(start, end))
        for one in sorted(keep, key=lambda one: -one.power[-1]):
            if not free:
                break
            near = min(free, key=lambda i: abs(peaks.hertz[i] - one.hertz[-1]))
            if abs(peaks.hertz[near] - one.hertz[-1]) <= _DRIFT[0] + _DRIFT[1] * one.hertz[-1]:
                one.add(frame, float(peaks.hertz[near]), float(peaks.power[near]))
                free.remove(near)
        for i in free:
            new = Partial()
            new.add(frame, float(peaks.hertz[i]), float(peaks.power[i]))
            keep.append(new)
        open_ = keep
    cut = [part for one in done + open_ for part in _strokes(one)]
    return [one for one in cut if len(one.frames) >= _SHORTEST]


def _strokes(one: Partial) -> list[Partial]:
    """A partial split where its power rises again after falling."""
    cuts = [0]
    peak = low = one.power[0]
    low_at = 0
    for at, power in enumerate(one.power):
        if power < low:
            low, low_at = power, at
        elif power > _STRUCK_AGAIN * low and peak > _STRUCK_AGAIN * low and low_at > cuts[-1]:
            cuts.append(low_at)
            peak, low, low_at = power, power, at
        elif power > peak:
            peak, low, low_at = power, power, at
    edges = [*cuts, len(one.power)]
    return [Partial(one.frames[a:b], one.hertz[a:b], one.power[a:b]) for a, b in pairwise(edges)]


def steady(one: Partial) -> bool:
    """Whether the frequency is steady, as for instruments but not for voices."""
    hertz = np.array(one.hertz)
    middle = float(np.median(hertz))
    return float(np.mean(np.abs(hertz - middle))) <= _WAVER[0] + _WAVER[1] * middle


def waver(one: Partial) -> float:
    """Mean deviation of the frequencies from their centre, in hertz."""
    return float(np.mean(np.abs(np.array(one.hertz) - np.median(one.hertz))))


def notes(parts: list[Partial]) -> list[HeardNote]:
    """Group partials that start together into notes, in order of time; the strongest gives the pitch."""
    found: list[HeardNote] = []
    parts = sorted(parts, key=lambda one: -float(np.sum(one.power)))
    centres = np.array([np.median(one.hertz) for one in parts])
    loudest = np.array([max(one.power) for one in parts])
    firsts = np.array([one.frames[0] for one in parts])
    lasts = np.array([one.frames[-1] for one in parts])
    rest = np.arange(len(parts))
    while len(rest):
        lead, others = rest[0], rest[1:]
        main, first, last = parts[lead], firsts[lead], lasts[lead]
        # A weaker partial that sounds during the main one is one of its overtones (a bell's are inharmonic).
        ratios = centres[others] / centres[lead]
        near = (np.abs(ratios[:, None] / _OVERTONES - 1) < 0.02).any(axis=1)
        overlap = np.minimum(lasts[others], last + 2) - np.maximum(firsts[others], first - 2) + 1
        together = overlap >= 0.7 * (lasts[others] - firsts[others] + 1)
        overtone = near & together & (loudest[others] < _WEAKER * loudest[lead])
        begun = (np.abs(firsts[others] - first) <= 2) & (lasts[others] <= last + 3)
        belongs = overtone | (begun & (loudest[others] < _WITH * loudest[lead]))
        mine, rest = others[belongs], others[~belongs]
        found.append(
            HeardNote(
                main.frames[0] * FRAME,
                (main.frames[-1] + 1) * FRAME,
                float(centres[lead]),
                float(np.mean(main.power)),
                _fall(main),
                tuple(np.sort(centres[mine]).tolist()),
            )
        )
    return sorted(found, key=lambda note: note.start)


def _fall(one: Partial) -> float:
    """Decay of a partial in dB per second, from a linear fit through its inner frames."""
    level = 10 * np.log10(np.array(one.power))
    if len(level) > 6:
        level = level[2:-2]
    slope = np.polyfit(np.arange(len(level)) * FRAME, level, 1)[0] if len(level) >= 3 else 0.0
    return float(-slope)
