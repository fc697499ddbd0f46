"""Where an answer of a model in process ends."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from omnipilot.grounders.local.stopping import upto_end, upto_stop

TOKENS = some.lists(some.integers(0, 5), max_size=12)


@given(TOKENS, some.sets(some.integers(0, 5), max_size=2))
def test_a_row_ends_before_the_first_token_that_ends_a_turn(tokens: list[int], ends: set[int]) -> None:
    said, written = upto_end(tokens, ends)
    assert not ends.intersection(said)
    assert list(said) == tokens[: len(said)]
    if ends.intersection(tokens):
        assert tokens[len(said)] in ends and written == len(said) + 1
    else:
        assert list(said) == tokens and written == len(tokens)


@given(some.text("ab,", max_size=12), some.lists(some.text("ab,", max_size=2), max_size=3))
def test_a_text_ends_before_its_first_stop_string(text: str, stops: list[str]) -> None:
    cut = upto_stop(text, stops)
    real = [stop for stop in stops if stop]
    assert text.startswith(cut)
    assert not any(stop in cut for stop in real)
    assert cut == text or any(text[len(cut) :].startswith(stop) for stop in real)
