"""Hearing and motion: the senses of the planner `rules` besides elements."""

from __future__ import annotations

from omnipilot.envs import Absent, AudioClip, Observation, VideoClip
from omnipilot.memory.perception import AUDIBLE_LOUDNESS

MOVED = 0.0005
"""Share of the pixels that must differ between two frames for a movement; a blinking caret is less."""
_PAUSE = 0.1
"""Seconds of silence that part two beeps."""
TAIL = 0.5
"""Seconds without movement at the end of a clip that count as standing still."""


def _gated(absent: Absent, as_nothing: bool) -> bool | None:
    """What a sense says of a clip that is absent: as of silence and stillness if a gate withheld it, else None."""
    return as_nothing if absent.reason == "gated" else None


def hears(observation: Observation) -> bool | None:
    """Whether there was sound since the last turn; None without audio."""
    if isinstance(observation.audio, Absent):
        return _gated(observation.audio, False)
    return observation.audio.loudness() >= AUDIBLE_LOUDNESS


def moving(clip: VideoClip) -> bool:
    """Whether two consecutive frames differ by more than a caret."""
    import numpy as np

    for before, after in zip(clip.frames, clip.frames[1:], strict=False):
        if before.digest == after.digest:
            continue
        if float(np.mean(np.any(before.array() != after.array(), axis=2))) >= MOVED:
            return True
    return False


def moves(observation: Observation) -> bool | None:
    """Whether something moved since the last turn; None without video."""
    if isinstance(observation.video, Absent):
        return _gated(observation.video, False)
    return moving(observation.video)


def still(observation: Observation) -> bool | None:
    """Whether nothing moved in the last half second; None without video, False if the clip is too short."""
    clip = observation.video
    if isinstance(clip, Absent):
        return _gated(clip, True)
    return clip.seconds >= TAIL and not moving(clip.slice(clip.end - TAIL, clip.end))


def quiet(observation: Observation) -> bool | None:
    """Whether the last half second was silent; None without audio, False if the clip is too short."""
    clip = observation.audio
    if isinstance(clip, Absent):
        return _gated(clip, True)
    return clip.seconds >= TAIL and clip.slice(clip.end - TAIL, clip.end).loudness() < AUDIBLE_LOUDNESS


def beeps(clip: AudioClip) -> int:
    """The number of separate tones: closely spaced beeps of one pitch count as one event with pauses."""
    from omnipilot.memory.perception import read_sounds

    reading = read_sounds(clip)
    pauses = reading.of("silence")
    count = 0
    for event in reading.of("tone", "chime", "alarm"):
        inside = [p for p in pauses if event.start < p.start and p.end < event.end and p.end - p.start >= _PAUSE]
        count += 1 + len(inside)
    return count
