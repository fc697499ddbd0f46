"""The gate `energy`: what is louder, or moves more, than the room itself."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence

from omnipilot.envs import AudioClip, ConfigError, Modality, VideoClip
from omnipilot.envs.types import SAMPLE_RATE
from omnipilot.memory.gate.base import Clip, Gate, GateDecision, Instructed, modality_of
from omnipilot.memory.messages import Usage

BLOCK = 0.1
"""Seconds over which a level is measured."""
QUIETEST = -50.0
"""Decibels relative to full scale below which there is silence; the least floor of a room."""
STILLEST = 0.0005
"""Share of a picture that changes with a blinking caret; the least floor of a screen."""
_QUANTILE = 0.2


class EnergyGate(Gate):
    """Sends a clip that is louder than the room usually is, or that moves more than the screen usually does.

    A sound counts by its loudest tenth of a second, which must exceed the running floor of its room.
    That floor is the 20th percentile of its levels over the last `window` seconds, the clip included: the
    minimum statistics of Martin (2001), with a percentile in place of the minimum. The level of a film is the largest
    share of the picture that changes from one frame to the next.

    Args:
        above: decibels by which sound must exceed the floor, and movement as a ratio of powers.
        window: seconds of which the floor is taken.

    Raises:
        ConfigError: `above` or `window` is not positive.
    """

    def __init__(self, above: float = 6.0, window: float = 60.0) -> None:
        for name, value in (("above", above), ("window", window)):
            if not (math.isfinite(value) and value > 0):
                raise ConfigError(f"gate 'energy': {name} must be a positive number, not {value!r}")
        self.above = above
        self.window = window
        self._levels: dict[tuple[str, Modality], deque[tuple[float, float]]] = {}

    def begin(self, brief: Instructed) -> None:  # noqa: ARG002
        """Forget the rooms."""
        self._levels = {}

    def decide(self, turn: int, clips: Sequence[Clip]) -> tuple[Sequence[GateDecision], Usage]:  # noqa: ARG002
        """A decision on each clip."""
        return [self._decision(clip) for clip in clips], Usage()

    def _decision(self, clip: Clip) -> GateDecision:
        modality = modality_of(clip)
        heard = modality is Modality.AUDIO
        new = sound_levels(clip) if isinstance(clip, AudioClip) else motion_levels(clip)
        known = self._levels.setdefault((clip.env, modality), deque())
        known.extend(new)
        while known and known[0][0] < clip.end - self.window:
            known.popleft()
        least = QUIETEST if heard else 10 * math.log10(STILLEST)
        floor = max(least, _quantile([level for _, level in known]))
        peak = max((level for _, level in new), default=least)
        sent = peak >= floor + self.above
        what = ("louder", "room") if heard else ("more movement", "screen")
        why = f"{peak - floor:.0f} dB {'' if sent else 'at most '}{what[0]} than the {what[1]} usually is"
        if peak <= least:
            why = "silence" if heard else "nothing moved"
        levels = {"peak dB": round(peak, 1), f"{what[1]} dB": round(floor, 1)}
        return GateDecision(clip.env, modality, sent, why, clip.start, clip.end, (), levels)


def sound_levels(clip: AudioClip) -> list[tuple[float, float]]:
    """When each tenth of a second begins, and its level in decibels relative to full scale, `QUIETEST` at least."""
    import numpy as np

    samples = clip.array().astype(np.float64) / 32768
    step = round(BLOCK * SAMPLE_RATE)
    found = []
    for at in range(0, len(samples), step):
        power = float(np.mean(samples[at : at + step] ** 2))
        level = 10 * math.log10(power) if power > 0 else QUIETEST
        found.append((clip.start + at / SAMPLE_RATE, max(QUIETEST, level)))
    return found


def motion_levels(clip: VideoClip) -> list[tuple[float, float]]:
    """When each frame begins, and the share of its pixels that changed, in decibels; `STILLEST` at least."""
    import numpy as np

    found = []
    for before, after in zip(clip.frames, clip.frames[1:], strict=False):
        share = 0.0
        if before.digest != after.digest:
            share = float(np.mean(np.any(before.array() != after.array(), axis=2)))
        found.append((after.start, 10 * math.log10(max(STILLEST, share))))
    return found


def _quantile(levels: Sequence[float]) -> float:
    ordered = sorted(levels)
    return ordered[int(_QUANTILE * (len(ordered) - 1))] if ordered else -math.inf
