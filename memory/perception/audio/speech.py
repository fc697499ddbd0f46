"""Where somebody speaks: frames with the close row of overtones that a voice has and instruments have not."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from omnipilot.memory.perception.audio.spectrum import BIN, FRAME, Spectrum

_LOWEST, _HIGHEST, _VOICES = 75.0, 330.0, 90
"""Range of a voice's pitch in hertz, and how many pitches are tried."""
_TOP = 2200.0
_SOFTEST = 10**-4.0
"""Share of a frame's strongest line that counts as background at least."""
_VOICED = 4.6
"""Score of a voiced frame; an instrument with three overtones has 4 at most."""
_PAUSE, _SHORTEST, _LEAST = 0.5, 0.12, 5
"""Longest pause within speech and shortest speech, in seconds, and voiced frames at least."""
_EDGE = 0.05


def speech(spectrum: Spectrum, tones: NDArray[np.bool_]) -> list[tuple[float, float, float]]:
    """Stretches of speech: start and end in seconds from the clip's beginning, and a confidence.

    `tones`, of the spectrogram's shape, marks what belongs to steady tones and is left out.
    """
    score = _voicing(spectrum, tones)
    padded = np.pad(score, 1)
    # Three frames in a row, so that the click at a tone's beginning is none.
    lasting = np.minimum(np.minimum(padded[:-2], padded[1:-1]), padded[2:])
    middle = (padded[:-2] + padded[1:-1] + padded[2:]) / 3
    voiced = np.flatnonzero((middle >= _VOICED) & (lasting >= _VOICED / 2))
    found = []
    for run in np.split(voiced, np.flatnonzero(np.diff(voiced) * FRAME > _PAUSE) + 1):
        if len(run) >= _LEAST and (run[-1] - run[0] + 1) * FRAME >= _SHORTEST:
            sure = float(1 - np.exp(-middle[run].sum() / 60))
            found.append((max(0.0, run[0] * FRAME - _EDGE), (run[-1] + 1) * FRAME + _EDGE, sure))
    return found


def _voicing(spectrum: Spectrum, tones: NDArray[np.bool_]) -> NDArray[np.float64]:
    """How clearly each frame shows neighbouring overtones of one pitch with gaps between them, from 0.

    For each pitch: by how much (natural logarithm of power) an overtone and its neighbour both stand above the gaps
    beside them, summed over the row; the best pitch counts.
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
    """For each pitch the bins of its overtones, and those of the gaps before, between and after them."""
    found = []
    for pitch in np.geomspace(_LOWEST, _HIGHEST, _VOICES):
        order = np.arange(1, int(_TOP / pitch) + 1)
        teeth = np.round(order * pitch / BIN).astype(np.int64)
        gaps = np.round((np.append(order, order[-1] + 1) - 0.5) * pitch / BIN).astype(np.int64)
        found.append((teeth, gaps))
    return found
