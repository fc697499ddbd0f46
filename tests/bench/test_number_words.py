"""Numbers with nouns."""

from __future__ import annotations

from omnipilot.bench.number_words import number_words


def test_one_is_told_from_many() -> None:
    assert [number_words(n, "pair") for n in (0, 1, 2, 1000)] == ["0 pairs", "1 pair", "2 pairs", "1,000 pairs"]
    assert [number_words(n, "step is", "steps are") for n in (1, 2)] == ["1 step is", "2 steps are"]
