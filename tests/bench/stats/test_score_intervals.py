"""Score intervals against their definitions, and intervals that never contradict the test beside them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from made_runs import outcome

from omnipilot.bench import headline
from omnipilot.bench.stats import EpisodeOutcome
from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.intervals import mean_interval, wilson
from omnipilot.bench.stats.paired import difference, mcnemar, pair
from omnipilot.bench.stats.quantiles import normal_quantile
from omnipilot.bench.stats.score_intervals import score_interval, tango_interval

Z = normal_quantile(0.975)


def score(only_a: int, only_b: int, pairs: int, true: float) -> float:
    """The score statistic, with the likelihood of the flips maximised over a grid where the difference is `true`."""

    def likelihood(rarer: np.ndarray) -> np.ndarray:
        a, b = (rarer, rarer + true) if true >= 0 else (rarer - true, rarer)
        rest = 1 - a - b
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = [
                n * np.log(p) if n else 0 * p for n, p in ((only_a, a), (only_b, b), (pairs - only_a - only_b, rest))
            ]
        return np.where((rest >= 0) & (a >= 0) & (b >= 0), sum(terms), -np.inf)

    grid = np.linspace(0, (1 - abs(true)) / 2, 200_001)
    rarer = float(grid[np.argmax(likelihood(grid))])
    variance = pairs * (2 * rarer + abs(true) - true * true)
    return (only_b - only_a - pairs * true) / math.sqrt(variance)


@pytest.mark.parametrize(("only_a", "only_b", "pairs"), [(2, 9, 40), (12, 2, 50), (0, 5, 20), (3, 3, 10), (1, 0, 44)])
def test_the_ends_of_a_paired_interval_are_where_the_score_is_the_quantile(
    only_a: int, only_b: int, pairs: int
) -> None:
    low, high = tango_interval(only_a, only_b, pairs, Z)
    assert score(only_a, only_b, pairs, low) == pytest.approx(Z, abs=2e-3)
    assert score(only_a, only_b, pairs, high) == pytest.approx(-Z, abs=2e-3)
    assert tango_interval(only_b, only_a, pairs, Z) == pytest.approx((-high, -low))


def test_without_flips_it_is_wilsons_for_none_and_with_all_it_ends_at_one() -> None:
    assert tango_interval(0, 0, 20, Z) == pytest.approx((-wilson(0, 20)[1], wilson(0, 20)[1]))
    low, high = tango_interval(0, 20, 20, Z)
    assert 0.6 < low < 1 and high == pytest.approx(1)


def test_a_share_of_dependent_cases_is_worth_as_many_as_have_its_variance() -> None:
    values = [1.0] * 30 + [0.0] * 6
    names = [f"t{n // 3:02}" for n in range(36)]
    found = mean_interval(np.array(values), cluster(names, [()] * 36))
    # Two of twelve tasks fail in all three trials: the error is that of twelve cases, sqrt(5/6 * 1/6 / 11).
    error = math.sqrt(5 / 6 / 6 / 11)
    assert found.method.startswith("Wilson with t, 11 degrees of freedom")
    assert (found.low, found.high) == pytest.approx(score_interval(5 / 6, 5 / 36 / error**2, 2.2009852), rel=1e-5)
    assert wilson(3, 10) == score_interval(0.3, 10, Z)


@pytest.mark.parametrize(("pairs", "b", "a"), [(10, 0.1, 0.05), (20, 0.05, 0.02), (40, 0.1, 0.0), (40, 0.3, 0.1)])
def test_a_paired_interval_covers_also_where_few_flip(pairs: int, b: float, a: float) -> None:
    """Over all outcomes with their chances; with rare flips it is on the safe side."""
    covered = 0.0
    for only_b in range(pairs + 1):
        for only_a in range(pairs + 1 - only_b):
            rest = pairs - only_a - only_b
            ways = math.comb(pairs, only_b) * math.comb(pairs - only_b, only_a)
            chance = ways * b**only_b * a**only_a * (1 - a - b) ** rest
            if chance > 1e-9:
                low, high = tango_interval(only_a, only_b, pairs, Z)
                covered += chance * (low - 1e-9 <= b - a <= high + 1e-9)
    assert covered >= 0.93


@pytest.mark.parametrize(
    ("only_a", "only_b", "same"), [(0, 5, 15), (2, 9, 29), (0, 5, 95), (0, 6, 14), (5, 0, 0), (3, 4, 9)]
)
def test_where_the_exact_test_does_not_reject_no_difference_is_in_the_interval(
    only_a: int, only_b: int, same: int
) -> None:
    count = only_a + only_b + same
    ours = [EpisodeOutcome(f"t{n:03}", 0, 0, float(n < only_a)) for n in range(count)]
    theirs = [EpisodeOutcome(f"t{n:03}", 0, 0, float(only_a <= n < only_a + only_b)) for n in range(count)]
    pairs = pair(ours, theirs)[0]
    found = difference(pairs)
    assert found.p == pytest.approx(mcnemar(pairs)[2])
    assert found.p is not None and found.interval.low is not None and found.interval.high is not None
    assert (found.interval.low <= 0 <= found.interval.high) is (found.p > 0.05)
    alone = tango_interval(only_a, only_b, count, Z)
    assert ("widened" in found.interval.method) is (found.p > 0.05 and not alone[0] <= 0 <= alone[1])


def test_thirds_that_are_all_alike_are_alike_whatever_their_rounding() -> None:
    """1/3 - 0/3 and 2/3 - 1/3 differ in the last digit."""
    found = headline([EpisodeOutcome(f"t{n:02}", 0, 0, 1 / 3) for n in range(20)]).all
    assert found.method.endswith("all alike") and found.low is not None and found.high is not None
    assert found.low < 0.3 and found.high > 0.4
    ours, theirs = [], []
    for n in range(14):
        templates = (f"s{n}", f"s{n + 1}")
        for trial in range(3):
            ours.append(EpisodeOutcome(f"t{n:02}", 0, trial, float(trial < n % 2), templates=templates))
            theirs.append(EpisodeOutcome(f"t{n:02}", 0, trial, float(trial < n % 2 + 1), templates=templates))
    apart = difference(pair(ours, theirs)[0])
    assert apart.interval.estimate == pytest.approx(1 / 3) and apart.p is not None and apart.p > 1e-4
    assert apart.interval.low is not None and apart.interval.low < 0.3


def test_what_is_no_share_has_no_bound_to_take_an_interval_from() -> None:
    none = [EpisodeOutcome(f"t{n}", 0, 0, 0.0, most=math.inf) for n in range(20)]
    assert (headline(none).all.low, headline(none).all.high) == (None, None)
    found = difference(pair(none, none)[0])
    assert found.interval.low is None and found.detectable is None


def test_less_than_a_degree_of_freedom_is_none() -> None:
    names = [("a", "b"), ("b", "c"), ("c", "a", "d"), ("d", "e"), ("a", "e")]
    made = [outcome(f"t{n}#0.0", float(n % 2), templates=templates) for n, templates in enumerate(names)]
    found = headline(made).all
    assert (found.low, found.high) == (None, None) and found.method.startswith("none")
