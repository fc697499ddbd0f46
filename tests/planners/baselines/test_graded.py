"""Graded planners: a set share of the moves of a demonstration comes out wrong, on common random numbers."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from fixed_truth import FixedTruth, told

from omnipilot.envs import Click, ConfigError, Done, Point
from omnipilot.memory import Move, Outcome
from omnipilot.planners import Brief, Feedback, GradedPlanner, Request
from omnipilot.planners.baselines.graded import ERRORS

MOVES = tuple(Move("pc", Click(Point(number / 100, 0.5))) for number in range(100))
"""Moves that can be told apart."""


def numbers(accuracy: float, errors: str | tuple[str, ...] = ERRORS, seed: int = 0, many: int = 100) -> list[int]:
    """The numbers of the moves that are played, in order."""
    planner = told(GradedPlanner(accuracy, errors), FixedTruth(moves=MOVES[:many], seed=seed))
    planner.begin(Brief("do it", {}))
    found, feedback = [], ()
    while True:
        (move,) = planner.plan(Request(Brief("do it", {}), len(found), {}, feedback=feedback)).moves
        if isinstance(move.intent, Done):
            return found
        found.append(MOVES.index(move))
        feedback = (Feedback(move, Outcome("done")),)


def within(count: int, of: int, share: float) -> bool:
    return abs(count - of * share) <= 4 * math.sqrt(of * share * (1 - share))


def test_at_one_it_is_the_demonstration_and_at_zero_no_move_is_right() -> None:
    assert numbers(1) == list(range(100))
    assert numbers(0, "drop") == []
    assert numbers(0, "double") == [number for number in range(100) for _ in range(2)]
    assert numbers(0, "exchange") == [number for pair in range(50) for number in (2 * pair + 1, 2 * pair)]


def test_the_last_move_cannot_be_exchanged_and_is_dropped() -> None:
    assert numbers(0, "exchange", many=3) == [1, 0]


@pytest.mark.parametrize("accuracy", [0.5, 0.8, 0.95])
def test_moves_are_right_as_often_as_its_accuracy_says(accuracy: float) -> None:
    dropped = [100 - len(numbers(accuracy, "drop", seed)) for seed in range(20)]
    assert within(2000 - sum(dropped), 2000, accuracy)


def test_the_ways_to_get_a_move_wrong_are_equally_likely() -> None:
    counts = Counter[str]()
    for seed in range(40):
        played = numbers(0.9, ERRORS, seed)
        counts["double"] += len(played) - len(set(played))
        counts["drop"] += 100 - len(set(played))
        counts["exchange"] += sum(b < a for a, b in zip(played, played[1:], strict=False))
    wrong = sum(counts.values())
    assert all(within(counts[kind], wrong, 1 / 3) for kind in ERRORS), counts


def test_what_is_right_at_a_low_accuracy_is_right_at_a_higher_one() -> None:
    for seed in range(20):
        low, middle, high = (set(numbers(accuracy, "drop", seed)) for accuracy in (0.3, 0.6, 0.9))
        assert low < middle < high
    assert numbers(0.5, seed=1) == numbers(0.5, seed=1) != numbers(0.5, seed=2)


@pytest.mark.parametrize(
    ("accuracy", "errors", "says"),
    [
        (-0.1, ERRORS, "accuracy must be in 0..1, not -0.1; graded:0.9 is 90 %"),
        (0.5, "forget", "errors are some of drop, double, exchange, not forget"),
        (0.5, (), "errors are some of drop, double, exchange"),
    ],
)
def test_what_cannot_be_is_refused(accuracy: float, errors: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        GradedPlanner(accuracy, errors)
