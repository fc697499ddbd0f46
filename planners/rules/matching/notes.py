"""Findings of the planner `rules`: texts, sounds and videos, with the clauses that led to each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from omnipilot.envs import AudioClip, Image, Observation, VideoClip
from omnipilot.envs.types import SAMPLE_RATE
from omnipilot.memory.perception import Seen

_LONGEST = 40.0
"""Maximum seconds of video and audio kept per finding."""
_PLAIN = frozenset("the a an of in on it its his her their that which who was is to and at with for from as by".split())


@dataclass(frozen=True, slots=True)
class Note:
    """One finding.

    Attributes:
        said: the clauses that led to it, the last of them first.
        texts: that were in view. value: the answer itself, where it is known.
        sound: that was heard. films: what each picture showed, by its name.
    """

    said: str
    texts: list[str] = field(default_factory=list)
    sound: AudioClip | None = None
    films: dict[str, Seen] = field(default_factory=dict)
    value: str = ""


@dataclass
class Tape:
    """Sound and film of one environment since the last action there."""

    began: float | None = None
    frames: list[Image] = field(default_factory=list)
    until: float = 0.0
    sound: AudioClip | None = None

    def add(self, observation: Observation, filming: bool) -> None:
        """Add the captures since the previous turn; film only if it will be watched."""
        film = observation.video
        if self.began is None:
            self.began = film.start if isinstance(film, VideoClip) else observation.time
        clip = observation.audio
        if isinstance(clip, AudioClip):
            joined = clip if self.sound is None else _joined(self.sound, clip)
            self.sound = joined.slice(joined.end - _LONGEST, joined.end)
        if isinstance(film, VideoClip) and filming:
            frames = [frame for frame in film.frames if not self.frames or frame.start > self.frames[-1].start]
            self.frames += frames
            self.until = film.end

    @property
    def film(self) -> VideoClip | None:
        """All frames as one clip; None if there are none."""
        return VideoClip(self.frames, max(self.until, self.frames[-1].start)) if self.frames else None


def _joined(before: AudioClip, clip: AudioClip) -> AudioClip:
    """A sound and the next one, with silence for what a gate withheld between them."""
    gap = min(max(0.0, clip.start - before.end), _LONGEST)
    return AudioClip(before.pcm + bytes(2 * round(gap * SAMPLE_RATE)) + clip.pcm, clip.env, before.start)


def words(text: str) -> frozenset[str]:
    """The meaningful words of a text, normalised so that "beeps" and "beep" are equal."""
    found = re.findall(r"[\w'-]+", text.casefold())
    return frozenset(word if word.isdigit() else word.rstrip("s") or word for word in found if word not in _PLAIN)


def rank_notes(phrase: str, notes: Sequence[Note]) -> list[Note]:
    """Notes ordered by the words their occasion shares with a phrase; ties go to the latest."""
    sought = words(phrase)
    latest = list(reversed(notes))
    return sorted(latest, key=lambda note: -len(sought & words(note.said)))


def with_film(notes: Iterable[Note]) -> list[Note]:
    """Notes with video."""
    return [note for note in notes if note.films]


def with_sound(notes: Iterable[Note]) -> list[Note]:
    """Notes with sound."""
    return [note for note in notes if note.sound is not None and note.sound.seconds > 0]
