"""MMBench-GUI's EQA in its four forms, by hand, by brute force over u, and by the facts that bind them."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.bench.scoring.eqa import (
    Attempt,
    Form,
    eqa_in_order,
    eqa_shuffled,
    in_order,
    limit_attempts,
    success_rate,
)
from omnipilot.envs import ConfigError

FORMS: tuple[Form, ...] = ("integral", "grid", "closed", "release")


def attempts(*rows: tuple[int, int]) -> list[Attempt]:
    """Attempts of (solved, steps), in the order of their ids."""
    return [Attempt(f"task {place:03}", bool(solved), steps) for place, (solved, steps) in enumerate(rows)]


# Two tasks of at most ten steps: u = 0.25 solved, u = 0.75 solved.
BOTH = attempts((1, 5), (1, 10))


@pytest.mark.parametrize(
    ("some", "limit", "integral", "grid", "release"),
    [
        # (0.75 + 0.25) / 2. Grid: 0.25..0.74 gives 50 halves, 0.75..1 26 wholes. Release: Σ m/50 for m < 25 is 6,
        # then 0.5 + (m - 25)/100 for 50 points is 37.25, then 26.
        (BOTH, 10, 1 / 2, (25 + 26) / 101, (6 + 37.25 + 26) / 101),
        # Solved with the last step there is: nothing, one point of the grid, a straight line.
        (attempts((1, 10)), 10, 0, 1 / 101, 1 / 2),
        # The failed task costs its steps: u = 0.5 failed, u = 0.75 solved.
        (attempts((0, 10), (1, 5)), 10, 1 / 8, 26 / 2 / 101, (sum(m / 25 for m in range(25)) + 26) / 2 / 101),
        (attempts((0, 3), (0, 3)), 10, 0, 0, 0),
        (attempts((1, 1)), 50, 0.98, 99 / 101, (0.5 + 99) / 101),
        # Solved without a step: both points lie at u = 0, and the later counts.
        (attempts((1, 0), (0, 4)), 4, 1 / 2, 1 / 2, 1 / 2),
        # Past the budget u is cut at 1: both of 12 steps end there.
        (attempts((0, 12), (1, 12)), 6, 0, 1 / 2 / 101, 1 / 2 / 101),
    ],
)
def test_by_hand(some: list[Attempt], limit: int, integral: float, grid: float, release: float) -> None:
    assert eqa_in_order(some, limit, "integral") == pytest.approx(integral)
    assert eqa_in_order(some, limit, "closed") == pytest.approx(integral)
    assert eqa_in_order(some, limit, "grid") == pytest.approx(grid)
    assert eqa_in_order(some, limit) == eqa_in_order(some, limit, "release") == pytest.approx(release)


def test_the_task_s_own_steps_instead_of_the_sum_are_another_number() -> None:
    own = sum(1 - one.steps / 20 for one in BOTH) / 2
    assert own == 0.625
    assert eqa_in_order(BOTH, 10, "closed") == 0.5


some_attempts = st.lists(st.tuples(st.booleans(), st.integers(0, 15)), min_size=1, max_size=9).map(
    lambda rows: attempts(*((int(solved), steps) for solved, steps in rows))
)


def recall(some: list[Attempt], limit: int, u: Fraction) -> Fraction:
    """R(u) of equation 10, from its words: the best S_k / N with u_k <= u."""
    spent = solved = 0
    best = Fraction(0)
    for one in some:
        spent, solved = spent + one.steps, solved + one.success
        if Fraction(spent, limit * len(some)) <= u:
            best = max(best, Fraction(solved, len(some)))
    return best


def lines(some: list[Attempt], limit: int, u: Fraction) -> Fraction:
    """The released curve at u: between the last point at or before u, and the next."""
    points = [(Fraction(0), Fraction(0))]
    spent = solved = 0
    for one in some:
        spent, solved = spent + one.steps, solved + one.success
        points.append((Fraction(spent, limit * len(some)), Fraction(solved, len(some))))
    left = [point for point in points if point[0] <= u][-1]
    right = [point for point in points if point[0] > u]
    if not right:
        return left[1]
    return left[1] + (right[0][1] - left[1]) * (u - left[0]) / (right[0][0] - left[0])


@given(some_attempts)
def test_the_forms_against_brute_force(some: list[Attempt]) -> None:
    grid = [Fraction(m, 100) for m in range(101)]
    assert eqa_in_order(some, 15, "grid") == pytest.approx(float(sum(recall(some, 15, u) for u in grid) / 101))
    assert eqa_in_order(some, 15, "release") == pytest.approx(float(sum(lines(some, 15, u) for u in grid) / 101))
    # R changes only at multiples of one step, so cells of that width have one value each.
    cells = 15 * len(some)
    area = sum(recall(some, 15, Fraction(cell, cells)) for cell in range(cells)) / cells
    assert eqa_in_order(some, 15, "integral") == pytest.approx(float(area))
    # The released curve is straight within a cell; steps of nothing jump at its left edge, so the mean of two points
    # inside is its area.
    near, far = Fraction(1, 4 * cells), Fraction(3, 4 * cells)
    halves = [lines(some, 15, Fraction(cell, cells) + off) for cell in range(cells) for off in (near, far)]
    extra = sum(Fraction(one.steps, 2 * cells * len(some)) for one in some if one.success)
    assert sum(halves) / (2 * cells) == area + extra


@given(some_attempts)
def test_the_facts_that_bind_the_forms(some: list[Attempt]) -> None:
    rate = success_rate(some) or 0.0
    value = {form: eqa_in_order(some, 15, form) or 0.0 for form in FORMS}
    assert value["closed"] == pytest.approx(value["integral"])
    assert all(0 <= one <= rate + 1e-12 for one in value.values())
    assert value["release"] >= value["grid"] - 1e-12
    assert abs(value["grid"] - value["closed"]) <= rate / 101 + 1e-12
    spent = 0
    counted = Fraction(0)
    for one in some:
        spent += one.steps
        if one.success:
            counted += 101 + (-100 * spent // (15 * len(some)))  # 101 - ceil(100 u)
    assert value["grid"] == pytest.approx(float(counted / 101 / len(some)))


@given(some_attempts, st.randoms(use_true_random=False))
def test_neither_the_order_of_the_records_nor_names_of_the_same_order_matter(
    some: list[Attempt], draw: random.Random
) -> None:
    other = [replace(one, task="x/" + one.task) for one in some]
    draw.shuffle(other)
    for form in FORMS:
        assert eqa_in_order(other, 15, form) == eqa_in_order(some, 15, form)
        assert eqa_shuffled(other, 15, form, orders=20) == eqa_shuffled(some, 15, form, orders=20)


def test_the_order_of_the_tasks_does_matter_and_is_that_of_the_paths() -> None:
    first, second = attempts((1, 5), (0, 10)), attempts((0, 10), (1, 5))
    assert eqa_in_order(first, 10, "closed") == 0.375
    assert eqa_in_order(second, 10, "closed") == 0.125
    names = ["a-b", "a/10", "a/9", "B"]
    assert [one.task for one in in_order([Attempt(name, True, 1) for name in names])] == ["B", "a/10", "a/9", "a-b"]
    # Of a folder that has a result of its own, the folders before "result.txt" come first, the others afterwards.
    names = ["a", "a/s", "a/b"]
    assert [one.task for one in in_order([Attempt(name, True, 1) for name in names])] == ["a/b", "a", "a/s"]


@pytest.mark.parametrize("form", FORMS)
def test_the_mean_over_a_thousand_orders_is_near_that_over_all(form: Form) -> None:
    some = attempts((1, 2), (0, 15), (1, 9), (0, 6), (1, 1))
    every = []
    for order in itertools.permutations(some):
        named = [replace(one, task=str(place)) for place, one in enumerate(order)]
        every.append(eqa_in_order(named, 15, form) or 0.0)
    mean = sum(every) / len(every)
    shuffled = eqa_shuffled(some, 15, form)
    # The spread of one order is below 0.1, that of a mean of 1,000 below 0.0032; the seed is fixed.
    assert shuffled == pytest.approx(mean, abs=0.01)
    assert shuffled == eqa_shuffled(some, 15, form)
    assert shuffled != eqa_shuffled(some, 15, form, seed=1)


def test_a_smaller_limit_cuts_and_fails_what_took_longer() -> None:
    some = attempts((1, 15), (1, 16), (0, 50), (0, 3))
    assert limit_attempts(some, 15) == attempts((1, 15), (0, 15), (0, 15), (0, 3))
    assert success_rate(limit_attempts(some, 15)) == 0.25


def test_void_attempts_count_as_failed() -> None:
    some = [*attempts((1, 5)), Attempt("x", True, 5, void=True)]
    assert success_rate(some) == 0.5
    assert eqa_in_order(some, 10, "closed") == pytest.approx(0.375)


def test_of_nothing_nothing_is_said() -> None:
    assert success_rate([]) is eqa_in_order([], 15) is eqa_shuffled([], 15) is None


def test_impossible_records_are_refused() -> None:
    with pytest.raises(ConfigError, match="one attempt per task; there are more of: a"):
        eqa_in_order([Attempt("a", True, 1), Attempt("a", False, 2)], 15)
    with pytest.raises(ConfigError, match="-1 steps"):
        Attempt("a", True, -1)
