"""Files of sound and video become clips: rates, channels, lengths, and files that are none."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

from omnipilot.bench.suites.omnigui.media import VideoSampling, film, seconds_of, sound
from omnipilot.envs import ConfigError, EnvLost, Image, MissingExtra, Size, VideoClip
from omnipilot.envs.types.media import SAMPLE_RATE


@pytest.mark.parametrize("rate", [8_000, 16_000, 22_050, 44_100, 48_000])
def test_any_sound_becomes_mono_at_16_khz_with_its_pitch_and_loudness(tmp_path: Path, rate: int) -> None:
    seconds, pitch = 1.5, 440
    wave = 0.5 * np.sin(2 * np.pi * pitch * np.arange(round(seconds * rate)) / rate)
    soundfile.write(tmp_path / "a.wav", np.stack([wave, np.zeros_like(wave)], axis=1), rate, subtype="PCM_16")
    clip = sound(tmp_path / "a.wav", "phone", 10.0)
    assert (clip.env, clip.end) == ("phone", pytest.approx(10.0))
    assert clip.seconds == pytest.approx(seconds, abs=1e-3)
    assert seconds_of(None, tmp_path / "a.wav") == pytest.approx(seconds)
    assert clip.loudness() == pytest.approx(0.25 / np.sqrt(2), rel=0.01)
    spectrum = np.abs(np.fft.rfft(clip.array()))
    assert np.argmax(spectrum) * SAMPLE_RATE / len(clip.array()) == pytest.approx(pitch, abs=1)


def test_what_is_above_8_khz_does_not_come_back_lower(tmp_path: Path) -> None:
    rate = 48_000
    high = 0.5 * np.sin(2 * np.pi * 10_000 * np.arange(rate) / rate)
    soundfile.write(tmp_path / "a.flac", high, rate, subtype="PCM_16")
    assert sound(tmp_path / "a.flac", "phone", 1.0).loudness() < 1e-3


@pytest.mark.needs("omnipilot[video]")
def test_files_that_are_no_media_lose_the_device_and_say_which(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(b"RIFF of nothing")
    for read in (lambda path: sound(path, "phone", 1.0), lambda path: seconds_of(None, path)):
        with pytest.raises(EnvLost, match=r"a\.wav cannot be read"):
            read(tmp_path / "a.wav")
    (tmp_path / "a.mp4").write_bytes(b"no film")
    with pytest.raises(EnvLost, match=r"a\.mp4 cannot be read"):
        film(tmp_path / "a.mp4", "phone", 1.0, VideoSampling())
    soundfile.write(tmp_path / "b.wav", np.zeros(100), 16_000)
    with pytest.raises(EnvLost, match=r"b\.wav contains no video"):
        film(tmp_path / "b.wav", "phone", 1.0, VideoSampling())


def plain(size: Size, grey: int, time: float) -> Image:
    return Image.raw(size, bytes([grey]) * size.pixels * 3, time=time)


@pytest.mark.needs("omnipilot[video]")
def test_a_film_shows_at_each_time_what_was_seen_then(tmp_path: Path) -> None:
    size = Size(64, 128)
    made = VideoClip([plain(size, 0, 0.0), plain(size, 100, 1.0), plain(size, 200, 1.5)], 2.0)
    (tmp_path / "a.mp4").write_bytes(made.mp4(fps=10))
    assert seconds_of(tmp_path / "a.mp4", None) == pytest.approx(2.0)
    clip = film(tmp_path / "a.mp4", "phone", 7.0, VideoSampling(fps=4, side=64))
    assert (clip.start, clip.end, clip.size) == (pytest.approx(5.0), 7.0, Size(32, 64))
    greys = [round(float(frame.array().mean()) / 100) * 100 for frame in clip.frames]
    assert greys == [0, 0, 0, 0, 100, 100, 200, 200]
    assert [frame.start - clip.start for frame in clip.frames] == pytest.approx(np.arange(8) / 4)
    few = film(tmp_path / "a.mp4", "phone", 7.0, VideoSampling(frames=3, side=0))
    assert few.size == size and [frame.start for frame in few.frames] == pytest.approx([5, 5 + 2 / 3, 5 + 4 / 3])


def test_without_pyav_a_film_cannot_be_shown_and_no_other_length_is_taken_for_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    soundfile.write(tmp_path / "a.wav", np.zeros(8_000), 16_000)
    with pytest.raises(MissingExtra):
        seconds_of(tmp_path / "a.mp4", tmp_path / "a.wav")
    with pytest.raises(MissingExtra):
        film(tmp_path / "a.mp4", "phone", 1.0, VideoSampling())


def test_sampling_that_cannot_be_is_refused() -> None:
    for wrong in ({"fps": -1.0}, {"frames": 0}, {"side": -1}):
        with pytest.raises(ConfigError):
            VideoSampling(**wrong)  # type: ignore[arg-type]
