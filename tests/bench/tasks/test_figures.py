"""The figures that every run has, by hand."""

from __future__ import annotations

import pytest

from omnipilot.bench.tasks.figures import (
    Score,
    completion_ratio,
    cost_efficiency,
    execution_efficiency,
    success_rate,
    termination,
)

SCORES = [Score(4, 4, 8, 1000), Score(1, 4, 5, 500), Score(0, 2, 0, 0)]


def test_the_four_figures() -> None:
    assert success_rate(SCORES) == pytest.approx(1 / 3)
    assert completion_ratio(SCORES) == pytest.approx((1 + 0.25 + 0) / 3)
    assert execution_efficiency(SCORES) == pytest.approx((1 / 8 + 0.25 / 5 + 0) / 3)
    assert execution_efficiency(SCORES, "release") == pytest.approx((1 / 9 + 0.25 / 6 + 0) / 3)
    assert cost_efficiency(SCORES) == pytest.approx((1 / 1000 + 0.25 / 500 + 0) / 3)


def test_no_action_and_no_token_say_nothing() -> None:
    idle = [Score(0, 3, 0, 0)]
    assert execution_efficiency(idle) is None
    assert cost_efficiency([Score(3, 3, 7, 0)]) is None
    assert success_rate([]) is None


def test_a_void_episode_stays_in_the_denominator_and_counts_as_zero() -> None:
    scores = [Score(2, 2, 2, 0), Score(2, 2, 2, 0, void=True)]
    assert success_rate(scores) == 0.5
    assert completion_ratio(scores) == 0.5


@pytest.mark.parametrize(
    ("reason", "status", "success", "expected"),
    [
        ("success", "", True, "success"),
        ("actions", "", True, "success"),
        ("done", "success", False, "false completion"),
        ("done", "infeasible", False, "gave up"),
        ("turns", "", False, "turn limit"),
        ("invalid", "", False, "invalid action"),
        ("tokens", "", False, "cap"),
        ("world", "", False, "world over"),
        ("void", "", False, "void"),
    ],
)
def test_termination(reason: str, status: str, success: bool, expected: str) -> None:
    assert termination(reason, status, success) == expected
