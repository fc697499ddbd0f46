"""Limits of one recall, and the estimate of tokens."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from omnipilot.envs import AudioClip, Image, Size
from omnipilot.memory import Budget
from omnipilot.memory.allowance import Allowance, estimate_tokens


def test_tokens_are_estimated_by_letters_digits_and_signs() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("code 7394!") == 1 + 2 + 1
    assert estimate_tokens("漢字") == 2
    assert estimate_tokens("internationalisation") == 5


@given(st.text(max_size=200), st.text(max_size=200))
def test_tokens_of_two_texts_are_at_least_those_of_them_joined_by_a_space(one: str, other: str) -> None:
    assert estimate_tokens(f"{one} {other}") == estimate_tokens(one) + estimate_tokens(other)


def test_what_does_not_fit_takes_nothing_from_the_allowance() -> None:
    left = Allowance(Budget(texts=1, images=1, clips=1, characters=10, tokens=2, audio_seconds=0.5))
    assert not left.take("far too long a text") and left.texts == 1
    assert left.take("short") and not left.take("short")
    sound = AudioClip(b"\0\0" * 16_000)
    assert not left.take(sound) and left.clips == 1
    assert left.take(AudioClip(b"\0\0" * 8_000)) and left.clips == 0 and left.audio_seconds == 0
    image = Image.raw(Size(1, 1), b"\0\0\0")
    assert left.take(image) and not left.take(image)
