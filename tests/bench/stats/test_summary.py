"""Intervals, pass@k and pass^k, and Holm's correction: by hand, from published tables, and by brute force."""

from __future__ import annotations

from itertools import combinations
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_runs import outcome

from omnipilot.bench import headline
from omnipilot.bench.stats import EpisodeOutcome
from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.correction import holm
from omnipilot.bench.stats.intervals import Interval, mean_interval, resample_means, wilson
from omnipilot.bench.stats.quantiles import normal_tail, t_quantile, t_tail
from omnipilot.bench.stats.spread import spread
from omnipilot.bench.stats.summary import all_k, at_k
from omnipilot.bench.stats.trials import pass_all, pass_at
from omnipilot.envs import ConfigError

TABLE = {(0.975, 1): 12.7062, (0.975, 4): 2.77645, (0.95, 10): 1.81246, (0.995, 30): 2.75000, (0.975, 120): 1.97993}


def test_quantiles_are_those_of_the_tables() -> None:
    for (probability, freedom), value in TABLE.items():
        assert t_quantile(probability, freedom) == pytest.approx(value, rel=1e-5)
        assert t_quantile(1 - probability, freedom) == -t_quantile(probability, freedom)
    assert t_quantile(0.975, float("inf")) == pytest.approx(1.959964, abs=1e-6)
    assert t_quantile(0.5, 3.3) == 0
    assert t_tail(1.0, 1.0) == pytest.approx(0.25)
    assert t_tail(3.0, 1e7) == pytest.approx(normal_tail(3.0), rel=1e-4)
    assert normal_tail(-1.5) == pytest.approx(NormalDist().cdf(-1.5))


@given(st.floats(0.01, 0.99), st.floats(0.5, 500))
def test_a_quantile_undoes_its_tail(probability: float, freedom: float) -> None:
    tail = t_tail(t_quantile(probability, freedom), freedom)
    assert tail == pytest.approx(min(probability, 1 - probability), rel=1e-8)


def test_wilson_as_published() -> None:
    """Newcombe, Statistics in Medicine 17 (1998), table I, method 3."""
    for count, of, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)):
        assert wilson(count, of) == pytest.approx((low, high), abs=5e-5)
    assert wilson(20, 20) == pytest.approx((1 - 0.1611, 1.0), abs=5e-5)


def test_independent_episodes_get_wilsons_interval() -> None:
    found = headline([outcome(f"t{n}#0.0", float(n < 3)) for n in range(10)]).all
    assert (found.method, found.units) == ("Wilson", 10)
    assert (found.low, found.high) == wilson(3, 10)
    assert found.text() == "30.0 [10.8, 60.3]"


def test_what_hangs_together_is_drawn_together() -> None:
    tasks = ["a", "a", "b", "c", "d"]
    assert cluster(tasks, [()] * 5).kind == "task"
    assert cluster(tasks, [("x",), ("x",), ("y",), ("z",), ()]).kind == "task"
    groups = cluster(tasks, [("x",), ("x",), ("x",), ("z",), ("z", "q")])
    assert (groups.kind, groups.of.tolist(), groups.sizes.tolist()) == ("template", [0, 0, 0, 1, 1], [3, 2])
    chain = cluster(tasks, [("x",), ("x",), ("x", "y"), ("y",), ()])
    assert chain.kind == "overlap" and chain.shares is not None
    half = 0.5**0.5
    assert np.allclose(chain.shares, [[1, half, 0, 0], [half, 1, half, 0], [0, half, 1, 0], [0, 0, 0, 1]])


def test_repeated_trials_do_not_make_an_interval_narrower() -> None:
    once = [outcome(f"t{n}#0.0", float(n % 2)) for n in range(30)]
    often = [EpisodeOutcome(o.task, i, t, o.value) for o in once for i in range(3) for t in range(4)]
    few, many = headline(once).all, headline(often).all
    assert few.low is not None and few.high is not None and many.low is not None and many.high is not None
    assert many.units == 12 * few.units and many.clusters == few.clusters
    assert many.high - many.low > 0.95 * (few.high - few.low)


def test_void_episodes_count_as_zero_and_both_numbers_are_there() -> None:
    outcomes = [outcome("a#0.0"), outcome("b#0.0"), outcome("c#0.0", 0.0), outcome("d#0.0", 0.0, void=True)]
    found = headline(outcomes)
    assert found.valid is not None
    assert (found.all.estimate, found.all.units) == (0.5, 4)
    assert (found.valid.estimate, found.valid.units, found.void) == (pytest.approx(2 / 3), 3, 1)
    assert headline([outcome("a#0.0", 0.0, void=True)]).valid is None
    whole = headline(outcomes[:3])
    assert whole.valid == whole.all and whole.void == 0
    with pytest.raises(ConfigError, match="start the run again"):
        headline([])


def test_where_nothing_differs_the_interval_is_not_a_point() -> None:
    outcomes = [outcome(f"t{n}#{i}.0") for n in range(10) for i in range(3)]
    found = headline(outcomes).all
    assert (found.low, found.high) == pytest.approx(wilson(10, 10))
    same = mean_interval(np.zeros(30), cluster([o.task for o in outcomes], [()] * 30), (-1.0, 1.0))
    assert same.low == pytest.approx(-wilson(0, 10)[1]) and same.high == pytest.approx(wilson(0, 10)[1])


def test_one_cluster_gives_no_interval() -> None:
    found = headline([outcome(f"t#{i}.0", float(i % 2)) for i in range(9)]).all
    assert (found.estimate, found.low, found.high) == (pytest.approx(4 / 9), None, None)
    assert found.text() == "44.4 [—]" and found.method.startswith("none")
    # One episode of a task says of tasks no more than nine do.
    assert headline([outcome("t#0.0", 1.0)]).all.text() == "100.0 [—]"


def test_the_bootstrap_repeats_and_draws_whole_clusters() -> None:
    chance = np.random.default_rng(5)
    clusters = cluster([f"t{n:02}" for n in range(40) for _ in range(3)], [()] * 120)
    values = np.repeat((chance.random(40) < 0.5).astype(float), 3)
    first = resample_means(values, clusters, 4000, 1)
    assert np.array_equal(first, resample_means(values, clusters, 4000, 1))
    assert not np.array_equal(first, resample_means(values, clusters, 4000, 2))
    assert np.allclose(np.round(first * 40), first * 40)
    assert first.std() == pytest.approx(spread(values, clusters).error * (39 / 40) ** 0.5, rel=0.05)
    order = chance.permutation(120)
    mixed = cluster([f"t{n // 3:02}" for n in order], [()] * 120)
    assert mean_interval(values[order], mixed, seed=3) == mean_interval(values, clusters, seed=3)


def test_percentiles_are_moved_outwards_as_far_as_t_is_wider() -> None:
    clusters = cluster([f"t{n:02}" for n in range(12) for _ in range(2)], [()] * 24)
    values = np.random.default_rng(2).random(24)
    tail = NormalDist().cdf(-2.20099 * (12 / 11) ** 0.5)
    low, high = np.quantile(resample_means(values, clusters, 10_000, 4), (tail, 1 - tail))
    found = mean_interval(values, clusters, seed=4)
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-6)


def test_every_cluster_is_drawn_as_often() -> None:
    clusters = cluster([f"t{n}" for n in range(6)], [()] * 6)
    for one in range(6):
        means = resample_means(np.eye(6)[one], clusters, 20_000, 7)
        assert means.mean() == pytest.approx(1 / 6, abs=0.005)


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.booleans(), st.sampled_from(["", "x", "y"])), min_size=1))
def test_an_interval_holds_its_estimate_and_keeps_its_range(found: list[tuple[str, bool, str]]) -> None:
    outcomes = [
        EpisodeOutcome(task, 0, n, float(won), False, (name,) if name else ())
        for n, (task, won, name) in enumerate(found)
    ]
    interval = headline(outcomes, resamples=200).all
    assert interval.estimate == pytest.approx(sum(won for _, won, _ in found) / len(found))
    if interval.low is not None and interval.high is not None:
        assert -1e-9 <= interval.low <= interval.estimate + 1e-9 <= interval.high + 2e-9 <= 1 + 3e-9


def test_a_level_is_checked() -> None:
    with pytest.raises(ConfigError, match=r"such as 0\.95"):
        headline([outcome("a#0.0"), outcome("b#0.0")], level=95)


@pytest.mark.parametrize(("trials", "k"), [(n, k) for n in range(1, 7) for k in range(1, n + 1)])
def test_pass_at_k_and_pass_to_the_k_by_brute_force(trials: int, k: int) -> None:
    for won in range(trials + 1):
        drawn = list(combinations([True] * won + [False] * (trials - won), k))
        assert pass_at(won, trials, k) == pytest.approx(sum(map(any, drawn)) / len(drawn))
        assert pass_all(won, trials, k) == pytest.approx(sum(map(all, drawn)) / len(drawn))


def test_pass_at_k_is_a_mean_over_instances() -> None:
    outcomes = [outcome(f"a#0.{n}", float(n < 2)) for n in range(4)] + [outcome(f"b#0.{n}", 0.0) for n in range(4)]
    assert at_k(outcomes, 2).estimate == pytest.approx((5 / 6) / 2)
    assert all_k(outcomes, 2).estimate == pytest.approx((1 / 6) / 2)
    assert at_k(outcomes, 1).estimate == all_k(outcomes, 1).estimate == 0.25
    with pytest.raises(ConfigError, match="--trials 5"):
        at_k(outcomes, 5)
    with pytest.raises(ConfigError, match="between 0 and 1"):
        at_k([outcome("a#0.0", 0.5)], 1)
    with pytest.raises(ConfigError, match="at least 1"):
        at_k(outcomes, 0)
    with pytest.raises(ValueError, match="number of trials"):
        pass_at(1, 2, 3)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([0.6, 0.9]) == (1.0, 1.0) and holm([]) == () and holm([0.02]) == (0.02,)
    with pytest.raises(ValueError, match=r"0\.\.1"):
        holm([1.2])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_agrees_with_its_definition(values: list[float]) -> None:
    """Reject in order of size while p ≤ α / (m − i + 1): at an α a little above and below each adjusted value."""
    adjusted = holm(values)
    ranked = sorted(range(len(values)), key=lambda i: values[i])
    for index, edge in enumerate(adjusted):
        for alpha in (edge + 1e-9, edge - 1e-9):
            passed = [values[i] <= alpha / (len(values) - rank) for rank, i in enumerate(ranked)]
            rejected = ranked.index(index) < (passed.index(False) if False in passed else len(passed))
            assert rejected == (alpha > edge) or edge == 1.0


def test_an_interval_in_words() -> None:
    interval = Interval(-0.0001, -0.1, 0.25, 0.95, "Wilson", 4, 4)
    assert interval.text(signed=True) == "0.0 [-10.0, +25.0]"
    assert interval.text(2, 1.0) == "0.00 [-0.10, 0.25]"
