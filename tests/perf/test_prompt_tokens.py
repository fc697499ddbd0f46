"""What a turn costs on `duet`, and how much of a request repeats: both are held to their bounds."""

from __future__ import annotations

from statistics import mean

import pytest
from prompt_tokens import GRANTS, play, repeated, tables

TOOLS_BEFORE, SYSTEM_BEFORE = 4_950, 583
"""Tokens of the tools and of the system prompt of version 0.2, on `duet`."""


@pytest.mark.parametrize("granted", list(GRANTS))
def test_a_turn_costs_at_most_half_of_what_it_did(granted: str) -> None:
    before, now = (play("send-message", layout, GRANTS[granted]) for layout in (1, 2))
    assert len(before) == len(now) > 4
    assert all(one.tools + one.system <= (TOOLS_BEFORE + SYSTEM_BEFORE) / 2 for one in now)
    assert all(one.system <= before[0].system for one in now), "the devices are introduced at no more cost"
    assert mean(one.total for one in now) <= mean(one.total for one in before) / 2
    assert mean(repeated(now)) > mean(repeated(before)) + 0.1


@pytest.mark.slow
def test_a_run_of_thirty_turns_repeats_most_of_each_request() -> None:
    before, now = (play("send-message", layout, turns=30) for layout in (1, 2))
    assert len(before) == len(now) == 30
    assert mean(repeated(now)) > 0.6 > 0.5 > mean(repeated(before))
    assert now[-1].earlier > 5 * now[2].earlier, "nothing is forgotten"


def test_the_tables_name_every_row() -> None:
    lines = tables(["send-message"], 4)
    assert sum(line.startswith("| tools | 4,") for line in lines) == 2
    assert all(line.count("|") == 6 for line in lines if line)
