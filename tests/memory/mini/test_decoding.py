"""From scores to a text: the search beside all ways of writing it, one by one."""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import numpy as np
import pytest

from omnipilot.memory.mini import BLANK, OUTPUTS, SIGNS, best_outputs, encode_text, read_scores

FEW = (BLANK, *encode_text("ab "))
"""The outputs that are tried: with four of them and five times, there are 1,024 ways."""


def decode_outputs(outputs: list[int]) -> str:
    return "".join(SIGNS[output - 1] for output in outputs)


def scores_of(rows: np.ndarray) -> np.ndarray:
    """Scores in which only the outputs `FEW` are likely, of their probabilities."""
    scores = np.full((len(rows), OUTPUTS), -50.0)
    scores[:, list(FEW)] = np.log(rows / rows.sum(axis=1, keepdims=True))
    return scores.astype(np.float32)


def likeliest_text(rows: np.ndarray) -> tuple[str, float]:
    """The text whose ways add up to most, counted one by one, and its probability."""
    rows = rows / rows.sum(axis=1, keepdims=True)
    found: dict[str, float] = defaultdict(float)
    for way in product(range(len(FEW)), repeat=len(rows)):
        text = decode_outputs(best_outputs([FEW[one] for one in way]))
        found[text] += float(np.prod([row[one] for row, one in zip(rows, way, strict=True)]))
    return max(found.items(), key=lambda item: item[1])


@pytest.mark.parametrize("seed", range(20))
def test_the_search_finds_what_counting_all_ways_finds(seed: int) -> None:
    rows = np.random.default_rng(seed).dirichlet(np.full(len(FEW), 0.7), 5) + 1e-3
    text, _ = likeliest_text(rows)
    assert "".join(one.sign for one in read_scores(scores_of(rows), beam=500)) == text


def test_a_text_may_be_likelier_than_the_likeliest_way() -> None:
    # "a": 0.4 * 0.4 + twice 0.4 * 0.6 = 0.64; nothing: 0.6 * 0.6 = 0.36, though that is the likeliest way.
    rows = np.array([[0.6, 0.4, 1e-9, 1e-9]] * 2)
    assert [one.sign for one in read_scores(scores_of(rows))] == ["a"]


def test_a_sign_twice_needs_a_blank_between() -> None:
    say, rest = [0.01, 0.97, 0.01, 0.01], [0.97, 0.01, 0.01, 0.01]
    read = read_scores(scores_of(np.array([say, say, rest, say, rest])))
    assert "".join(one.sign for one in read) == "aa"
    assert [one.output for one in read] == [0, 3]


def test_a_known_word_is_preferred_where_the_sound_leaves_it_open_and_not_where_it_is_clear() -> None:
    def heard(share: float, penalty: float, lexicon: tuple[str, ...] = ("a",)) -> str:
        rows = np.array([[1e-6, 1 - share, share, 1e-6]])
        return "".join(one.sign for one in read_scores(scores_of(rows), lexicon, penalty))

    assert heard(0.6, 0.0) == "b" and heard(0.6, 2.0) == "a"
    assert heard(0.99, 2.0) == "b"


def test_codes_and_numbers_are_no_words_that_a_lexicon_could_lack() -> None:
    scores = np.full((2, OUTPUTS), -20.0, np.float32)
    scores[0, encode_text("4")[0]] = scores[1, encode_text("A")[0]] = np.log(0.5)
    scores[:, BLANK] = np.log(0.4)
    assert "".join(one.sign for one in read_scores(scores, ("a",), 5.0)) == "4A"


def test_silence_writes_nothing() -> None:
    scores = np.full((50, OUTPUTS), -30.0, np.float32)
    scores[:, BLANK] = 0.0
    assert read_scores(scores) == [] and read_scores(scores[:0]) == []


def test_every_sign_has_an_output_of_its_own() -> None:
    assert len(set(SIGNS)) == len(SIGNS) == OUTPUTS - 1
    assert decode_outputs(encode_text(SIGNS)) == SIGNS and BLANK not in encode_text(SIGNS)
