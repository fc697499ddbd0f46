"""What a design can show: against exact powers of the test that is used, counted over all outcomes."""

from __future__ import annotations

from itertools import product
from math import comb, sqrt

import numpy as np
import pytest
from exact_power import power_of
from made_runs import paired_design

from omnipilot.bench.stats import EpisodeOutcome
from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.paired import difference, no_difference, pair
from omnipilot.bench.stats.power import VarianceSources, detectable, detectable_at, power_at, tasks_needed
from omnipilot.bench.stats.quantiles import t_quantile
from omnipilot.bench.stats.sign_flips import fewest, part_left, share_needed
from omnipilot.bench.stats.spread import spread
from omnipilot.envs import ConfigError


def least(error: float, clusters: int, level: float = 0.95, power: float = 0.8) -> float:
    found = detectable(error, clusters - 1, clusters, level, power)
    assert found is not None
    return found


def flips(
    tasks: int, instances: int, flipped: set[tuple[int, int]]
) -> tuple[list[EpisodeOutcome], list[EpisodeOutcome]]:
    keys = list(product(range(tasks), range(instances)))
    a = [EpisodeOutcome(f"t{t:02}", i, 0, 0.0) for t, i in keys]
    return a, [EpisodeOutcome(f"t{t:02}", i, 0, float((t, i) in flipped)) for t, i in keys]


def test_the_smallest_difference_by_hand() -> None:
    infinite = float("inf")
    assert detectable(0.05, infinite, infinite, 0.95, 0.8) == pytest.approx(0.05 * (1.959964 + 0.841621), rel=1e-6)
    assert least(0.12, 40) == pytest.approx(0.12 * (t_quantile(0.975, 39) + t_quantile(0.8, 39)))
    assert least(0.9, 8) == 1.0
    with pytest.raises(ConfigError, match="a confidence level or a power is from"):
        least(0.1, 9, power=1.0)


@pytest.mark.parametrize(("level", "clusters"), [(0.95, 6), (0.9375, 5), (0.99, 8), (0.9975, 10), (0.5, 2)])
def test_fewer_clusters_than_can_be_significant_show_nothing(level: float, clusters: int) -> None:
    assert fewest(level) == clusters
    values = np.ones(clusters)
    alike = [
        no_difference(values[:n], cluster([f"t{i}" for i in range(n)], [()] * n))[0] for n in (clusters - 1, clusters)
    ]
    if clusters > 2:
        assert alike[0] is not None and alike[0] > 1 - level
    assert alike[1] is not None and alike[1] <= 1 - level
    for error in (0.0, 0.01, 0.3):
        assert detectable(error, clusters - 2 + 0.1, clusters - 1, level, 0.8) is None
        assert detectable(error, clusters - 1, clusters, level, 0.8) is not None
    assert detectable(0.1, 4.2 - 1, 4.2, 0.95, 0.8) is None
    assert difference(pair(*flips(5, 1, {(n, 0) for n in range(5)}))[0]).detectable is None


def test_how_many_have_to_differ_is_exact() -> None:
    assert share_needed(5, 0.95, 0.8) is None
    assert share_needed(6, 0.95, 0.8) == pytest.approx(0.8 ** (1 / 6))
    for clusters in (10, 20, 40, 100):
        share = share_needed(clusters, 0.95, 0.8)
        assert share is not None
        six = sum(comb(clusters, k) * share**k * (1 - share) ** (clusters - k) for k in range(6, clusters + 1))
        assert six == pytest.approx(0.8) and power_of(clusters, share, share) == pytest.approx(0.8)
    assert share_needed(10_000_000, 0.95, 0.8) == pytest.approx(7.906e-7, rel=1e-3)


@pytest.mark.parametrize("clusters", [10, 20, 40, 100])
def test_single_trials_have_the_power_that_is_claimed(clusters: int) -> None:
    """Those that differ keep their number, or are as many as have to differ: then the claim is exact."""
    before = 0.0
    for flipped in range(clusters + 1):
        share = flipped / clusters
        found = least(sqrt(share / (clusters - 1)), clusters)
        assert before <= found
        before = found
        power = power_of(clusters, max(share, found), found)
        assert power > 0.77 and (power < 0.85 or clusters < 100 or share > 0.5)


@pytest.mark.parametrize(
    ("clusters", "flipped", "old", "expected"),
    [
        (20, 0, 0.304, 0.366),
        (20, 1, 0.148, 0.366),
        (40, 1, 0.072, 0.190),
        (40, 5, 0.152, 0.190),
        (100, 1, 0.028, 0.078),
    ],
)
def test_few_that_differ_do_not_promise_a_small_difference(
    clusters: int, flipped: int, old: float, expected: float
) -> None:
    found = difference(pair(*flips(clusters, 1, {(n, 0) for n in range(flipped)}))[0]).detectable
    assert found == pytest.approx(expected, abs=0.001)
    assert power_of(clusters, old, old) < 0.65 and power_of(clusters, expected, expected) == pytest.approx(
        0.8, abs=0.01
    )


def test_where_many_differ_the_standard_error_tells() -> None:
    assert least(sqrt(0.44 / 40), 40) == pytest.approx(0.301, abs=0.001)
    assert least(sqrt(0.172 / 99), 100) == pytest.approx(0.118, abs=0.001)


def test_bounds_are_in_the_unit_of_the_figure() -> None:
    assert detectable(0.0, 19, 20, 0.95, 0.8, 0.02) == pytest.approx(0.02 * least(0.0, 20))
    assert detectable(0.003, 19, 20, 0.95, 0.8, 0.02) == pytest.approx(0.003 * 2.954, rel=1e-3)
    assert detectable(0.0, 19, 20, 0.95, 0.8, 0.0) is None


def test_episodes_of_a_task_that_differ_apart_show_smaller_differences() -> None:
    """Eight of 100 pairs flip: each in a task of its own, of five; or five of one task, and three of the next."""
    apart, _, _ = pair(*flips(20, 5, {(n, n % 5) for n in range(8)}))
    found = difference(apart).detectable
    assert found is not None and 0.05 < found < 0.15
    together, _, _ = pair(*flips(20, 5, {(n, i) for n in range(7) for i in range(5)}))
    whole = difference(together).detectable
    assert whole is not None and whole >= least(0.0, 20)
    # Instances flip with this chance on their own, tasks then with a larger one: at least six do in 80 % of cases.
    task = 1 - (1 - found) ** 5
    assert sum(comb(20, k) * task**k * (1 - task) ** (20 - k) for k in range(6, 21)) >= 0.8


def test_what_is_left_of_the_variance_of_one_episode() -> None:
    def left(*sides: list[EpisodeOutcome]) -> float:
        pairs, _, _ = pair(*sides)
        clusters = cluster([one.task for one in pairs], [()] * len(pairs))
        found = spread(np.array([one.difference for one in pairs]), clusters)
        return part_left([(one.a, one.b) for one in pairs], clusters, found, clusters.count)

    assert left(*flips(20, 1, {(n, 0) for n in range(8)})) == pytest.approx(1.0)
    assert left(*flips(20, 5, {(n, i) for n in range(8) for i in range(5)})) == 1.0
    assert left(*flips(20, 5, {(n, 0) for n in range(8)})) == pytest.approx(1 / 5)
    assert left(*flips(20, 5, {(n, 0) for n in range(5)})) == 1.0
    chance = np.random.default_rng(5)
    luck = [
        [EpisodeOutcome(f"t{t:03}", 0, k, float(chance.random() < 0.5)) for t in range(200) for k in range(4)]
        for _ in "ab"
    ]
    assert left(*luck) == pytest.approx(1 / 4, rel=0.15)


def test_tasks_needed_is_the_fewest() -> None:
    noise = VarianceSources(0.1, 0.05, 0.3)
    assert noise.variance(10, 2, 3) == pytest.approx((0.1 + 0.05 / 2 + 0.3 / 6) / 10)
    for wanted, instances, trials in product((0.03, 0.1, 0.4), (1, 3), (1, 5)):
        needed = tasks_needed(wanted, noise, instances, trials)
        enough, fewer = (noise.detectable(n, instances, trials) for n in (needed, needed - 1))
        assert enough is not None and fewer is not None and enough <= wanted < fewer
    twice = VarianceSources(0.1, 0.05, 0.3, design=2.0)
    assert tasks_needed(0.05, twice, 1, 1) == pytest.approx(2 * tasks_needed(0.05, noise, 1, 1), rel=0.02)
    with pytest.raises(ConfigError, match="plan for a larger one"):
        tasks_needed(1e-6, noise, 1, 1)
    with pytest.raises(ConfigError, match="above 0"):
        tasks_needed(0.0, noise, 1, 1)


def test_shared_templates_leave_fewer_degrees_of_freedom_and_clusters() -> None:
    groups = VarianceSources(0.2, 0.0, 0.0, freedom=0.25, clusters=0.25)
    assert groups.detectable(20, 1, 1) is None and groups.detectable(24, 1, 1) is not None
    overlap = VarianceSources(0.2, 0.0, 0.0, freedom=0.25, clusters=None)
    assert overlap.detectable(20, 1, 1) is None and overlap.detectable(21, 1, 1) is not None
    t = t_quantile(0.975, 19.75) + t_quantile(0.8, 19.75)
    assert overlap.detectable(80, 1, 1) == pytest.approx(max(t * sqrt(0.2 / 80), t * t / (t * t + 80)))


def test_a_planned_design_has_the_power_it_was_planned_for() -> None:
    """Task effects, B 0.1 better ± 0.15: the true variances are known, and so the power has to come out."""
    wanted, instances, trials = 0.1, 2, 2
    # Of one trial: E p(1 − p) for p = 0.45 ± 0.2 and p = 0.55 ± 0.35 (two uniforms); variances of uniforms are w²/3.
    task = 0.15**2 / 3
    trial = 0.45 * 0.55 - 0.2**2 / 3 + 0.55 * 0.45 - (0.2**2 + 0.15**2) / 3
    tasks = tasks_needed(wanted, VarianceSources(task, 0.0, trial), instances, trials)
    clusters, draw = paired_design(tasks, instances, trials, wanted)
    shown = 0
    for seed in range(400):
        p, _ = no_difference(draw(np.random.default_rng(seed)), clusters, 500, seed)
        shown += p is not None and p <= 0.05
    assert shown / 400 == pytest.approx(0.8, abs=0.07)


@pytest.mark.parametrize(("clusters", "variance"), [(30, 0.35), (40, 0.44), (60, 0.25), (100, 0.17)])
def test_a_known_variance_gives_the_exact_power(clusters: int, variance: float) -> None:
    error = sqrt(variance / clusters)
    found = detectable_at(error, clusters, 0.95, 0.8)
    root = sqrt(variance + found**2)
    assert found * sqrt(clusters - 1) == pytest.approx(1.959964 * root + 0.841621 * sqrt(variance), rel=1e-6)
    assert power_of(clusters, variance + found**2, found) == pytest.approx(0.79, abs=0.03)
    assert detectable_at(error, 4, 0.95, 0.8) == 1.0


@pytest.mark.parametrize("error", [0.0, 0.1])
@pytest.mark.parametrize(("clusters", "part"), [(12, 1.0), (40, 0.4), (150, 1.0)])
@pytest.mark.parametrize("power", [0.55, 0.95])
@pytest.mark.parametrize("flips", [True, False])
def test_power_is_the_inverse_of_what_is_detectable(
    error: float, clusters: int, part: float, power: float, flips: bool
) -> None:
    least = detectable(error, clusters - 1, clusters, 0.95, power, 1.0, part, flips)
    assert least is not None
    assert power_at(least, error, clusters - 1, clusters, 0.95, 1.0, part, flips) == pytest.approx(power, abs=1e-6)
    assert power_at(least * 0.9, error, clusters - 1, clusters, 0.95, 1.0, part, flips) < power
    assert power_at(0.2, error, 4, 5, 0.95) == 0
