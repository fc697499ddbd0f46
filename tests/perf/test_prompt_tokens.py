"""What a turn costs on `duet`, and how much of a request repeats: both are held to their bounds."""

from __future__ import annotations

from statistics import mean

import pytest
from prompt_tokens import GRANTS, play, repeated, tables

MOST_FIXED, MOST_TURN = 2_300, 4_900
"""Tokens of the tools and the system prompt together, and of a whole turn of `send-message`."""


@pytest.mark.parametrize("granted", list(GRANTS))
def test_a_turn_stays_within_its_bounds(granted: str) -> None:
    asked = play("send-message", GRANTS[granted])
    assert len(asked) > 4
    assert all(one.tools + one.system <= MOST_FIXED for one in asked)
    assert mean(one.total for one in asked) <= MOST_TURN
    assert mean(repeated(asked)) > 0.65


@pytest.mark.slow
def test_a_run_of_thirty_turns_repeats_most_of_each_request() -> None:
    asked = play("send-message", turns=30)
    assert len(asked) == 30
    assert mean(repeated(asked)) > 0.6
    assert asked[-1].earlier > 5 * asked[2].earlier, "nothing is forgotten"


def test_the_tables_name_every_row() -> None:
    lines = tables(["send-message"], 4)
    assert sum(line.startswith("| tools | 1,") for line in lines) == 2
    assert all(line.count("|") == 4 for line in lines if line)
