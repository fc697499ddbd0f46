"""Scores: the notation of melodies, tones and telephone digits, and converting it to notes."""

from __future__ import annotations

import re
from functools import lru_cache

from omnipilot.envs.sim.audio.waves import Shape, SoundPattern, Timbre, WaveNote

DTMF_KEYS = "123A456B789C*0#D"
_DTMF_ROWS = (697_000, 770_000, 852_000, 941_000)
_DTMF_COLUMNS = (1_209_000, 1_336_000, 1_477_000, 1_633_000)
DTMF_ON, DTMF_STEP = 120, 200
"""Milliseconds that a telephone key sounds, and from one to the next."""
_STEPS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
BEAT = 250
"""Milliseconds of a melody's note where nothing else is written."""
_BEAT = (60, 2000)
_HERTZ = (50, 7000)


@lru_cache(maxsize=128)
def pitch(name: str) -> int:
    """Thousandths of a hertz of a note in equal temperament (A4 is 440 Hz): "C4", "F#5", "Bb3"; octaves 2 to 7.

    Raises:
        ValueError: there is no such note.
    """
    match = re.fullmatch(r"([A-G])([#b]?)([2-7])", name)
    if match is None:
        raise ValueError(f"unknown note {name!r}; write for example C4, F#5 or Bb3, - for a rest, + to hold")
    letter, sign, octave = match.groups()
    steps = _STEPS[letter] + {"": 0, "#": 1, "b": -1}[sign] + 12 * int(octave) - 57
    # The twelfth root of two in integers: computes twice the pitch, so that halving rounds it.
    low, high = 0, 1 << 24
    while high - low > 1:
        middle = (low + high) // 2
        left, right = middle**12 * 2 ** max(0, -steps), 880_000**12 * 2 ** max(0, steps)
        low, high = (middle, high) if left <= right else (low, middle)
    return (low + 1) // 2


def tune(beat: int, timbre: Timbre, shape: Shape, level: int, notes: str) -> SoundPattern:
    """A melody of note names, one per beat of `beat` ms; "-" is a rest, "+" extends the previous note.

    Raises:
        ValueError: a note is unknown.
    """
    names = notes.split()
    found = []
    for index, name in enumerate(names):
        if name in "-+":
            continue
        beats = 1
        while index + beats < len(names) and names[index + beats] == "+":
            beats += 1
        found.append(WaveNote(index * beat, beats * beat, pitch(name), level, timbre, shape))
    return SoundPattern(len(names) * beat, tuple(found))


@lru_cache(maxsize=256)
def melody(text: str) -> SoundPattern:
    """The melody described by "C4,E4,G4" (250 ms per note) or "120:C4,-,E4,+" (with the beat in ms).

    Raises:
        ValueError: the description is invalid.
    """
    head, colon, notes = text.rpartition(":")
    beat = int(head) if re.fullmatch(r"\d{1,4}", head) else 0 if colon else BEAT
    names = notes.split(",")
    if not _BEAT[0] <= beat <= _BEAT[1] or names[0] == "+" or "" in names or {*names} <= {"-", "+"}:
        raise ValueError(
            f"melody:{text} is invalid; write melody:C4,E4,G4 or melody:120:C4,-,E4,+ (120 ms per note, "
            f"{_BEAT[0]}..{_BEAT[1]})"
        )
    return tune(beat, "soft", "struck", 400, " ".join(names))


def tone(text: str) -> SoundPattern:
    """A steady tone of an integer frequency in hertz: one second that repeats seamlessly.

    Raises:
        ValueError: it is not an integer in the range.
    """
    hertz = int(text) if re.fullmatch(r"\d{1,4}", text) else 0
    if not _HERTZ[0] <= hertz <= _HERTZ[1]:
        raise ValueError(f"tone:{text} is invalid; write tone: and an integer in hertz, {_HERTZ[0]}..{_HERTZ[1]}")
    return SoundPattern(1000, (WaveNote(0, 1000, hertz * 1000, 400, "sine", "steady"),))


@lru_cache(maxsize=256)
def dial_tones(keys: str) -> SoundPattern:
    """Telephone keys as DTMF tones, each for 120 ms every 200 ms, then 400 ms of silence.

    Raises:
        ValueError: there is no key, or an unknown one.
    """
    if not keys or not all(key in DTMF_KEYS for key in keys):
        raise ValueError(f"dtmf:{keys} is invalid; write dtmf: with keys of {DTMF_KEYS}")
    notes = []
    for index, key in enumerate(keys):
        row, column = divmod(DTMF_KEYS.index(key), 4)
        for hertz in (_DTMF_ROWS[row], _DTMF_COLUMNS[column]):
            notes.append(WaveNote(index * DTMF_STEP, DTMF_ON, hertz, 250))
    return SoundPattern(len(keys) * DTMF_STEP + 400, tuple(notes))
