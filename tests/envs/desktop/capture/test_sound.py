"""When samples sounded, from when they arrived; no sound server needed."""

from __future__ import annotations

import random

import numpy as np
import pytest

from omnipilot.envs.desktop.capture.sound import SampleRing
from omnipilot.envs.types.media import SAMPLE_RATE

CHUNK = SAMPLE_RATE // 50


def test_late_reads_do_not_move_the_samples():
    ring, rng = SampleRing(), random.Random(1)
    for n in range(500):
        # Sample n * CHUNK sounds at second 100 + n / 50, and arrives up to 15 ms late, now and then more.
        late = rng.choice([0.0, 0.001, 0.004, 0.015, 0.08])
        ring.add(np.full(CHUNK, n, "<i2").tobytes(), 100 + (n + 1) / 50 + late)
    pcm, began = ring.between(103.0, 103.02)
    assert began == pytest.approx(103.0, abs=1e-4)
    assert set(np.frombuffer(pcm, "<i2")) <= {149, 150} and len(pcm) == 2 * CHUNK


@pytest.mark.parametrize("speed", [0.9995, 1.0005])
def test_a_sound_card_that_runs_fast_or_slow_is_followed(speed: float):
    ring = SampleRing()  # a second off in about half an hour
    for n in range(50 * 100):
        ring.add(np.full(CHUNK, n % 1000, "<i2").tobytes(), 100 + (n + 1) / 50 / speed)
    pcm, _ = ring.between(100 + 4900 / 50 / speed, 100 + 4901 / 50 / speed)
    assert abs(np.median(np.frombuffer(pcm, "<i2")) - 900) <= 1


def test_samples_that_were_lost_are_silence():
    ring = SampleRing()
    for n in range(200):
        gap = 2.0 if n >= 100 else 0.0
        ring.add(np.full(CHUNK, 1000, "<i2").tobytes(), 100 + (n + 1) / 50 + gap)
    pcm, began = ring.between(101.0, 106.0)
    loud = np.frombuffer(pcm, "<i2") > 0
    assert began == pytest.approx(101.0, abs=1e-3)
    assert not loud[int(1.1 * SAMPLE_RATE) : int(2.9 * SAMPLE_RATE)].any()
    assert loud[: int(0.9 * SAMPLE_RATE)].all() and loud[int(3.1 * SAMPLE_RATE) :].all()


def test_only_the_newest_seconds_are_kept():
    ring = SampleRing(longest=2.0)
    for n in range(50 * 10):
        ring.add(np.full(CHUNK, n, "<i2").tobytes(), 100 + (n + 1) / 50)
    pcm, began = ring.between(100.0, 110.0)
    assert 2.0 <= len(pcm) / 2 / SAMPLE_RATE <= 2.2 + 0.1
    assert began == pytest.approx(110.0 - len(pcm) / 2 / SAMPLE_RATE, abs=1e-3)
    assert np.frombuffer(pcm, "<i2")[-1] == 499
