"""Sound events in a clip: silence, noise, speech, tones, telephone digits, melodies, alarms, chimes.

Everything is computed from one spectrogram with numpy, without downloads or models. Its accuracy under noise is
measured by `python tests/perf/readers_sounds.py`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs import AudioClip
from omnipilot.envs.types import SAMPLE_RATE
from omnipilot.memory.perception.audio.digits import keys, times, with_hidden
from omnipilot.memory.perception.audio.notes import Partial, notes, partials, steady, waver
from omnipilot.memory.perception.audio.phrases import phrases
from omnipilot.memory.perception.audio.spectrum import BIN, FRAME, WINDOW, Spectrum, peaks, spectrum
from omnipilot.memory.perception.audio.speech import speech

if TYPE_CHECKING:
    from omnipilot.memory.perception.audio.fingerprints import FingerprintIndex

Kind = Literal["silence", "noise", "speech", "tone", "digits", "melody", "alarm", "chime", "named"]
IDLE: frozenset[Kind] = frozenset({"silence", "noise"})
"""Kinds that tell of no event: what is heard while nothing happens."""
DIAL_PAUSE = 1.2
"""Longest silence between the digits of one number that is dialled, in seconds."""

AUDIBLE_LOUDNESS = 0.003
"""The least `AudioClip.loudness` of a clip that is not silence: root mean square, relative to full scale (-50 dB)."""
_BLOCK = 320
_SILENT = 0.15
_CLEAR = 12.0
"""Minimum power of a line over the background; noise alone reaches it once in 160,000 times."""
_RANGE = (90.0, 7200.0)
_LONG, _STILL = 0.3, 2.0
"""Minimum length (seconds) and maximum deviation (hertz) of a partial that cannot be from a voice."""
_PROMINENT, _BESIDE = 10.0, 300.0
"""A note within speech is this much stronger (power ratio) than its surroundings within this range (hertz)."""


@dataclass(frozen=True, slots=True)
class SoundEvent:
    """One sound event.

    Attributes:
        kind: kind of sound; "named" for one recognised by a `FingerprintIndex`.
        start, end: seconds on the world's clock.
        detail: pitches ("440 Hz"), digits dialled, noise level ("-32 dB"), or the name; "" for other kinds.
        confidence: 0..1; how clearly it stands out, not a probability.
    """

    kind: Kind
    start: float
    end: float
    detail: str
    confidence: float


@dataclass(frozen=True, slots=True)
class SoundReading:
    """The sound events in order of time, and the computing time in seconds."""

    events: tuple[SoundEvent, ...]
    seconds: float

    def of(self, *kinds: Kind) -> tuple[SoundEvent, ...]:
        """The events of some kinds."""
        return tuple(event for event in self.events if event.kind in kinds)


def read_sounds(clip: AudioClip, book: FingerprintIndex | None = None) -> SoundReading:
    """Find the sound events in a clip; with a `book`, its sounds are recognised too (events of kind "named").

    Events of different kinds may overlap: several sounds can occur at once.
    """
    began = time.perf_counter()
    events = _silences(clip)
    if clip.pcm and not (events and events[0].end - events[0].start >= clip.seconds):
        seen = spectrum(clip)
        heard = _tonal_events(seen, clip)
        events += heard
        events += _noise(seen, clip, events)
        if book is not None:
            events += [
                SoundEvent("named", match.start, match.end, match.name, match.score)
                for match in book.search(seen, clip)
            ]
    ordered = sorted(events, key=lambda event: (event.start, event.end, event.kind, event.detail))
    return SoundReading(tuple(ordered), time.perf_counter() - began)


def heard_digits(clip: AudioClip) -> str:
    """The keys of a telephone (0 to 9, *, #, A to D) that are heard in a clip, in order; "" for none."""
    return "".join(event.detail for event in read_sounds(clip).of("digits"))


def _tonal_events(seen: Spectrum, clip: AudioClip) -> list[SoundEvent]:
    """Speech, digits and music."""
    parts = partials(peaks(seen, _CLEAR, *_RANGE))
    still = [one for one in parts if len(one.frames) * FRAME >= _LONG and waver(one) <= _STILL]
    spoken = speech(seen, _mask(seen, still))
    kept = [one for one in parts if steady(one) and (not _within(one, spoken) or _prominent(one, seen))]
    pressed = with_hidden(keys(kept), parts)
    used = [one for _, low, high in pressed for one in (low, high)]
    found = [
        SoundEvent("speech", clip.start + start, min(clip.end, clip.start + end), "", round(sure, 3))
        for start, end, sure in spoken
    ]
    found += _dialled(pressed, seen, clip)
    busy = [times(low, high) for _, low, high in pressed]
    music = [one for one in kept if one not in used and not (len(one.frames) < 12 and _within(one, busy))]
    for phrase in phrases(notes(music)):
        sure = _sure(max(note.power / _floor(seen, note.hertz) for note in phrase.notes))
        start, end = clip.start + phrase.start, min(clip.end, clip.start + phrase.end)
        found.append(SoundEvent(phrase.kind, start, end, phrase.detail, sure))
    return found


def _mask(seen: Spectrum, parts: list[Partial]) -> NDArray[np.bool_]:
    """Mask of these partials: their bins and three on each side."""
    mask = np.zeros(seen.power.shape, np.bool_)
    for one in parts:
        middle = round(float(np.median(one.hertz)) / BIN)
        mask[max(0, one.frames[0] - 3) : one.frames[-1] + 4, max(0, middle - 3) : middle + 4] = True
    return mask


def _within(one: Partial, spans: list[tuple[float, float, float]] | list[tuple[float, float]]) -> bool:
    first, last = one.frames[0] * FRAME, one.frames[-1] * FRAME
    return any(first >= span[0] - 0.05 and last <= span[1] + 0.05 for span in spans)


def _prominent(one: Partial, seen: Spectrum) -> bool:
    """Whether a line is far stronger than everything near it."""
    middle, wide = round(float(np.median(one.hertz)) / BIN), round(_BESIDE / BIN)
    near = seen.power[one.frames[0] : one.frames[-1] + 1, max(0, middle - wide) : middle + wide + 1].copy()
    at = min(middle, wide)
    near[:, max(0, at - 3) : at + 4] = 0
    return float(np.mean(one.power)) >= _PROMINENT * float(near.max(axis=1).mean())


def _floor(seen: Spectrum, hertz: float) -> float:
    return float(seen.floor[min(round(hertz / BIN), len(seen.floor) - 1)])


def _sure(excess: float) -> float:
    """Confidence for an excess over the background: 0.5 at 13 dB, 0.9 at 29 dB."""
    return round(float(excess**0.6 / (excess**0.6 + 6.0)), 3)


def _dialled(pressed: list[tuple[str, Partial, Partial]], seen: Spectrum, clip: AudioClip) -> list[SoundEvent]:
    found: list[SoundEvent] = []
    for key, low, high in pressed:
        start, end = (clip.start + at for at in times(low, high))
        sure = _sure(min(float(np.mean(one.power)) / _floor(seen, one.hertz[0]) for one in (low, high)))
        new = SoundEvent("digits", start, min(end, clip.end), key, sure)
        if found and start - found[-1].end <= DIAL_PAUSE:
            last = found.pop()
            new = replace(last, end=new.end, detail=last.detail + key, confidence=min(last.confidence, sure))
        found.append(new)
    return found


def _silences(clip: AudioClip) -> list[SoundEvent]:
    """Intervals below `AUDIBLE_LOUDNESS` of at least 0.15 s, or the whole clip."""
    samples = clip.array().astype(np.float32) / 32768
    blocks = [samples[at : at + _BLOCK] for at in range(0, len(samples), _BLOCK)]
    quiet = np.array([float(np.mean(block**2)) < AUDIBLE_LOUDNESS**2 for block in blocks] + [False])
    found, began = [], None
    for index, low in enumerate(quiet):
        if low and began is None:
            began = index
        elif not low and began is not None:
            start, end = began * _BLOCK, min(index * _BLOCK, len(samples))
            if end - start >= min(_SILENT * SAMPLE_RATE, len(samples)):
                first, last = clip.start + start / SAMPLE_RATE, clip.start + end / SAMPLE_RATE
                found.append(SoundEvent("silence", first, last, "", 1.0))
            began = None
    return found


def _noise(seen: Spectrum, clip: AudioClip, events: list[SoundEvent]) -> list[SoundEvent]:
    """Audible background noise, wherever there is no silence."""
    level = float(np.sqrt(seen.floor.mean() * WINDOW / 6))
    if level < AUDIBLE_LOUDNESS:
        return []
    spans, at = [], clip.start
    for event in [event for event in events if event.kind == "silence"]:
        spans.append((at, event.start))
        at = event.end
    spans.append((at, clip.end))
    detail = f"{20 * np.log10(level):.0f} dB"
    return [SoundEvent("noise", start, end, detail, 1.0) for start, end in spans if end - start >= _SILENT]
