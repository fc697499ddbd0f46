"""Speech detection: frames with the dense overtones of a voice, which instruments do not have."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from omnipilot.memory.perception.audio.spectrum import BIN, FRAME, Spectrum

_LOWEST, _HIGHEST, _VOICES = 75.0, 330.0, 90
"""Range of a voice's pitch in hertz, and the number of pitches tried."""
_TOP = 2200.0
_SOFTEST = 10**-4.0
"""Minimum background, as a share of a frame's strongest line."""
_VOICED = 4.6
"""Minimum score of a voiced frame; an instrument with three overtones scores at most 4."""
SPEECH_PAUSE = 0.5
"""Longest silence within an utterance, in seconds."""
_SHORTEST, _LEAST = 0.12, 5
"""Longest pause within speech and shortest speech, in seconds, and minimum number of voiced frames."""
_EDGE = 0.05


def speech(spectrum: Spectrum, tones: NDArray[np.bool_]) -> list[tuple[float, float, float]]:
    """Intervals of speech: start and end in seconds from the clip's start, and a confidence.

    `tones`, of the spectrogram's shape, masks steady tones, which are excluded.
    """
    score = _voicing(spectrum, tones)
    padded = np.pad(score, 1)
    # Three consecutive frames, so that the click at the start of a tone does not count.
    lasting = np.minimum(np.minimum(padded[:-2], padded[1:-1]), padded[2:])
    middle = (padded[:-2] + padded[1:-1] + padded[2:]) / 3
    voiced = np.flatnonzero((middle >= _VOICED) & (lasting >= _VOICED / 2))
    found = []
    for run in np.split(voiced, np.flatnonzero(np.diff(voiced) * FRAME > SPEECH_PAUSE) + 1):
        if len(run) >= _LEAST and (run[-1] - run[0] + 1) * FRAME >= _SHORTEST:
            sure = float(1 - np.exp(-middle[run].sum() / 60))
            found.append((max(0.0, run[0] * FRAME - _EDGE), (run[-1] + 1) * FRAME + _EDGE, sure))
    return found


def _voicing(spectrum: Spectrum, tones: NDArray[np.bool_]) -> NDArray[np.float64]:
    """How clearly each frame shows adjacent overtones of one pitch with gaps between them, from 0.

    For each pitch: how much (natural logarithm of power) an overtone and its neighbour both exceed the gaps
    next to them, summed over all overtones; the best pitch counts.
    """
    first = int(_TOP / BIN) + 24
    power = spectrum.power[:, :first]
    ground = np.maximum(spectrum.floor[:first], _SOFTEST * power.max(axis=1, keepdims=True))
    loud = np.log(np.maximum(power / ground, 1)).clip(0, 6)
    loud[tones[:, :first]] = 0
    best = np.zeros(len(loud))
    for teeth, gaps in _combs():
        gap = loud[:, gaps]
        clear = loud[:, teeth] - np.maximum(gap[:, :-1], gap[:, 1:])
        pairs = np.minimum(clear[:, 1:], clear[:, :-1]).clip(0, 2)
        best = np.maximum(best, pairs.sum(axis=1))
    return best


@lru_cache(maxsize=1)
def _combs() -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """For each pitch, the bins of its overtones and of the gaps before, between and after them."""
    found = []
    for pitch in np.geomspace(_LOWEST, _HIGHEST, _VOICES):
        order = np.arange(1, int(_TOP / pitch) + 1)
        teeth = np.round(order * pitch / BIN).astype(np.int64)
        gaps = np.round((np.append(order, order[-1] + 1) - 0.5) * pitch / BIN).astype(np.int64)
        found.append((teeth, gaps))
    return found
