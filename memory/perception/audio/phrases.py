"""Grouping notes into phrases, and classifying them: tone, chime, alarm or melody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from omnipilot.memory.perception.audio.notes import HeardNote

Music = Literal["tone", "chime", "alarm", "melody"]
PHRASE_PAUSE = 0.7
"""Longest silence within a phrase, in seconds; alarms and melodies go on after a longer one."""
_AGAIN = 1.6
_SEMITONE = 2 ** (0.6 / 12)
_SHARP = 700.0
"""Minimum pitch of an alarm, in hertz."""
_DYING = 9.0
"""Minimum decay of a struck note (as opposed to a held one), in dB per second."""
_BRIGHT = 350.0
"""Minimum pitch of a chime, in hertz; lower decaying notes are remains of a voice."""
_TONE = 0.35
"""Minimum length of a tone next to other notes, in seconds."""
_BELL = 62.0
"""Maximum decay of a chime, in dB per second; struck notes of melodies decay faster."""
_LEAST = 0.15
"""Minimum length of a tone or chime, in seconds."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase: its kind, time, details and notes."""

    kind: Music
    start: float
    end: float
    detail: str
    notes: tuple[HeardNote, ...]


def phrases(notes: Sequence[HeardNote]) -> list[Phrase]:
    """The phrases in a clip's notes, in order of time; those too short to classify are left out."""
    groups: list[list[HeardNote]] = []
    for voice in _voices(notes):
        groups.append([])
        for note in voice:
            if groups[-1] and note.start - max(one.end for one in groups[-1]) > PHRASE_PAUSE:
                groups.append([])
            groups[-1].append(note)
    found = [phrase for group in groups if group for phrase in _read(group)]
    return _joined(sorted(found, key=lambda phrase: phrase.start))


def _voices(notes: Sequence[HeardNote]) -> list[list[HeardNote]]:
    """Separate notes by source: long tones, notes that ring over others, beeps between others, and the rest."""
    tones = [note for note in notes if _held(note) and note.seconds >= 1.1]
    rest = [note for note in notes if note not in tones]
    crossed = [note for note in rest if _crossed(note, notes)]
    tones += [note for note in crossed if _held(note) and note.seconds >= _TONE and _outlasts(note, crossed)]
    rest = [note for note in rest if note not in tones]
    bells = [note for note in crossed if _DYING <= note.fall <= _BELL and note.seconds >= 0.3 and note in rest]
    rest = [note for note in rest if note not in bells]
    beeps: list[HeardNote] = []
    if any(_crossed(note, rest) for note in rest):
        beeps = _beeps(rest)
        rest = [note for note in rest if note not in beeps]
    return [*([note] for note in tones), bells, beeps, rest]


def _crossed(note: HeardNote, notes: Sequence[HeardNote]) -> bool:
    """Whether another note sounds for a while during this one."""
    return any(min(note.end, one.end) - max(note.start, one.start) > 0.08 for one in notes if one is not note)


def _outlasts(note: HeardNote, notes: Sequence[HeardNote]) -> bool:
    return note.seconds >= 1.7 * float(np.median([one.seconds for one in notes]))


def _beeps(notes: Sequence[HeardNote]) -> list[HeardNote]:
    """The high notes of the pitch that recurs most often and evenly; none if no pitch does."""
    best: list[HeardNote] = []
    for hertz in _pitches([note for note in notes if note.hertz >= _SHARP]):
        same = [note for note in notes if hertz / _SEMITONE <= note.hertz <= hertz * _SEMITONE]
        usual = float(np.median([note.seconds for note in same]))
        even = [note for note in same if usual / 1.6 <= note.seconds <= 1.6 * usual]
        if usual <= 0.6 and len(even) > max(3, len(best)):
            best = even
    return best


def _held(note: HeardNote) -> bool:
    return note.fall < _DYING


def _pitches(notes: Sequence[HeardNote]) -> list[float]:
    """The distinct pitches, ascending."""
    found: list[float] = []
    for hertz in sorted(note.hertz for note in notes):
        if not found or hertz > found[-1] * _SEMITONE:
            found.append(hertz)
    return found


def _read(notes: list[HeardNote]) -> list[Phrase]:
    """Classify one group of consecutive notes."""
    start, end = notes[0].start, max(note.end for note in notes)
    onsets = [note.start for note in notes]
    pitches = _pitches(notes)
    gaps = np.array([b - a for a, b in pairwise(onsets) if b - a > 0.04])
    heard = ", ".join(f"{hertz:.0f} Hz" for hertz in pitches[:8])
    length = float(np.median([note.seconds for note in notes]))
    if len(gaps) >= 2 and pitches[0] >= _SHARP and length <= 0.6:
        beeps = len(pitches) <= 2 or (len(gaps) >= 4 and length < 0.2 and all(note.hertz > 850 for note in notes))
        if beeps and float(np.median(gaps)) <= 0.65:
            return [Phrase("alarm", start, end, heard, tuple(notes))]
    if len(gaps) >= 3 and len(pitches) >= 3:
        return [Phrase("melody", start, end, heard, tuple(notes))]
    if end - start < _LEAST:
        return []
    if not any(_held(note) for note in notes if note.seconds >= 0.1) and end - start <= 3:
        return [] if pitches[-1] < _BRIGHT else [Phrase("chime", start, end, heard, tuple(notes))]
    return [
        Phrase("tone", note.start, note.end, f"{note.hertz:.0f} Hz", (note,))
        for note in notes
        if note.seconds >= _LEAST
    ]


def _joined(found: list[Phrase]) -> list[Phrase]:
    """Merge alarms and melodies that continue after a pause."""
    whole: list[Phrase] = []
    for phrase in found:
        for index, before in enumerate(whole):
            near = phrase.start - before.end <= _AGAIN and phrase.kind == before.kind
            if near and phrase.kind in ("alarm", "melody"):
                notes = (*before.notes, *phrase.notes)
                heard = ", ".join(f"{hertz:.0f} Hz" for hertz in _pitches(notes)[:8])
                whole[index] = Phrase(before.kind, before.start, max(before.end, phrase.end), heard, notes)
                break
        else:
            whole.append(phrase)
    return whole
