"""One giant cluster, rates near 1, templates that most tasks have: variances by definition, and how intervals cover.

`pytest -m slow -rP tests/bench/stats/test_dense.py` prints every coverage and half width that docs/comparing.md tells.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from made_runs import outcome
from numpy.typing import NDArray

from omnipilot.bench import headline
from omnipilot.bench.stats.clusters import Clusters, cluster, clusters_by_name
from omnipilot.bench.stats.correlation import PROBABILITY, Parts, clustered_design, clustered_variance
from omnipilot.bench.stats.intervals import mean_interval, resample_means, wilson
from omnipilot.bench.stats.paired import difference, no_difference, pair
from omnipilot.bench.stats.quantiles import normal_quantile, t_quantile
from omnipilot.bench.stats.ratio import ratio_of
from omnipilot.bench.stats.spread import spread

Array = NDArray[np.float64]
SHARES = np.sin(np.pi * (np.arange(41) + 0.5) / 82) ** 2
ROUNDS = 1000
LEAST = 0.94 - 2 * math.sqrt(0.95 * 0.05 / ROUNDS)
"""94 %, less two standard errors of a simulated coverage."""


def likelihood(data: Array, covariance: Array) -> tuple[float, float]:
    """Of the contrasts of `data`, up to a factor that is estimated: its logarithm, and that factor."""
    count = len(data)
    basis = np.linalg.qr(np.column_stack([np.ones(count), np.eye(count)[:, : count - 1]]))[0][:, 1:].T
    inner = basis @ covariance @ basis.T
    squares = float(basis @ data @ np.linalg.solve(inner, basis @ data))
    return -0.5 * np.linalg.slogdet(inner)[1] - 0.5 * (count - 1) * math.log(squares), squares / (count - 1)


def quantile(values: list[float], logs: list[float], chance: float = PROBABILITY) -> float:
    """Where the weighted steps reach `chance`, a value in the middle of its own step."""
    weights = np.exp(np.array(logs) - max(logs))
    ranked = sorted(zip(values, weights / weights.sum(), strict=True))
    middles = np.cumsum([w for _, w in ranked]) - np.array([w for _, w in ranked]) / 2
    return float(np.interp(chance, middles, [v for v, _ in ranked]))


def test_the_error_of_overlapping_templates_by_definition() -> None:
    """A chain of tasks, each with a template in common with the next, and one task that has three."""
    names = [(f"s{n}", f"s{n + 1}") for n in range(13)] + [("s0", "s5", "s9")]
    units = [f"t{n:02}" for n in range(14) for _ in range(2)]
    clusters = cluster(units, [names[n // 2] for n in range(28)])
    member = np.array([[f"s{s}" in own for s in range(14)] for own in names], dtype=float)
    member /= np.sqrt(member.sum(axis=1, keepdims=True))
    together = member @ member.T
    values = np.array([1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0.5, 1, 1, 0])
    variances, logs = [], []
    for share in SHARES:
        covariance = (1 - share) * np.eye(14) + share * together
        log, factor = likelihood(values, covariance)
        logs.append(log)
        variances.append(factor * covariance.sum() / 14**2)
    centred = np.eye(14) - 1 / 14
    left = centred @ together @ centred
    found = spread(np.repeat(values, 2), clusters)
    assert found.error**2 == pytest.approx(quantile(variances, logs))
    assert found.freedom == pytest.approx(np.trace(left) ** 2 / np.trace(left @ left))
    assert found.error > spread(np.repeat(values, 2), cluster(units, [()] * 28)).error


def test_the_variance_of_unlike_clusters_by_definition() -> None:
    """The likelihood of all units, each cluster's with one correlation."""
    sizes = [7, 1, 2, 4, 1, 3]
    of = np.repeat(np.arange(6), sizes)
    values = np.random.default_rng(4).normal(0.7 * of, 1.0)
    means = np.array([values[of == n].mean() for n in range(6)])
    variances, designs, logs = [], [], []
    for share in SHARES:
        covariance = (1 - share) * np.eye(18) + share * (of[:, None] == of)
        logs.append(likelihood(values, covariance)[0])
        _, factor = likelihood(means, np.diag(share + (1 - share) / np.array(sizes)))
        designs.append(covariance.sum() / 18**2)
        variances.append(factor * designs[-1])
    within = float(((values - means[of]) ** 2).sum())
    parts = Parts(means, np.array(sizes, dtype=float), within, 18)
    assert clustered_variance(parts) == pytest.approx(quantile(variances, logs))
    assert clustered_design(parts, 0.9) == pytest.approx(quantile(designs, logs, 0.9))


def test_a_giant_widens_the_interval_and_equal_clusters_do_not() -> None:
    """The giant solves half, as all do together, and so leaves no residual; the others solve all or nothing."""
    names = ["giant"] * 60 + [f"c{n // 4:02}" for n in range(56)]
    values = np.array([float(n % 2) for n in range(60)] + [float(n // 4 % 2) for n in range(56)])
    found = ratio_of(values, [1.0] * len(names), names)
    assert found is not None and found.method.startswith("Wilson with t, 14 degrees of freedom")
    assert found.low is not None and found.high is not None
    low, high = np.quantile(resample_means(values, clusters_by_name(names, "clusters"), 4000, 0), (0.025, 0.975))
    assert found.high - found.low > 1.3 * (high - low)
    even = np.random.default_rng(6).random(60)
    groups = clusters_by_name([f"c{n:02}" for n in range(15) for _ in range(4)], "clusters")
    means = even.reshape(15, 4).mean(axis=1)
    assert spread(even, groups).error == pytest.approx(means.std(ddof=1) / math.sqrt(15))


def test_weights_are_as_many_units() -> None:
    values, names = np.array([1.0, 0.0, 1.0, 0.5, 0.0]), list("abcde")
    weights = np.array([3.0, 1.0, 2.0, 2.0, 4.0])
    once = spread(values, clusters_by_name(names, "clusters"), weights)
    often = spread(
        np.repeat(values, weights.astype(int)), clusters_by_name(np.repeat(names, weights.astype(int)), "clusters")
    )
    assert once.mean == pytest.approx(often.mean)
    found = ratio_of(weights * values, weights, names)
    assert found is not None and found.estimate == pytest.approx(6 / 12) and found.units == 5


def test_few_clusters_that_fail_get_a_score_interval_of_a_ratio_too() -> None:
    names = [f"c{n // 3:02}" for n in range(120)]
    parts = [2.0 * (n % 40 != 0) for n in range(120)]
    ratio, mean = (
        ratio_of(parts, [2.0] * 120, names),
        mean_interval(np.array(parts) / 2, clusters_by_name(names, "clusters")),
    )
    assert ratio is not None and ratio.method.startswith("Wilson with t") and ratio == mean
    assert ratio.low is not None and ratio.high is not None and ratio.low <= wilson(117, 120)[0]


def test_where_no_data_could_tell_what_templates_do_nothing_is_said() -> None:
    """All tasks have one template in common: how far that one moves all of them is not seen in any difference."""
    made = [outcome(f"t{n:02}#0.0", float(n % 2), templates=("login", f"s{n}")) for n in range(20)]
    assert headline(made).all.low is None
    apart = [outcome(f"t{n:02}#0.0", float(n % 2), templates=(f"s{n % 5}", f"s{n % 7}")) for n in range(20)]
    assert headline(apart).all.low is not None


def test_no_interval_over_overlaps_excludes_zero_where_its_test_does_not_reject() -> None:
    chance = np.random.default_rng(2)
    excluded = 0
    for _ in range(60):
        templates = [(f"s{a}", f"s{b}") for a, b in chance.integers(0, 7, (24, 2))]
        better = chance.choice([0.0, 0.3, 0.6])
        ours, theirs = (
            [outcome(f"t{n:02}#0.0", float(chance.random() < rate), templates=templates[n]) for n in range(24)]
            for rate in (0.3, 0.3 + better)
        )
        found = difference(pair(ours, theirs)[0])
        assert found.p is not None and found.interval.low is not None and found.interval.high is not None
        if not found.interval.low <= 0 <= found.interval.high:
            excluded += 1
            assert found.p <= 0.05
    assert 5 < excluded < 55


def overlapping(tasks: int, templates: int, each: int) -> tuple[Clusters, Array]:
    """Tasks of `each` templates, drawn; their clusters, and which task has which, shape (tasks, templates)."""
    chance = np.random.default_rng(0)
    drawn = [chance.choice(templates, each, replace=False) for _ in range(tasks)]
    member = np.zeros((tasks, templates))
    for row, own in zip(member, drawn, strict=True):
        row[own] = 1.0
    names = [tuple(f"s{name:02}" for name in own) for own in drawn]
    return cluster([f"t{n:02}" for n in range(tasks)], names), member


DENSE = {"2 of 8": overlapping(40, 8, 2), "3 of 10": overlapping(40, 10, 3), "2 of 60": overlapping(80, 60, 2)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "share", "rate", "factor"),
    [
        ("2 of 8", 0.0, 0.5, 1.75),
        ("2 of 8", 0.1, 0.5, 1.4),
        ("2 of 8", 0.4, 0.5, 1.12),
        ("2 of 8", 0.3, 0.9, 1.6),
        ("3 of 10", 0.1, 0.5, 1.4),
        ("3 of 10", 0.4, None, 1.35),
        ("3 of 10", 0.8, None, 1.3),
        ("2 of 60", 0.1, 0.5, 1.15),
        ("2 of 60", 0.5, None, 1.1),
    ],
)
def test_dense_templates_are_covered_by_intervals_not_far_from_the_best(
    name: str, share: float, rate: float | None, factor: float
) -> None:
    """Rates, or plain numbers where there is none. The best knows the true variance: 1.96 standard deviations."""
    clusters, member = DENSE[name]
    limit = None if rate is None else normal_quantile(rate)

    def draw(chance: np.random.Generator) -> Array:
        parts = chance.standard_normal(member.shape[1]) @ member.T / np.sqrt(member.sum(axis=1))
        found = np.sqrt(share) * parts + np.sqrt(1 - share) * chance.standard_normal(len(member))
        return found if limit is None else (found < limit).astype(float)

    bounds = (-math.inf, math.inf) if rate is None else (0.0, 1.0)
    simulated(f"{name} templates, share {share}, rate {rate}", lambda _: clusters, draw, rate or 0.0, bounds, factor)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("clusters", "giant", "correlation", "rate", "factor"),
    [
        (20, 50, 0.1, 0.5, 1.12),
        (10, 100, 0.5, 0.7, 1.0),
        (20, 50, 0.5, 0.9, 1.3),
        (15, 50, 0.3, 0.8, 1.2),
        (12, 50, 0.05, 0.9, 1.8),
    ],
)
def test_one_giant_cluster_among_few_is_covered(
    clusters: int, giant: int, correlation: float, rate: float, factor: float
) -> None:
    sizes = np.array([giant] + [5] * (clusters - 1))
    of = np.repeat(np.arange(clusters), sizes)
    found = clusters_by_name([f"c{n:02}" for n in of], "clusters")
    simulated(
        f"{clusters} clusters, one of {giant}, correlation {correlation}, rate {rate}",
        lambda _: found,
        lambda chance: successes(chance, sizes, rate, correlation),
        rate,
        (0.0, 1.0),
        factor,
    )


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.5, 0.8, 0.95, 0.99])
@pytest.mark.parametrize(("clusters", "unlike"), [(10, True), (20, False), (40, False), (40, True), (80, True)])
def test_ratios_are_covered(clusters: int, unlike: bool, rate: float) -> None:
    """Clusters of three units, or of one to ten, correlated with 0.3; the weights of units are 1 to 3."""
    even = np.full(clusters, 3)
    covered = 0
    for seed in range(ROUNDS):
        chance = np.random.default_rng(seed)
        sizes = chance.integers(1, 11, clusters) if unlike else even
        values = successes(chance, sizes, rate, 0.3)
        weights = chance.integers(1, 4, len(values)).astype(float)
        names = [f"c{n:02}" for n in np.repeat(np.arange(clusters), sizes)]
        found = ratio_of(weights * values, weights, names, resamples=1000, seed=seed)
        assert found is not None and found.low is not None and found.high is not None
        covered += found.low - 1e-9 <= rate <= found.high + 1e-9
    print(f"ratio, {clusters} clusters, {'unlike' if unlike else 'equal'}, rate {rate}: {covered / ROUNDS:.3f} covered")
    assert covered / ROUNDS >= LEAST


@pytest.mark.slow
def test_the_test_over_dense_templates_rejects_no_more_than_it_says() -> None:
    clusters, member = DENSE["2 of 8"]
    found = []
    for seed in range(ROUNDS):
        chance = np.random.default_rng(seed)
        parts = chance.standard_normal(8) @ member.T
        p, _ = no_difference(np.sign(np.round(0.5 * parts + chance.standard_normal(40))), clusters)
        assert p is not None
        found.append(p)
    assert np.mean(np.array(found) <= 0.05) <= 1 - LEAST
    assert np.mean(np.array(found) <= 0.01) <= 0.02


def successes(chance: np.random.Generator, sizes: NDArray[np.int64], rate: float, correlation: float) -> Array:
    """0 or 1 of each unit, of which those of a cluster have a rate in common (beta) and so this correlation."""
    scale = (1 - correlation) / correlation
    rates = np.repeat(chance.beta(rate * scale, (1 - rate) * scale, len(sizes)), sizes)
    return (chance.random(len(rates)) < rates).astype(float)


def simulated(
    words: str,
    clusters: Callable[[int], Clusters],
    draw: Callable[[np.random.Generator], Array],
    truth: float,
    bounds: tuple[float, float],
    factor: float,
) -> None:
    """Covers in `LEAST` of the rounds, half widths at most `factor` times the best, which knows the true variance."""
    covered, halves, means = 0, [], []
    for seed in range(ROUNDS):
        values = draw(np.random.default_rng(seed))
        found = mean_interval(values, clusters(seed), bounds, 0.95, 1000, seed)
        assert found.low is not None and found.high is not None
        covered += found.low <= truth <= found.high
        halves.append((found.high - found.low) / 2)
        means.append(found.estimate)
    half, best = float(np.mean(halves)), t_quantile(0.975, math.inf) * float(np.std(means))
    print(f"{words}: {covered / ROUNDS:.3f} covered, half width {half:.3f}, with the true variance {best:.3f}")
    assert covered / ROUNDS >= LEAST
    assert half <= factor * best
