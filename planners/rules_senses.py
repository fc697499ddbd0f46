"""What is heard and what moves: the two senses of the planner `rules` beside the elements."""

from __future__ import annotations

from omnipilot.envs.media import SAMPLE_RATE, AudioClip, VideoClip
from omnipilot.envs.observation import Absent, Observation

LOUD = 0.003
"""Root mean square, relative to full scale, from which a clip is not silence (-50 dB)."""
MOVED = 0.0005
"""Share of the pixels that must differ between two frames for a movement; a blinking caret is less."""
TAIL = 0.5
"""Seconds without movement at the end of a clip that count as standing still."""


def hears(observation: Observation) -> bool | None:
    """Whether something sounded since the last turn; None where there is no ear."""
    if isinstance(observation.audio, Absent):
        return None
    return observation.audio.loudness() >= LOUD


def moving(clip: VideoClip) -> bool:
    """Whether two frames in a row differ by more than a caret."""
    import numpy as np

    for before, after in zip(clip.frames, clip.frames[1:], strict=False):
        if before.digest == after.digest:
            continue
        if float(np.mean(np.any(before.array() != after.array(), axis=2))) >= MOVED:
            return True
    return False


def moves(observation: Observation) -> bool | None:
    """Whether something moved since the last turn; None where there is no video."""
    return None if isinstance(observation.video, Absent) else moving(observation.video)


def still(observation: Observation) -> bool | None:
    """Whether nothing moved in the last half second; None without video, False where the clip is too short to tell."""
    clip = observation.video
    if isinstance(clip, Absent):
        return None
    return clip.seconds >= TAIL and not moving(clip.slice(clip.end - TAIL, clip.end))


_LOW, _HIGH = (697, 770, 852, 941), (1209, 1336, 1477, 1633)
_KEYS = "123A456B789C*0#D"
_FRAME, _HOP = 400, 200


def quiet(observation: Observation) -> bool | None:
    """Whether the last half second was silent; None where there is no ear, False where the clip is too short."""
    clip = observation.audio
    if isinstance(clip, Absent):
        return None
    return clip.seconds >= TAIL and clip.slice(clip.end - TAIL, clip.end).loudness() < LOUD


def dialled(clip: AudioClip) -> str:
    """The keys of a telephone that a clip sounds (dual tones after ITU-T Q.23), "" for none.

    A key counts when its two tones hold most of the energy for at least 40 ms.
    """
    import numpy as np

    samples = clip.array().astype(np.float64) / 32768
    time = np.arange(_FRAME) / SAMPLE_RATE
    window = np.hanning(_FRAME)
    waves = np.exp(-2j * np.pi * np.outer([*_LOW, *_HIGH], time)) * window
    keys, last, run = "", "", 0
    for start in range(0, len(samples) - _FRAME + 1, _HOP):
        frame = samples[start : start + _FRAME]
        energy = float(np.sum((frame * window) ** 2))
        power = np.abs(waves @ frame) ** 2
        row, column = int(np.argmax(power[:4])), int(np.argmax(power[4:]))
        # Parseval for a windowed sine: its peak holds 2/3 of energy x window length, shared by the two tones.
        share = (power[row] + power[4 + column]) / (energy * _FRAME + 1e-12)
        even = min(power[row], power[4 + column]) > 0.1 * max(power[row], power[4 + column])
        key = _KEYS[4 * row + column] if energy > 0.01 and share > 0.2 and even else ""
        run = run + 1 if key == last else 1
        last = key
        if key and run == 3:
            keys += key
    return keys
