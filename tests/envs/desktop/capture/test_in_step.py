"""What a real player shows and sounds is recorded at its times, and as it was."""

from __future__ import annotations

import wave
from pathlib import Path
from statistics import median

import numpy as np
import pytest
import soundfile
from desktop_hands import wait_for
from flash_and_beep import beeps, flashes, write_film
from numpy.typing import NDArray

import omnipilot.envs.speech as voices
from omnipilot.envs.desktop import DesktopEnv
from omnipilot.envs.desktop.private import PrivateDesktop
from omnipilot.envs.types.media import SAMPLE_RATE, AudioClip, VideoClip
from omnipilot.envs.types.observation import Modality

pytestmark = pytest.mark.desktop
BOTH = {Modality.VIDEO, Modality.AUDIO}


def ends(desktop: PrivateDesktop, pid: int) -> bool:
    return pid not in {one.pid for one in desktop.processes()}


def speech(seconds: float) -> NDArray[np.int16]:
    """Spoken words, 16,000 samples a second."""
    words = []
    for path in sorted(Path(voices.__file__).parent.glob("*.flac")):
        samples, rate = soundfile.read(path, dtype="int16")
        assert rate == SAMPLE_RATE
        words.append(samples)
        if sum(map(len, words)) >= seconds * SAMPLE_RATE:
            break
    return np.concatenate(words)[: int(seconds * SAMPLE_RATE)]


def test_a_flash_and_its_beep_are_recorded_together(desktop_env: DesktopEnv, desktop: PrivateDesktop, tmp_path: Path):
    write_film(tmp_path / "flash.mkv", seconds=5.5)
    desktop.home.write_file("flash.mkv", (tmp_path / "flash.mkv").read_bytes())
    since = desktop_env.observe(set(), 0.0).time
    player = desktop.start(["mpv", "--vo=x11", "--ao=pulse", "--no-osc", "--geometry=640x360+320+220", "flash.mkv"])
    wait_for(lambda: ends(desktop, player.pid), 120.0, "the end of the film")
    look = desktop_env.observe(BOTH, since)
    assert isinstance(look.video, VideoClip) and isinstance(look.audio, AudioClip)
    seen, heard = flashes(look.video), beeps(look.audio)
    assert len(seen) == len(heard) == 5
    # On a busy machine the player itself is late with one picture or another; what is recorded late is late in all.
    offsets = [beep - flash for beep, flash in zip(heard, seen, strict=True)]
    assert abs(median(offsets)) < 0.05 and max(map(abs, offsets)) < 0.5, offsets


def test_speech_is_heard_as_it_was_played(desktop_env: DesktopEnv, desktop: PrivateDesktop, tmp_path: Path):
    from scipy.signal import correlate  # takes a second, and this test is seldom run

    spoken = speech(2.0)
    with wave.open(str(tmp_path / "speech.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE)
        file.writeframes(spoken.tobytes())
    desktop.home.write_file("speech.wav", (tmp_path / "speech.wav").read_bytes())
    since = desktop_env.observe(set(), 0.0).time
    desktop.shell("paplay speech.wav", 60.0)

    def likeness() -> list[float]:
        """How much each half second resembles what was spoken."""
        heard = desktop_env.observe({Modality.AUDIO}, since).audio
        assert isinstance(heard, AudioClip)
        samples = heard.array().astype(float)
        lag = int(np.argmax(correlate(samples, spoken.astype(float), "valid")))
        pieces = [slice(at, at + SAMPLE_RATE // 2) for at in range(0, spoken.size - SAMPLE_RATE // 2, SAMPLE_RATE // 2)]
        loud = [piece for piece in pieces if np.abs(spoken[piece]).max() > 500]  # a pause resembles nothing
        return [float(np.corrcoef(samples[lag:][piece], spoken[piece])[0, 1]) for piece in loud]

    # The last of it is recorded a little after it has been played.
    wait_for(lambda: min(likeness()) > 0.9, 15.0, "what was spoken")
