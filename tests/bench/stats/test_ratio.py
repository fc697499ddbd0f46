"""Means, ratios and means of cells: estimates by hand, and intervals that cover as often as they say."""

from __future__ import annotations

import numpy as np
import pytest

from omnipilot.bench.stats.intervals import wilson
from omnipilot.bench.stats.ratio import macro_of, mean_of, ratio_of

ROUNDS = 1000


def test_independent_units_get_wilsons_interval_and_clusters_are_called_by_their_noun() -> None:
    found = mean_of([1, 0, 1, 1], ["a", "b", "c", "d"], "screens")
    assert (found.estimate, found.units, found.clusters, found.method) == (0.75, 4, 4, "Wilson")
    assert (found.low, found.high) == wilson(3, 4)
    assert mean_of([1, 0, 1, 1], ["a", "a", "c", "d"], "screens").method.endswith("3 screens")


def test_a_ratio_is_of_sums_and_undefined_without_a_whole() -> None:
    found = ratio_of([1, 0, 2], [2, 1, 2], ["a", "b", "c"])
    assert found is not None
    assert found.estimate == pytest.approx(3 / 5)
    assert found.low is not None and found.high is not None and found.low < 0.6 < found.high
    assert ratio_of([0, 0], [0, 0], ["a", "b"]) is None


def test_a_ratio_of_ones_is_a_mean() -> None:
    values = [float(i % 3 == 0) for i in range(60)]
    clusters = [str(i // 4) for i in range(60)]
    ratio, mean = ratio_of(values, [1.0] * 60, clusters), mean_of(values, clusters)
    assert ratio is not None
    assert ratio.estimate == pytest.approx(mean.estimate)
    assert (ratio.low, ratio.high) == pytest.approx((mean.low, mean.high), abs=0.01)


def test_one_cluster_says_nothing_of_others_and_clusters_all_alike_get_wilsons_share() -> None:
    alone = ratio_of([1, 0], [1, 1], ["a", "a"])
    assert alone is not None and (alone.low, alone.high) == (None, None)
    alike = ratio_of([1, 2], [1, 2], ["a", "b"])
    assert alike is not None and alike.high == 1.0 and alike.low == pytest.approx(wilson(2, 2)[0])


def test_a_macro_is_the_plain_mean_of_cells_however_large_they_are() -> None:
    found = macro_of([([1, 1, 1, 0], ["a", "b", "c", "d"]), ([0], ["e"])])
    assert found.estimate == pytest.approx((0.75 + 0) / 2)
    assert found.units == 5 and found.clusters == 5


def test_cells_that_share_screens_are_drawn_together() -> None:
    chance = np.random.default_rng(0)
    good = chance.random(40)
    screens = [str(i) for i in range(40)]
    cells = [([float(g) for g in good], screens)] * 2
    together = macro_of(cells)
    apart = macro_of([cells[0], (cells[0][0], [f"x{name}" for name in screens])])
    assert together.high is not None and together.low is not None and apart.high is not None and apart.low is not None
    assert together.high - together.low > 1.3 * (apart.high - apart.low)


def test_what_adds_nothing_to_the_whole_is_no_cluster() -> None:
    screens = [str(n) for n in range(100)]
    parts = [1.0] * 3 + [0.0] * 97
    found = ratio_of(parts, parts, screens)
    assert found is not None and (found.low, found.clusters) == (pytest.approx(wilson(3, 3)[0]), 3)
    alone = ratio_of([1.0, 0.0], [1.0, 0.0], ["a", "b"])
    assert alone is not None and (alone.low, alone.high) == (None, None)


def test_a_cell_of_one_screen_moves_the_macro_as_far_as_it_may() -> None:
    """One of two cells is a single target: it could be as low as Wilson says, and is half of the mean."""
    many = ([1.0] * 60 + [0.0] * 40, [f"m{n}" for n in range(100)])
    found = macro_of([many, ([1.0], ["lone"])])
    assert found.estimate == pytest.approx(0.8) and found.low is not None
    assert found.low < 0.8 - 0.5 * (1 - wilson(1, 1)[0]) * 0.99
    assert macro_of([many, ([1.0, 1.0], ["lone", "lone"])]).low is None
    both = macro_of([([1.0] * 100, [f"m{n}" for n in range(100)]), ([1.0] * 2, ["a", "b"])])
    assert both.low is not None and both.low < 1 - 0.5 * wilson(0, 2)[1] * 0.99


@pytest.mark.slow
@pytest.mark.parametrize(("sizes", "rate"), [((40, 40, 40, 40, 40, 2), 0.7), ((8,) * 6, 0.7), ((40,) * 5 + (5,), 0.9)])
def test_intervals_of_a_macro_with_small_cells_cover_the_truth(sizes: tuple[int, ...], rate: float) -> None:
    covered = 0
    for seed in range(ROUNDS):
        chance = np.random.default_rng(seed)
        cells = [
            ((chance.random(size) < rate).astype(float).tolist(), [f"{cell}-{n}" for n in range(size)])
            for cell, size in enumerate(sizes)
        ]
        found = macro_of(cells, resamples=500)
        assert found.low is not None and found.high is not None
        covered += found.low <= rate <= found.high
    assert 0.93 <= covered / ROUNDS <= 0.98


@pytest.mark.slow
def test_intervals_of_a_clustered_ratio_cover_the_truth() -> None:
    """Clusters of unlike size whose rates differ; the truth is the mean of rates, weighted with sizes."""
    chance = np.random.default_rng(1)
    covered = 0
    for round_ in range(ROUNDS):
        parts, wholes, names = [], [], []
        for cluster in range(40):
            rate, size = chance.beta(2, 3), int(chance.integers(1, 8))
            for hit in chance.random(size) < rate:
                parts.append(float(hit) * 2)
                wholes.append(2.0)
                names.append(str(cluster))
        found = ratio_of(parts, wholes, names, resamples=1500, seed=round_)
        assert found is not None and found.low is not None and found.high is not None
        covered += found.low <= 0.4 <= found.high
    assert 0.93 <= covered / ROUNDS <= 0.97


@pytest.mark.slow
def test_intervals_of_a_macro_cover_the_truth() -> None:
    chance = np.random.default_rng(2)
    rates, covered = (0.3, 0.6, 0.8), 0
    for round_ in range(ROUNDS):
        cells = []
        for number, (rate, size) in enumerate(zip(rates, (60, 25, 40), strict=True)):
            cells.append(([float(x) for x in chance.random(size) < rate], [f"{number}-{i}" for i in range(size)]))
        found = macro_of(cells, resamples=1500, seed=round_)
        assert found.low is not None and found.high is not None
        covered += found.low <= sum(rates) / 3 <= found.high
    assert 0.93 <= covered / ROUNDS <= 0.97
