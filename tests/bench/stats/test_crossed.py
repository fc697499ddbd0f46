"""Margins, contrasts, factors and ranges of crossed cells: exact where they can be, else covered in simulations."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from made_runs import outcome
from numpy.typing import NDArray

from omnipilot.bench.stats import EpisodeOutcome
from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.crossed import (
    Contrast,
    Crossed,
    contrast,
    crossed_outcomes,
    line,
    mean_over,
    range_difference,
    widest,
)
from omnipilot.bench.stats.paired import difference, pair


def grid_of(values: NDArray[np.float64], templates: int = 0) -> Crossed:
    """Values of (tasks, rows, columns); templates that tasks share, two each."""
    tasks = len(values)
    shared = [
        {f"{n % templates}", f"{(n + 1 + n // templates) % templates}"} if templates else () for n in range(tasks)
    ]
    keys = [(f"t{number:03}", 0) for number in range(tasks)]
    return Crossed(values, cluster([task for task, _ in keys], shared), tuple(keys))


def drawn(seed: int, rates: NDArray[np.float64], tasks: int = 60, templates: int = 0) -> Crossed:
    """Successes with these rates, shape (rows, columns); a hard task is hard in every cell."""
    chance = np.random.default_rng(seed)
    easy = 0.3 * chance.random(tasks) - 0.15
    return grid_of((chance.random((tasks, *rates.shape)) < rates + easy[:, None, None]).astype(float), templates)


def cell(shape: tuple[int, int], row: int, column: int) -> NDArray[np.bool_]:
    chosen = np.zeros(shape, dtype=bool)
    chosen[row, column] = True
    return chosen


RATES = np.array([[0.8, 0.6, 0.3], [0.7, 0.5, 0.2]])


def test_margins_are_means_of_the_cells() -> None:
    found = drawn(0, RATES)
    means = found.values.mean(axis=0)
    for axis, index in ((0, 0), (0, 1), (1, 0), (1, 2)):
        margin = mean_over(found, line(found, axis, index))
        assert margin.estimate == pytest.approx(np.take(means, index, axis=axis).mean())
        assert margin.low is not None and margin.high is not None and margin.low < margin.estimate < margin.high
    assert mean_over(found, found.known).estimate == pytest.approx(means.mean())


def test_pairing_is_kept() -> None:
    """Two columns that fail on the same tasks differ by little more than nothing; unpaired they would overlap."""
    base = np.repeat((np.arange(60) < 30).astype(float), 2).reshape(60, 1, 2)
    base[29:35, 0, 1] = 1.0
    found = contrast(grid_of(base), cell((1, 2), 0, 1), cell((1, 2), 0, 0))
    assert found.difference.estimate == pytest.approx(5 / 60)
    assert found.difference.high is not None and found.difference.high < 0.2


def test_a_contrast_of_two_cells_is_the_paired_difference() -> None:
    values = drawn(1, RATES).values
    a, b = ([outcome(f"t{n:03}#0.0", value) for n, value in enumerate(values[:, 0, column])] for column in (0, 1))
    known = difference(pair(a, b)[0])
    found = contrast(grid_of(values), cell((2, 3), 0, 1), cell((2, 3), 0, 0))
    assert (found.difference, found.p) == (known.interval, known.p)


def test_outcomes_are_joined_by_task_and_instance() -> None:
    a = [outcome("x#0.0"), outcome("x#0.1", 0.0), outcome("x#1.0"), outcome("y#0.0", 0.0)]
    b = [outcome("y#0.0"), outcome("x#0.0", 0.0), outcome("z#0.0")]
    found = crossed_outcomes([[a, b], [None, b]])
    assert found is not None and found.units == 2
    assert found.values[:, 0, 0].tolist() == [0.5, 0.0] and found.values[:, 0, 1].tolist() == [0.0, 1.0]
    assert found.known.tolist() == [[True, True], [False, True]]
    none: list[list[list[EpisodeOutcome] | None]] = [[None], [None]]
    assert crossed_outcomes(none) is None
    assert crossed_outcomes([[[outcome("x#0.0")], [outcome("y#0.0")]]]) is None


def factor_of(found: Contrast) -> tuple[float, float, float]:
    one = found.factor
    assert one.estimate is not None and one.low is not None and one.high is not None
    return one.estimate, one.low, one.high


@pytest.mark.parametrize("templates", [0, 9])
def test_a_factor_agrees_with_its_difference(templates: int) -> None:
    for seed, rates in itertools.product(range(12), (RATES, np.full((2, 3), 0.5))):
        grid = drawn(seed, rates, templates=templates)
        means = grid.values.mean(axis=(0, 1))
        found = contrast(grid, line(grid, 1, 1), line(grid, 1, 0))
        estimate, low, high = factor_of(found)
        assert estimate == pytest.approx(means[1] / means[0]) and low <= estimate <= high
        ends = found.difference.low, found.difference.high
        assert (low <= 1 <= high) == (ends[0] is not None and ends[1] is not None and ends[0] <= 0 <= ends[1])


def test_a_factor_is_widened_with_its_difference() -> None:
    """Five tasks that all differ in one direction are not significant, however alike the differences are."""
    values = np.ones((5, 1, 2))
    values[:, 0, 1] = (0.5, 0.6, 0.5, 0.6, 0.5)
    found = contrast(grid_of(values), cell((1, 2), 0, 1), cell((1, 2), 0, 0))
    assert "widened to 0 by p" in found.difference.method
    assert factor_of(found)[2] == 1.0


def test_no_factor_where_nothing_is_solved() -> None:
    values = np.zeros((30, 1, 3))
    values[:, 0, 1] = 1.0
    values[:15, 0, 2] = 1.0
    grid = grid_of(values)
    nothing, all_, half = (cell((1, 3), 0, column) for column in range(3))
    assert contrast(grid, all_, nothing).factor.estimate is None
    assert contrast(grid, nothing, all_).factor.estimate == 0.0
    assert factor_of(contrast(grid, half, all_))[0] == 0.5
    # What cannot be told from 0 may be divided by: there is no upper end.
    values[0, 0, 0] = 1.0
    found = contrast(grid_of(values), half, nothing)
    assert factor_of(found)[0] == pytest.approx(15.0) and factor_of(found)[2] == math.inf


def test_the_range_is_between_the_best_and_the_worst_and_wider_than_one_pair() -> None:
    found = drawn(4, np.array([[0.8, 0.6, 0.3, 0.5]] * 2))
    one = widest(found, 1)
    assert one is not None and (one.best, one.worst, one.pairs) == (0, 2, 6)
    pair_ = contrast(found, line(found, 1, 0), line(found, 1, 2))
    assert one.contrast.difference.estimate == pair_.difference.estimate
    assert one.contrast.difference.level == pytest.approx(1 - 0.05 / 6)
    assert (one.contrast.difference.low or 0) < (pair_.difference.low or 0)
    assert widest(grid_of(found.values[:, :, :1]), 1) is None
    assert range_difference(grid_of(found.values[:, :, :1]), 0) is None


@pytest.mark.parametrize("templates", [0, 9])
def test_the_wider_range_is_told_only_where_it_is(templates: int) -> None:
    strong = drawn(5, np.array([[0.85, 0.5, 0.2], [0.8, 0.5, 0.2]]), templates=templates)
    found = range_difference(strong, 1)
    assert found is not None and found[1] and found[0].low is not None and found[0].low > 0
    assert found[0].estimate == pytest.approx(
        np.ptp(strong.values.mean(axis=(0, 1))) - np.ptp(strong.values.mean(axis=(0, 2)))
    )
    # Turned round, the range of rows is not told to be the wider one.
    other = range_difference(strong, 0)
    assert other is not None and not other[1] and other[0].estimate == pytest.approx(-found[0].estimate)


def test_a_range_has_to_exceed_every_pair_of_the_other_margin() -> None:
    """The widest pair of rows is exceeded for sure, another that varies more between tasks is not."""
    values = np.full((12, 3, 2), 0.1)
    values[:, :, 1] += 0.5 + np.tile([[0.01], [-0.01]], (6, 1))
    values[:, 1] += 0.2
    sure = range_difference(grid_of(values), 1)
    assert sure is not None and sure[1] and sure[0].estimate == pytest.approx(0.3)
    values[:, 2] += 0.1 + np.tile([[0.4], [-0.4]], (6, 1))
    found = range_difference(grid_of(values), 1)
    assert found is not None and found[0].low is not None and found[0].low > 0 and not found[1]


def wrongly_told(seeds: int, resamples: int) -> tuple[float, float]:
    """Where all cells are equally good: how often a range is told from 0, and how often one range from the other."""
    ranges, excesses = 0, 0
    for seed in range(seeds):
        found = drawn(seed, np.full((2, 4), 0.5))
        one, both = widest(found, 1, resamples=resamples), range_difference(found, 1, resamples=resamples)
        assert one is not None and both is not None
        ranges += (one.contrast.difference.low or 0.0) > 0
        excesses += both[1]
    return ranges / seeds, excesses / seeds


def test_what_was_chosen_after_seeing_the_data_is_seldom_told_wrongly() -> None:
    ranges, excesses = wrongly_told(60, 2000)
    assert ranges <= 0.12 and excesses <= 0.05


@pytest.mark.slow
def test_what_was_chosen_keeps_its_level() -> None:
    ranges, excesses = wrongly_told(600, 10_000)
    print(f"ranges told wrongly {100 * ranges:.1f} %, excesses {100 * excesses:.1f} %")
    assert ranges <= 0.065 and excesses <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("templates", [0, 9])
def test_margins_differences_and_factors_are_covered(templates: int) -> None:
    differences, factors, margins = [], [], []
    for seed in range(600):
        found = drawn(seed, RATES, templates=templates)
        one = contrast(found, line(found, 1, 2), line(found, 1, 0))
        ends, margin = one.difference, mean_over(found, line(found, 1, 1))
        differences.append((ends.low or -1) <= -0.5 <= (ends.high or 1))
        _, low, high = factor_of(one)
        factors.append(low <= 1 / 3 <= high)
        margins.append((margin.low or 0) <= 0.55 <= (margin.high or 1))
    shares = [float(np.mean(each)) for each in (margins, differences, factors)]
    print("covered: margins {:.3f}, differences {:.3f}, factors {:.3f}".format(*shares))
    assert min(shares) >= 0.93
