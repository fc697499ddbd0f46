"""The sounds of the embedded simulator: equal samples everywhere, and a mixer that has no seams."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omnipilot.envs.media import SAMPLE_RATE, AudioClip
from omnipilot.envs.sim import waves
from omnipilot.envs.sim.sound import SOUNDS, Sound, mix, pattern

GOLDEN = {
    "alarm": "e7d69f30ab882431",
    "ringtone": "3483a8029a872fb0",
    "chime": "9cde990f3c546c4b",
    "ding": "78fd3efb3b846540",
    "click": "277ce6d0e57951dc",
    "melody_a": "77e78c29b90e653b",
    "melody_b": "5d19698d5e5c4b1c",
    "tone_low": "51e99219c83032d9",
    "tone_high": "2a3c035484c16bf6",
    "buzz": "362b5d6349b3f2d8",
    "dtmf:0123456789*#ABCD": "8be3cf6fa3302d11",
}
NAMES = [*SOUNDS, "dtmf:0123456789*#ABCD"]


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


def test_samples_do_not_depend_on_the_processor():
    extensions = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    env = {**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(extensions)}
    out = subprocess.run(
        [sys.executable, __file__], env=env, capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert dict(line.split() for line in out.splitlines()) == GOLDEN


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
    for name, pitch in (("tone_low", 220.0), ("tone_high", 880.0)):
        clip = mix([Sound(name, 0.0, 3.0)], "phone", 0.5, 2.5)
        here, octave, elsewhere = strengths(clip, [pitch, 2 * pitch, pitch * 1.3])
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
    for name in ("dtmf:", "dtmf:12x", "dtmf"):
        with pytest.raises(ValueError, match="keys of 123A"):
            Sound(name, 0.0, 1.0)
    with pytest.raises(ValueError, match="gain"):
        Sound("alarm", 0.0, 1.0, 1001)
    with pytest.raises(ValueError, match="lasts"):
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


@settings(max_examples=60, deadline=None)
@given(sounds, st.lists(st.integers(0, 20 * SAMPLE_RATE), min_size=3, max_size=3).map(sorted))
def test_clips_that_meet_join_without_a_seam(history: list[Sound], cuts: list[int]):
    a, b, c = (cut / SAMPLE_RATE for cut in cuts)
    first, second, whole = mix(history, "phone", a, b), mix(history, "phone", b, c), mix(history, "phone", a, c)
    assert first.pcm + second.pcm == whole.pcm
    assert len(whole.pcm) == 2 * (cuts[2] - cuts[0])
    assert mix(history[::-1], "phone", a, c) == whole


if __name__ == "__main__":
    print("\n".join(f"{name} {digest}" for name, digest in digests().items()))
