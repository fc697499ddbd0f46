"""Sound as the small ears see it: the power in 40 bands of the mel scale, a hundred times a second."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs.types import SAMPLE_RATE

WINDOW, HOP, POINTS = 400, 160, 512
"""Samples of a frame (25 ms) and between frames (10 ms), and points of its transform."""
BANDS, LOWEST, HIGHEST = 40, 60.0, 7600.0
"""Bands, and their range in hertz."""
FRAME = HOP / SAMPLE_RATE
_QUIETEST = 1e-10
"""Least power of a band, of a full-scale sine's 1."""
_LOUD = 0.95
"""The loudness of a clip is that of the frame that is louder than this share of its frames."""
_DEPTH, _HEIGHT = -10.0, 4.0
"""Range of the features before they are scaled: natural logarithms of power over the clip's loudness."""


def mel_power(samples: NDArray[np.floating]) -> NDArray[np.float32]:
    """Power by frame and band, shape (frames, 40); a full-scale sine comes to about 1.

    Args:
        samples: of sound at 16 kHz, within -1..1. Frame i is centred on i * 10 ms; there is at least one.
    """
    frames = len(samples) // HOP + 1
    padded = np.zeros((frames - 1) * HOP + WINDOW, np.float32)
    kept = samples[: len(padded) - WINDOW // 2]
    padded[WINDOW // 2 : WINDOW // 2 + len(kept)] = kept
    cut = np.lib.stride_tricks.sliding_window_view(padded, WINDOW)[::HOP]
    window = np.hanning(WINDOW + 1)[:-1].astype(np.float32)
    power = (np.abs(np.fft.rfft(cut * window, POINTS, axis=1)) / (WINDOW / 4)) ** 2
    return np.asarray(power @ mel_filters(), np.float32)


@lru_cache(maxsize=1)
def mel_filters() -> NDArray[np.float32]:
    """Triangles of equal width on the mel scale, shape (257, 40), each 1 at its middle.

    Source: Davis and Mermelstein 1980; mel = 2595 log10(1 + hertz / 700) (O'Shaughnessy 1987).
    """
    low, high = (2595 * np.log10(1 + hertz / 700) for hertz in (LOWEST, HIGHEST))
    edges = 700 * (10 ** (np.linspace(low, high, BANDS + 2) / 2595) - 1)
    hertz = np.arange(POINTS // 2 + 1)[:, None] * SAMPLE_RATE / POINTS
    rising = (hertz - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - hertz) / (edges[2:] - edges[1:-1])
    return np.maximum(0, np.minimum(rising, falling)).astype(np.float32)


def mel_features(power: NDArray[np.floating]) -> NDArray[np.float32]:
    """What the network is given, shape (frames, 40), about -1.5..2: logarithms of power over the clip's loudness."""
    loud = np.quantile(power.sum(axis=1), _LOUD) + BANDS * _QUIETEST
    levels = np.log((power + _QUIETEST) / loud)
    return np.asarray((levels.clip(_DEPTH, _HEIGHT) + 5) / 3, np.float32)
