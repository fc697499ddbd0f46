"""What a recall may hold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from omnipilot.envs import AudioClip, Image, Size, VideoClip
from omnipilot.memory import Budget, Recalled
from omnipilot.memory.episodic.packing import Allowance, arranged, estimate_tokens, excerpt


def test_tokens_are_estimated_by_letters_digits_and_signs() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("code 7394!") == 1 + 2 + 1
    assert estimate_tokens("漢字") == 2
    assert estimate_tokens("internationalisation") == 5


@given(st.text(max_size=200), st.text(max_size=200))
def test_tokens_of_two_texts_are_at_least_those_of_them_joined_by_a_space(one: str, other: str) -> None:
    assert estimate_tokens(f"{one} {other}") == estimate_tokens(one) + estimate_tokens(other)


def test_a_text_is_cut_to_the_lines_that_matter() -> None:
    text = " | ".join(
        [*(f"line {number}" for number in range(40)), "Door code", "7394", *(f"more {n}" for n in range(40))]
    )
    assert excerpt(text, ["code"], 64, 100) == "… | line 38 | line 39 | Door code | 7394 | more 0 | …"
    assert excerpt(text, ["code"], 32, 100) == "… | Door code | 7394 | …"
    assert excerpt(text, [], 1e9, 1e9) == text


def test_a_long_line_is_cut_around_the_word() -> None:
    cut = excerpt("word " * 400 + "needle " + "word " * 400, ["needle"], 80, 1000)
    assert "needle" in cut and len(cut) <= 80 and cut.startswith("…") and cut.endswith("…")


@given(
    st.text(max_size=300), st.lists(st.text(min_size=1, max_size=5), max_size=3), st.integers(0, 80), st.integers(0, 40)
)
def test_an_excerpt_is_never_longer_than_it_may_be(text: str, words: list[str], characters: int, tokens: int) -> None:
    cut = excerpt(text, words, characters, tokens)
    assert (len(cut) <= characters and estimate_tokens(cut) <= tokens) or not cut


def test_what_does_not_fit_takes_nothing_from_the_allowance() -> None:
    left = Allowance(Budget(texts=1, images=1, clips=1, characters=10, tokens=2, audio_seconds=0.5))
    assert not left.take("far too long a text") and left.texts == 1
    assert left.take("short") and not left.take("short")
    sound = AudioClip(b"\0\0" * 16_000)
    assert not left.take(sound) and left.clips == 1
    assert left.take(AudioClip(b"\0\0" * 8_000)) and left.clips == 0 and left.audio_seconds == 0
    image = Image.raw(Size(1, 1), b"\0\0\0")
    assert left.take(image) and not left.take(image)


def test_the_order_of_omnigui_is_by_kind() -> None:
    image = Image.raw(Size(1, 1), b"\0\0\0")
    film, sound = VideoClip([image], 1.0), AudioClip(b"\0\0" * 100)
    parts = [image, "first", sound, film, image, "second"]
    found = [Recalled(part, "x", "", float(time), 0) for time, part in enumerate(parts)]
    assert [one.time for one in arranged(found, "omnigui")] == [0, 3, 2, 4, 1, 5]
    assert [one.time for one in arranged(found, "time")] == [0, 1, 2, 3, 4, 5]
