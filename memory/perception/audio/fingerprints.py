"""An index of named sounds, recognised by landmarks: the times and pitches at which their notes start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs import AudioClip
from omnipilot.memory.perception.audio.notes import notes, partials
from omnipilot.memory.perception.audio.spectrum import FRAME, Spectrum, peaks, spectrum

_CLEAR = 12.0
_RANGE = (90.0, 7200.0)
_NEAR, _NEAR_SHARE = 6.0, 0.006
"""Maximum pitch difference of matching landmarks: in hertz, and as a share."""
_LATE = 2.5 * FRAME
"""Maximum time difference of matching landmarks, in seconds."""
_OVERTONE = 0.15
"""Weight of an overtone relative to a note's main line."""
_FEW = 3
"""Sounds of at most this many notes must also match in length and decay: a single note is part of many melodies."""
_FALL = 20.0
"""Maximum difference in decay of two notes, in dB per second; half the faster decay is also allowed."""
_SHORTER, _CUT, _LONGER = 0.45, 0.25, 1.6
"""Length of a note in the clip, relative to the index: minimum, minimum for a decaying note whose end is covered by
noise, and maximum (held notes may be longer)."""
_SOFTEST = 10**-1.5
"""Lines weaker than this share of the loudest are not enrolled: noise would cover them."""
_LEAST = 0.6
"""Minimum share of a sound's landmarks that must match, by weight."""
_SEEN = 0.5
"""Minimum share of a sound's length that must be within the clip."""


@dataclass(frozen=True, slots=True)
class SoundMatch:
    """A recognised sound: its name, start and end on the world's clock, and the matched share, 0..1."""

    name: str
    start: float
    end: float
    score: float


@dataclass(frozen=True, slots=True)
class _Marks:
    """Landmarks: time (seconds from the clip's start), hertz, weight, and the note's decay (dB/s), length and power.

    The weight is 1 for the strongest line of a note and less for its other lines; the two kinds never match.
    """

    at: NDArray[np.float64]
    hertz: NDArray[np.float64]
    weight: NDArray[np.float64]
    fall: NDArray[np.float64]
    length: NDArray[np.float64]
    power: NDArray[np.float64]
    seconds: float

    def begun(self, keep: NDArray[np.bool_]) -> _Marks:
        """A selection, with times relative to the first."""
        first = float(self.at[keep].min())
        rows = (self.hertz[keep], self.weight[keep], self.fall[keep], self.length[keep], self.power[keep])
        return _Marks(self.at[keep] - first, *rows, self.seconds - first)


@dataclass(frozen=True, slots=True)
class _Claim:
    """A hypothesis that a sound starts at a time: which landmarks of the clip match which of the sound."""

    name: str
    start: float
    marks: _Marks
    pairs: tuple[tuple[int, int], ...]
    wanted: float

    def score(self, used: set[int]) -> float:
        return float(sum(self.marks.weight[ours] for ours, theirs in self.pairs if theirs not in used) / self.wanted)

    def weight(self, used: set[int]) -> float:
        return float(sum(self.marks.weight[ours] for ours, theirs in self.pairs if theirs not in used))


class FingerprintIndex:
    """An index for recognising sounds. It stores the pitch, time and decay of notes, never samples."""

    def __init__(self, clips: Mapping[str, AudioClip] | None = None) -> None:
        self._marks: dict[str, _Marks] = {}
        for name, clip in (clips or {}).items():
            self.enrol(name, clip)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the enrolled sounds."""
        return tuple(self._marks)

    def enrol(self, name: str, clip: AudioClip) -> None:
        """Enrol (or re-enrol) a sound from a clip with little else in it.

        Raises:
            ValueError: no note stands out of the clip.
        """
        marks = _marks(spectrum(clip), clip.seconds)
        if not len(marks.at):
            raise ValueError(f"the clip of {name!r} has no note of at least 50 ms; enrol a longer or clearer one")
        self._marks[name] = marks.begun(marks.power >= _SOFTEST * marks.power.max())

    def recognise(self, clip: AudioClip) -> list[SoundMatch]:
        """The enrolled sounds in a clip, in order of time; a repeated sound is listed each time."""
        return self.search(spectrum(clip), clip)

    def search(self, seen: Spectrum, clip: AudioClip) -> list[SoundMatch]:
        """Like `recognise`, for a clip whose spectrogram is already computed."""
        heard = _marks(seen, clip.seconds)
        claims = [claim for name, marks in self._marks.items() for claim in _claims(name, marks, heard)]
        found: list[SoundMatch] = []
        used: set[int] = set()
        # The claim that explains most goes first, and its landmarks cannot belong to another sound.
        while claims:
            best = max(claims, key=lambda claim: (claim.weight(used), claim.score(used), -claim.start))
            score = best.score(used)
            if score >= _LEAST:
                used |= {theirs for _, theirs in best.pairs}
                start = clip.start + max(0.0, best.start)
                end = min(clip.end, clip.start + best.start + best.marks.seconds)
                found.append(SoundMatch(best.name, start, end, round(min(1.0, score), 3)))
            claims = [claim for claim in claims if claim is not best and claim.score(used) >= _LEAST]
        return sorted(found, key=lambda match: (match.start, match.name))


def _marks(seen: Spectrum, seconds: float) -> _Marks:
    rows: list[tuple[float, ...]] = []
    for note in notes(partials(peaks(seen, _CLEAR, *_RANGE))):
        same = (note.fall, note.seconds, note.power)
        rows.append((note.start, note.hertz, 1.0, *same))
        rows += [(note.start, hertz, _OVERTONE, *same) for hertz in note.others[:4]]
    at, hertz, weight, fall, length, power = np.array(rows, np.float64).reshape(-1, 6).T
    return _Marks(at, hertz, weight, fall, length, power, seconds)


def _claims(name: str, ours: _Marks, theirs: _Marks) -> list[_Claim]:
    """Every time at which the sound may start, from the time differences of landmarks with equal pitch."""
    apart = np.abs(ours.hertz[:, None] - theirs.hertz[None, :])
    same = (apart <= _NEAR + _NEAR_SHARE * ours.hertz[:, None]) & (ours.weight[:, None] == theirs.weight[None, :])
    if np.count_nonzero(ours.weight == 1) <= _FEW:
        same &= _alike(ours, theirs)
    begins = theirs.at[None, :] - ours.at[:, None]
    main = same & (ours.weight[:, None] == 1)
    found = []
    for start in np.unique(np.round(begins[main] / FRAME)) * FRAME:
        inside = (ours.at + start >= -_LATE) & (ours.at + start <= theirs.seconds - 2 * FRAME)
        wanted = float(ours.weight[inside].sum())
        if wanted < _SEEN * float(ours.weight.sum()):
            continue
        close = np.abs(begins - start) <= _LATE
        pairs: list[tuple[int, int]] = []
        for i in np.flatnonzero(inside):
            fits = np.flatnonzero(same[i] & close[i])
            if len(fits):
                pairs.append((int(i), int(fits[np.argmin(np.abs(begins[i, fits] - start))])))
        claim = _Claim(name, float(start), ours, tuple(pairs), wanted)
        if claim.score(set()) >= _LEAST:
            found.append(claim)
    return found


def _alike(ours: _Marks, theirs: _Marks) -> NDArray[np.bool_]:
    """Which notes have about the same length and decay."""
    faster = np.maximum(ours.fall[:, None], theirs.fall[None, :])
    fall = np.abs(ours.fall[:, None] - theirs.fall[None, :]) <= np.maximum(_FALL, 0.5 * faster)
    ratio = theirs.length[None, :] / ours.length[:, None]
    return np.asarray(
        fall & (ratio >= np.where(faster < _FALL, _SHORTER, _CUT)) & ((ratio <= _LONGER) | (faster < _FALL)), np.bool_
    )
