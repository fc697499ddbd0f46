"""The sounds of the embedded simulator: equal samples everywhere, and a mixer that has no seams."""

from __future__ import annotations

import hashlib
import os
import re
import string
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.envs import AudioClip
from omnipilot.envs.sim.audio import waves
from omnipilot.envs.sim.audio.noise import decibels
from omnipilot.envs.sim.audio.scores import pitch
from omnipilot.envs.sim.audio.sound import SOUNDS, Sound, mix, pattern
from omnipilot.envs.speech.synthesis import AFTER, BETWEEN_SIGNS, BETWEEN_WORDS, VOICES, Spoken, words
from omnipilot.envs.types.media import SAMPLE_RATE

GOLDEN = {
    "alarm": "e7d69f30ab882431",
    "ringtone": "3483a8029a872fb0",
    "chime": "9cde990f3c546c4b",
    "ding": "78fd3efb3b846540",
    "alarm_rising": "f0f4ca8b32c63fee",
    "alarm_siren": "aab1f8663f5ba121",
    "alarm_slow": "0090436287841eb2",
    "ringtone_bells": "a7c16c61212c3075",
    "ringtone_marimba": "1547ec5d3ec3edc8",
    "ringtone_pulse": "68c6f14e4911ecb2",
    "busy": "1c0625a7d6be103e",
    "chime_door": "e0d060bfac5cc750",
    "chime_three": "51581eaec0afe9d1",
    "ding_low": "1230e6d45ff6fdf0",
    "error": "02731365b6b04eb0",
    "click": "277ce6d0e57951dc",
    "melody_a": "77e78c29b90e653b",
    "melody_b": "5d19698d5e5c4b1c",
    "waltz": "bfddb3aa82d68236",
    "march": "5e81cd54c247a6bb",
    "lullaby": "1262286996889105",
    "jig": "eba313be1173c7d5",
    "blues": "edf37494580d645f",
    "canon": "2cdc7e8252011f6c",
    "ringback": "e27342d254ed5314",
    "tone_low": "51e99219c83032d9",
    "tone_high": "2a3c035484c16bf6",
    "buzz": "362b5d6349b3f2d8",
    "dtmf:0123456789*#ABCD": "8be3cf6fa3302d11",
    "melody:C4,E4,F#5,-,Bb3,+": "09a0ddc74f7acc09",
    "melody:120:G6,A2": "89d32097ebda09ad",
    "tone:1234": "2b1ed272b4dcb161",
    "noise:white:-20": "d0e655a3e28c168c",
    "noise:pink:-20:7": "6a3dfb2cefffecd6",
    "speech:en-a:the code is 47AB": "0c67d36f64980af7",
    "speech:en-b:delete then call back 0Z": "7a7588fa3169b3b6",
    "speech:zh-a:验证码是4711": "0a11c2e68c7e008b",
    "speech:zh-b:请打开第二": "fc6304dd32f0d1b2",
}
WRITTEN = [
    "dtmf:0123456789*#ABCD",
    "melody:C4,E4,F#5,-,Bb3,+",
    "melody:120:G6,A2",
    "tone:1234",
    "noise:white:-20",
    "noise:pink:-20:7",
    "speech:en-a:the code is 47AB",
    "speech:en-b:delete then call back 0Z",
    "speech:zh-a:验证码是4711",
    "speech:zh-b:请打开第二",
]
NAMES = [*SOUNDS, *WRITTEN]


def digests() -> dict[str, str]:
    """Of two seconds and a half of each sound, half a second after its start."""
    return {
        name: hashlib.sha256(mix([Sound(name, 0.25, 9.0)], "phone", 0.75, 3.25).pcm).hexdigest()[:16] for name in NAMES
    }


def strengths(clip: AudioClip, frequencies: list[float]) -> list[float]:
    """Amplitude of each frequency in the clip, in thousandths of full scale (a correlation, unlike the synthesis)."""
    samples = clip.array().astype(float)
    turns = np.arange(len(samples)) / SAMPLE_RATE
    return [abs((samples * np.exp(-2j * np.pi * f * turns)).mean()) * 2000 / 32768 for f in frequencies]


def test_samples_are_those_of_every_other_machine():
    assert digests() == GOLDEN


@pytest.mark.slow
def test_samples_do_not_depend_on_the_processor():
    extensions = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    env = {**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(extensions)}
    env["PYTHONIOENCODING"] = "utf-8"
    command = [sys.executable, __file__]
    out = subprocess.run(
        command, env=env, capture_output=True, text=True, encoding="utf-8", check=True, timeout=60
    ).stdout
    assert dict(line.rsplit(" ", 1) for line in out.splitlines()) == GOLDEN


def test_the_promised_sounds_are_there_and_differ():
    promised = "alarm ringtone chime ding click melody_a melody_b tone_low tone_high buzz"
    assert set(promised.split()) <= set(SOUNDS)
    assert len(set(digests().values())) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_sound_is_heard_and_is_not_distorted(name: str):
    one = mix([Sound(name, 0.0, pattern(name).seconds)], "phone", 0.0, pattern(name).seconds)
    peak = int(np.abs(one.array().astype(int)).max())
    assert 4000 < peak < 20000
    assert one.loudness() > 0.01
    assert abs(one.array().astype(float).mean()) < 100


def test_the_sine_table_is_a_sine():
    exact = 32767 * np.sin(2 * np.pi * np.arange(4096) / 4096)
    assert np.abs(waves._sines() - exact).max() < 0.51


def test_tones_have_their_pitch_and_loop_without_a_click():
    for name, hertz in (("tone_low", 220.0), ("tone_high", 880.0)):
        clip = mix([Sound(name, 0.0, 3.0)], "phone", 0.5, 2.5)
        here, octave, elsewhere = strengths(clip, [hertz, 2 * hertz, hertz * 1.3])
        assert here == pytest.approx(400, abs=4)
        assert octave < 1 and elsewhere < 1


def test_dialled_keys_can_be_heard_out():
    rows, columns = [697.0, 770.0, 852.0, 941.0], [1209.0, 1336.0, 1477.0, 1633.0]
    keys = "7319*0#D"
    clip = mix([Sound(f"dtmf:{keys}", 2.0, 60.0)], "phone", 0.0, 5.0)
    heard = ""
    for index in range(len(keys)):
        part = clip.slice(2.0 + index * 0.2 + 0.01, 2.0 + index * 0.2 + 0.11)
        low, high = strengths(part, rows), strengths(part, columns)
        heard += "123A456B789C*0#D"[4 * low.index(max(low)) + high.index(max(high))]
        assert not clip.slice(2.0 + index * 0.2 + 0.125, 2.0 + index * 0.2 + 0.195).array().any()
    assert heard == keys


def test_pitches_are_in_equal_temperament():
    names = ["A4", "C4", "F#5", "Bb3", "B7", "C2"]
    exact = [440 * 2 ** (steps / 12) for steps in (0, -9, 9, -11, 38, -33)]
    assert [pitch(name) for name in names] == [round(1000 * hertz) for hertz in exact]


def test_a_written_melody_sounds_its_notes():
    clip = mix([Sound("melody:200:C4,-,E4,+,G5", 1.0, 60.0)], "phone", 1.0, 2.0)
    for start, note in ((0.0, 261.6), (0.4, 329.6), (0.8, 784.0)):
        here, *others = strengths(clip.slice(1 + start, 1.2 + start), [note, *{261.6, 329.6, 784.0} - {note}])
        assert here > 50 and max(others) < here / 5
    assert not clip.slice(1.2, 1.4).array().any() and clip.slice(1.6, 1.8).loudness() > 0.01


@pytest.mark.parametrize(("colour", "level"), [("white", -10), ("white", -45), ("pink", -20), ("pink", -60)])
def test_noise_has_its_level_and_colour(colour: str, level: int):
    name = f"noise:{colour}:{level}"
    clip = mix([Sound(name, 0.0, 9.0)], "phone", 0.0, pattern(name).seconds)
    assert 20 * np.log10(clip.loudness()) == pytest.approx(level, abs=0.1 if level > -60 else 0.4)
    power = np.abs(np.fft.rfft(clip.array().astype(float))) ** 2
    octaves = [power[len(power) >> n + 1 : len(power) >> n].sum() for n in range(1, 7)]
    falls = [low / high for high, low in zip(octaves, octaves[1:], strict=False)]
    assert np.mean(falls) == pytest.approx({"white": 0.5, "pink": 1.0}[colour], rel=0.2)


def test_noise_differs_by_seed_and_is_no_tone():
    one, other = (pattern(f"noise:white:-20:{seed}").samples().astype(float) for seed in (1, 2))
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.02
    assert max(abs(np.corrcoef(one, np.roll(one, lag))[0, 1]) for lag in (1, 2, 16, 4096)) < 0.02


def test_decibels_are_exact():
    assert [decibels(level) for level in (0, -20, -6, 6, 20, -60)] == [100, 10, 50, 199, 1000, 0]
    assert all(decibels(level, 1 << 20) == int((1 << 20) * 10 ** (level / 20)) for level in range(-80, 20))


@pytest.mark.parametrize("voice", VOICES)
def test_a_voice_says_digits_letters_and_phrases(voice: str):
    assert {*string.digits, *string.ascii_uppercase} < set(words(voice)) and len(words(voice)) >= 56
    for word in words(voice):
        said = pattern(f"speech:{voice}:{word}")
        assert isinstance(said, Spoken) and said.words == (word,)
        samples = said.samples()
        assert len(samples) == round(said.seconds * SAMPLE_RATE) and 0.15 < said.seconds - 0.4 < 1.4
        assert 2000 < np.sqrt((samples[:-AFTER].astype(float) ** 2).mean()) < 4000


def test_speech_is_its_words_with_gaps():
    said = pattern("speech:en-a:the code is X7")
    assert said.words == ("the code is", "X", "7")
    alone = [pattern(f"speech:en-a:{word}").samples()[:-AFTER] for word in said.words]
    gaps = [np.zeros(count, np.int32) for count in (BETWEEN_WORDS, BETWEEN_SIGNS, AFTER)]
    assert (said.samples() == np.concatenate([part for pair in zip(alone, gaps, strict=True) for part in pair])).all()
    assert pattern("speech:zh-b:请 打开 第二").words == ("请", "打开", "第二")
    assert pattern("speech:zh-b:请回电47").words == ("请回电", "4", "7")


def test_a_sound_repeats_its_pattern_and_is_cut_at_its_end():
    clip = mix([Sound("alarm", 0.5, 2.25)], "phone", 0.0, 4.0).array()
    once = mix([Sound("alarm", 0.0, 1.0)], "phone", 0.0, 1.0).array()
    assert not clip[:8000].any()
    assert (clip[8000:24000] == once).all() and (clip[24000:40000] == once).all()
    assert (clip[40000:44000] == once[:4000]).all() and not clip[44000:].any()


def test_silence_where_nothing_sounds():
    sounds = [Sound("alarm", 5.0, 1.0), Sound("ding", 0.0, 0.5), Sound("buzz", 1.0, 0.0), Sound("buzz", 1.0, 9.0, 0)]
    clip = mix(sounds, "desktop", 1.0, 4.5)
    assert len(clip.pcm) == 2 * 56000 and not clip.array().any()
    assert (clip.env, clip.start, clip.end) == ("desktop", 1.0, 4.5)
    assert mix([], "desktop", 3.0, 3.0).pcm == b""
    with pytest.raises(ValueError, match="start"):
        mix([], "desktop", 3.0, 2.0)


def test_the_sum_stays_at_full_scale():
    loud = [Sound("tone_low", 0.0, 1.0, 200), Sound("tone_low", 0.0, 1.0, 150)]
    clip = mix(loud, "phone", 0.0, 1.0).array()
    one = mix([Sound("tone_low", 0.0, 1.0)], "phone", 0.0, 1.0).array().astype(int)
    assert clip.max() == 32767 and clip.min() == -32768
    inside = np.abs(one * 7 // 2) < 32000
    assert np.abs(clip[inside] - one[inside] * 7 / 2).max() <= 2
    assert (np.sign(clip) == np.sign(one)).mean() > 0.99


def test_gain_is_in_percent():
    plain = mix([Sound("chime", 0.0, 1.2)], "phone", 0.0, 1.2)
    half = mix([Sound("chime", 0.0, 1.2, 50)], "phone", 0.0, 1.2)
    assert half.loudness() == pytest.approx(plain.loudness() / 2, rel=1e-3)


def test_unknown_sounds_and_numbers_are_refused_with_the_cure():
    with pytest.raises(ValueError, match="alarm"):
        Sound("alram", 0.0, 1.0)
    for name, cure in (
        ("dtmf:", "keys of 123A"),
        ("dtmf:12x", "keys of 123A"),
        ("dtmf", "dtmf:"),
        ("melody:", "melody:C4"),
        ("melody:H4", "write for example C4"),
        ("melody:+,C4", "melody:C4"),
        ("melody:5:C4", "60..2000"),
        ("melody:x:C4", "60..2000"),
        ("tone:20", "50..7000"),
        ("tone:1e3", "50..7000"),
        ("noise:blue:-20", "noise:white:-30"),
        ("noise:white", "noise:pink:-30:7"),
        ("noise:white:-5", "-80..-10"),
        ("speech:en-c:4711", "en-a, en-b, zh-a, zh-b"),
        ("speech:en-a:", "speech:en-a:4711"),
        ("speech:en-a:opens", "open"),
        ("speech:zh-a:please", "验证码是"),
    ):
        with pytest.raises(ValueError, match=re.escape(cure)):
            Sound(name, 0.0, 1.0)
    with pytest.raises(ValueError, match="gain"):
        Sound("alarm", 0.0, 1.0, 1001)
    with pytest.raises(ValueError, match="length"):
        Sound("alarm", 0.0, -1.0)


sounds = st.lists(
    st.builds(
        Sound,
        st.sampled_from(NAMES),
        st.integers(0, 200).map(lambda tenth: tenth / 10) | st.floats(0, 20),
        st.floats(0, 8),
        st.sampled_from([100, 40, 300]),
    ),
    max_size=5,
)


@given(sounds, st.lists(st.integers(0, 20 * SAMPLE_RATE), min_size=3, max_size=3).map(sorted))
def test_clips_that_meet_join_without_a_seam(history: list[Sound], cuts: list[int]):
    a, b, c = (cut / SAMPLE_RATE for cut in cuts)
    first, second, whole = mix(history, "phone", a, b), mix(history, "phone", b, c), mix(history, "phone", a, c)
    assert first.pcm + second.pcm == whole.pcm
    assert len(whole.pcm) == 2 * (cuts[2] - cuts[0])
    assert mix(history[::-1], "phone", a, c) == whole


if __name__ == "__main__":
    print("\n".join(f"{name} {digest}" for name, digest in digests().items()))
