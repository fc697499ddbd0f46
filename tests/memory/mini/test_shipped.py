"""The ears that come with the package: they hear what the embedded world says, and nothing in silence."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from omnipilot.envs import AudioClip
from omnipilot.envs.speech import VOICES, synthesize
from omnipilot.memory.mini import EarsTranscriber

SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@pytest.fixture(scope="module")
def ears() -> EarsTranscriber:
    return EarsTranscriber()


def clip_of(said: str, voice: str) -> AudioClip:
    samples = np.pad(synthesize(f"{voice}:{said}").samples(), 4000)
    return AudioClip(samples.astype("<i2").tobytes(), "phone", 0.0)


def test_they_hear_the_codes_that_the_world_says(ears: EarsTranscriber) -> None:
    random = Random(37)
    said = [f"the code is {''.join(random.choices(SIGNS, k=4))}" for _ in range(20)]
    heard = [ears.transcribe(clip_of(one, VOICES[number % 2])) for number, one in enumerate(said)]
    assert sum(one == other for one, other in zip(said, heard, strict=True)) >= 18, list(zip(said, heard, strict=True))


def test_they_hear_nothing_in_silence(ears: EarsTranscriber) -> None:
    assert ears.transcribe(AudioClip(np.zeros(16000, "<i2").tobytes(), "phone", 0.0)) == ""
