"""The spectrogram of a clip relative to its background noise, and its peaks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs import AudioClip
from omnipilot.envs.types import SAMPLE_RATE

WINDOW, HOP = 1024, 256
"""Samples per frame (64 ms) and between frames (16 ms)."""
BIN = SAMPLE_RATE / WINDOW
FRAME = HOP / SAMPLE_RATE
_QUIETEST = 1e-9
"""Minimum background power relative to a full-scale sine: a few units of 16-bit samples."""
_QUANTILE = 0.2
_AROUND = 21
_SOFTEST = 10**-3.5
"""Lines weaker than this share of a frame's strongest line are ignored as its side lobes."""


@dataclass(frozen=True, slots=True)
class Spectrum:
    """Power by frame and frequency.

    Attributes:
        power: shape (frames, 513); a full-scale sine has 1 at its bin. Frame i is centred on i * 16 ms.
        floor: shape (513,), the background's mean power at each frequency.
        excess: `power` over `floor`.
    """

    power: NDArray[np.float32]
    floor: NDArray[np.float32]
    excess: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Peaks:
    """Spectral peaks, one entry each, in order of time."""

    frame: NDArray[np.int64]
    bin: NDArray[np.int64]
    hertz: NDArray[np.float64]
    power: NDArray[np.float64]


def spectrum(clip: AudioClip) -> Spectrum:
    """The spectrogram of a clip (at least one frame; padded with silence)."""
    samples = clip.array().astype(np.float32) / 32768
    frames = len(samples) // HOP + 1
    padded = np.zeros((frames - 1) * HOP + WINDOW, np.float32)
    padded[WINDOW // 2 : WINDOW // 2 + len(samples)] = samples[: len(padded) - WINDOW // 2]
    window = np.hanning(WINDOW + 1)[:-1].astype(np.float32)
    cut = np.lib.stride_tricks.sliding_window_view(padded, WINDOW)[::HOP]
    power = (np.abs(np.fft.rfft(cut * window, axis=1)) / (WINDOW / 4)).astype(np.float32) ** 2
    floor = _background(power)
    return Spectrum(power, floor, power / floor)


def _background(power: NDArray[np.float32]) -> NDArray[np.float32]:
    """Mean power of the steady noise, from a low quantile over time and the median over neighbouring frequencies.

    Frames of pure silence say nothing about noise at other times and are left out. The power of noise
    at one frequency is exponentially distributed, from which the mean follows.
    """
    alive = power[power.sum(axis=1) > _QUIETEST]
    if len(alive) < 4:
        return np.full(power.shape[1], _QUIETEST, np.float32)
    low = np.quantile(alive, _QUANTILE, axis=0) / -np.log(1 - _QUANTILE)
    edge = _AROUND // 2
    around = np.lib.stride_tricks.sliding_window_view(np.pad(low, edge, "reflect"), _AROUND)
    return np.asarray(np.maximum(np.median(around, axis=1), _QUIETEST), np.float32)


def peaks(spectrum: Spectrum, least: float, lowest: float, highest: float) -> Peaks:
    """Narrow peaks of at least `least` times the background between two frequencies, in hertz."""
    first, last = max(6, int(lowest / BIN)), min(spectrum.power.shape[1] - 6, int(highest / BIN) + 1)
    power = spectrum.power
    here = power[:, first:last]
    top = (spectrum.excess[:, first:last] >= least) & (here >= _SOFTEST * here.max(axis=1, keepdims=True))
    for shift in (-2, -1, 1, 2):
        beside = power[:, first + shift : last + shift]
        top &= (here >= beside) if shift < 0 else (here > beside)
    # A line is narrow: five or more bins away, on either side, it is much weaker.
    sides = [power[:, first + s : last + s] for s in (-6, -5, 5, 6)]
    top &= here > 6 * np.minimum(sides[0] + sides[1], sides[2] + sides[3]) / 2
    frame, bin = np.nonzero(top)
    bin = bin + first
    a, b, c = (np.log(power[frame, bin + s] + 1e-20).astype(np.float64) for s in (-1, 0, 1))
    offset = 0.5 * (a - c) / np.minimum(a - 2 * b + c, -1e-9)
    return Peaks(frame, bin, (bin + np.clip(offset, -0.5, 0.5)) * BIN, np.exp(b))
