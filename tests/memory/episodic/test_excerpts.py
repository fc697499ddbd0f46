"""Texts cut to what matters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from omnipilot.memory.allowance import estimate_tokens
from omnipilot.memory.episodic.excerpts import excerpt


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
