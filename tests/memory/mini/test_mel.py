"""Power by band, beside transforms that are written out as sums."""

from __future__ import annotations

import numpy as np

from omnipilot.memory.mini import BANDS, mel_features, mel_power
from omnipilot.memory.mini.mel import HOP, POINTS, WINDOW, mel_filters

RATE = 16_000


def slow_power(samples: np.ndarray, frame: int) -> np.ndarray:
    """The bands of one frame: its transform as a sum of products, its triangles from their definition."""
    begin = frame * HOP - WINDOW // 2
    cut = np.array([samples[n] if 0 <= n < len(samples) else 0.0 for n in range(begin, begin + WINDOW)])
    cut = cut * (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW))
    angles = -2j * np.pi * np.outer(np.arange(POINTS // 2 + 1), np.arange(WINDOW)) / POINTS
    power = np.abs(np.exp(angles) @ cut / (WINDOW / 4)) ** 2
    mels = np.linspace(2595 * np.log10(1 + 60 / 700), 2595 * np.log10(1 + 7600 / 700), BANDS + 2)
    edges = 700 * (10 ** (mels / 2595) - 1)
    bands = []
    for low, middle, high in zip(edges, edges[1:], edges[2:], strict=False):
        bands.append(
            sum(
                power[n] * max(0.0, min((hertz - low) / (middle - low), (high - hertz) / (high - middle)))
                for n in range(POINTS // 2 + 1)
                for hertz in [n * RATE / POINTS]
            )
        )
    return np.array(bands)


def test_power_is_that_of_the_written_out_transform() -> None:
    samples = np.random.default_rng(0).normal(0, 0.1, 2000)
    power = mel_power(samples)
    assert power.shape == (len(samples) // HOP + 1, BANDS)
    for frame in (0, 3, len(power) - 1):
        np.testing.assert_allclose(power[frame], slow_power(samples, frame), rtol=1e-3, atol=1e-9)


def test_a_tone_is_in_its_band() -> None:
    tone = np.sin(2 * np.pi * 1000 * np.arange(RATE) / RATE)
    middle = mel_power(tone)[50]
    hertz = np.arange(POINTS // 2 + 1) * RATE / POINTS
    band = int(middle.argmax())
    assert abs(float(hertz[mel_filters()[:, band].argmax()]) - 1000) < 60
    assert 0.3 < middle[band] < 1.5


def test_features_are_the_same_however_loud_a_clip_is_and_lie_in_their_range() -> None:
    power = mel_power(np.random.default_rng(1).normal(0, 0.1, RATE))
    features = mel_features(power)
    np.testing.assert_allclose(features, mel_features(power * 100), atol=1e-3)
    assert features.dtype == np.float32 and features.min() >= -5 / 3 - 1e-6 and features.max() <= 3


def test_silence_and_the_shortest_clip_have_features() -> None:
    assert np.isfinite(mel_features(mel_power(np.zeros(RATE)))).all()
    assert mel_power(np.zeros(1)).shape == (1, BANDS) and np.isfinite(mel_features(mel_power(np.zeros(1)))).all()
