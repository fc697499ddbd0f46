"""Speech that is trained on: made by espeak-ng, kept in files, joined of parts, and mixed with noise."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from omnipilot.bench.training.ears import samples, speech
from omnipilot.bench.training.ears.samples import Backgrounds, Utterance, read_speech, write_speech
from omnipilot.bench.training.ears.speech import SpeakingVoice, add_background, app_sound, noise, speak
from omnipilot.envs import ConfigError
from omnipilot.memory.mini import mel_power

VOICE = SpeakingVoice("en-us", 160, 50)


def loudness(sound: np.ndarray) -> float:
    return float(np.sqrt(np.mean(sound**2)))


@pytest.mark.needs("espeak-ng")
def test_each_text_is_a_sound_of_its_own() -> None:
    short, long, code = speak(["yes", "the meeting is tomorrow at 9 30", "4, A, B"], VOICE)
    assert 0.2 < len(short) / 16_000 < 1 and 1.2 < len(long) / 16_000 < 4 and len(short) < len(code) < len(long)
    for sound in (short, long, code):
        assert sound.dtype == np.float32 and 0.005 < loudness(sound) < 0.5
        # Nothing but a margin is silent at the ends.
        assert np.abs(sound[:480]).max() > 0.0005 and np.abs(sound[-800:]).max() > 0.0005


@pytest.mark.needs("espeak-ng")
def test_speech_is_the_same_again_and_another_by_another_voice() -> None:
    (one,), (again,), (other,) = (
        speak(["hello"], voice) for voice in (VOICE, VOICE, SpeakingVoice("en-gb+m3", 160, 50))
    )
    assert np.array_equal(one, again) and not np.array_equal(one[:2000], other[:2000])


def test_a_program_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech, "PROGRAM", "false")
    with pytest.raises(ConfigError, match="-v en-us failed on 'hello': it said nothing"):
        speak(["hello"], VOICE)


def test_where_the_program_is_missing_the_cure_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ConfigError, match="apt-get install espeak-ng"):
        speech.check_program()


@pytest.mark.needs("espeak-ng")
def test_files_hold_sentences_and_what_is_joined_of_parts(tmp_path: Path) -> None:
    write_speech(tmp_path, [100])
    path = tmp_path / "00100.npz"
    before = path.stat().st_mtime_ns
    write_speech(tmp_path, [100])
    assert path.stat().st_mtime_ns == before and [one.name for one in tmp_path.iterdir()] == [path.name]
    found = read_speech([path])
    assert len(found) == sum(samples.SHARES.values()) + samples.SPLICED
    assert any(len(one.parts) > 3 for one in found)
    for one in found:
        power = one.power()
        assert power.shape == (one.frames, 40) and one.text and np.isfinite(power).all() and (power > 0).all()
        # A network that says two signs in 40 ms has room for the text.
        assert len(one.text) < 2 * math.ceil(one.frames / 4)


def test_instances_below_100_are_kept_for_measuring(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        write_speech(tmp_path, [99])


def test_a_broken_file_is_told_with_the_cure(tmp_path: Path) -> None:
    (tmp_path / "00100.npz").write_bytes(b"nothing")
    with pytest.raises(ConfigError, match=r"00100\.npz cannot be read .* it is made again"):
        read_speech([tmp_path / "00100.npz"])


def test_parts_stand_where_their_pauses_say() -> None:
    one, other = (np.full((frames, 40), level, np.float16) for frames, level in ((3, 1.0), (2, 2.0)))
    power = Utterance((one, other), (4, 5, 6), "ab").power()
    assert len(power) == 20
    loud = np.flatnonzero(power[:, 0] > 1e-3)
    assert loud.tolist() == [4, 5, 6, 12, 13]


@pytest.mark.parametrize("snr", [0.0, 20.0])
@pytest.mark.parametrize("behind", ["white", "pink", "alarm"])
def test_what_is_behind_speech_is_so_much_softer(snr: float, behind: str) -> None:
    spoken = np.sin(np.arange(16_000) / 20).astype(np.float32) * 0.1
    sound = app_sound(behind, 1.5) if behind == "alarm" else noise(behind, 1.5, 3)
    added = add_background(spoken, sound, snr) - spoken
    assert len(added) == len(spoken)
    assert 20 * math.log10(loudness(spoken) / loudness(added)) == pytest.approx(snr, abs=0.01)


def test_pink_noise_has_as_much_power_in_every_octave_and_white_twice_as_much_in_each() -> None:
    for colour, ratio in (("white", 2.0), ("pink", 1.0)):
        power = np.abs(np.fft.rfft(noise(colour, 8.0, 1))) ** 2
        octaves = [power[8 * first : 16 * first].sum() for first in (500, 1000, 2000)]
        for low, high in zip(octaves, octaves[1:], strict=False):
            assert high / low == pytest.approx(ratio, rel=0.1)


def test_noise_is_drawn_anew_each_time_and_alike_from_a_seed() -> None:
    spoken = np.log(mel_power(noise("white", 1.0, 0)) + 1e-12).astype(np.float16)
    one = Utterance((spoken,), (5, 5), "a")
    first, again = Backgrounds(7), Backgrounds(7)
    heard = [first.heard(one) for _ in range(6)]
    for before, now in zip(heard, [again.heard(one) for _ in range(6)], strict=True):
        assert np.array_equal(before, now)
    assert not all(np.array_equal(heard[0], other) for other in heard[1:])
    assert first.silence(50).shape == (50, 40) and np.isfinite(first.silence(50)).all()
