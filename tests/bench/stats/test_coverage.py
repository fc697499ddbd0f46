"""Simulated data with a known truth: intervals cover it as often as they claim, 95 % ± 2 over 1,000 simulations."""

from __future__ import annotations

import numpy as np
import pytest
from made_runs import Draw, paired_design

from omnipilot.bench.stats.clusters import Clusters, cluster
from omnipilot.bench.stats.intervals import mean_interval
from omnipilot.bench.stats.paired import no_difference
from omnipilot.bench.stats.quantiles import normal_quantile

SIMULATIONS, RESAMPLES = 1000, 500
PAIRS_OF_TEMPLATES = [(f"s{n % 60}", f"s{(7 * n + 13 * (n // 60) + 1) % 60}") for n in range(80)]
"""Eighty tasks of two of sixty templates each: nearly all hang together, over others."""
DESIGNS = {
    "one trial a task": paired_design(40),
    "repeated trials": paired_design(40, trials=4),
    "instances and trials": paired_design(30, instances=3, trials=2),
    "few tasks": paired_design(8, instances=3, trials=2),
    "shared templates": paired_design(90, 2, 2, 0.1, [(f"s{n // 3}",) for n in range(90)], effect=0.14, base=0.1),
    "overlapping templates": paired_design(80, 1, 2, 0.1, PAIRS_OF_TEMPLATES, effect=0.14, base=0.05),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_the_interval_of_a_difference_covers_it(name: str) -> None:
    clusters, draw = DESIGNS[name]
    covered, rejected = simulated(clusters, draw, 0.1, (-1.0, 1.0))
    assert 0.93 <= covered <= 0.97
    assert rejected <= 0.07


@pytest.mark.slow
@pytest.mark.parametrize(("tasks", "instances", "kind"), [(100, 1, "Wilson"), (50, 4, "bootstrap")])
def test_the_interval_of_a_rate_covers_it(tasks: int, instances: int, kind: str) -> None:
    clusters = cluster([f"t{n:02}" for n in range(tasks) for _ in range(instances)], [()] * (tasks * instances))

    def draw(chance: np.random.Generator) -> np.ndarray:
        rates = np.repeat(chance.beta(1.2, 0.8, tasks), instances)
        return (chance.random(len(rates)) < rates).astype(float)

    assert mean_interval(draw(np.random.default_rng(0)), clusters).method.startswith(kind)
    covered, _ = simulated(clusters, draw, 0.6, (0.0, 1.0))
    assert 0.93 <= covered <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.9, 0.05])
def test_the_interval_of_a_rate_near_its_bounds_covers_it(rate: float) -> None:
    """Forty tasks whose three trials are alike, of which few fail or few succeed."""
    clusters = cluster([f"t{n:02}" for n in range(40) for _ in range(3)], [()] * 120)

    def draw(chance: np.random.Generator) -> np.ndarray:
        return np.repeat((chance.random(40) < rate).astype(float), 3)

    covered, _ = simulated(clusters, draw, rate, (0.0, 1.0))
    assert 0.93 <= covered <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.5, 0.9])
def test_the_interval_of_a_rate_over_overlapping_templates_covers_it(rate: float) -> None:
    """Success hangs half on the task's templates and half on the task, as normal deviates."""
    clusters = cluster([f"t{n:02}" for n in range(80)], PAIRS_OF_TEMPLATES)
    of = np.array([[int(name[1:]) for name in names] for names in PAIRS_OF_TEMPLATES])
    limit = normal_quantile(rate)

    def draw(chance: np.random.Generator) -> np.ndarray:
        shared = chance.standard_normal(60)[of].sum(axis=1) / np.sqrt(2)
        return (np.sqrt(0.5) * shared + np.sqrt(0.5) * chance.standard_normal(80) < limit).astype(float)

    covered, _ = simulated(clusters, draw, rate, (0.0, 1.0))
    assert 0.93 <= covered <= 0.975


def test_the_t_test_over_overlaps_holds_far_out_where_holm_asks() -> None:
    """Without a difference it rejects at one in a thousand about that often."""
    clusters = cluster([f"t{n:02}" for n in range(80)], PAIRS_OF_TEMPLATES)
    found = []
    for seed in range(4 * SIMULATIONS):
        flips = np.random.default_rng(seed).choice([-1.0, 0.0, 0.0, 1.0], 80)
        p, _ = no_difference(flips, clusters)
        found.append(1.0 if p is None else p)
    assert np.mean(np.array(found) <= 0.001) <= 0.002


def test_taking_episodes_for_independent_would_not_cover() -> None:
    """The simulations can fail: what they prove is the clustering."""
    clusters, draw = paired_design(90, 2, 2, 0.1, [(f"s{n // 9}",) for n in range(90)], effect=0.2, base=0.05)
    units = len(clusters.of)
    covered, _ = simulated(cluster([f"u{n:03}" for n in range(units)], [()] * units), draw, 0.1, (-1.0, 1.0), 200)
    assert covered < 0.9


def simulated(
    clusters: Clusters, draw: Draw, truth: float, bounds: tuple[float, float], simulations: int = SIMULATIONS
) -> tuple[float, float]:
    """How often the interval covers the truth, and a test rejects it at 5 %."""
    covered = rejected = 0
    for seed in range(simulations):
        values = draw(np.random.default_rng(seed))
        found = mean_interval(values, clusters, bounds, 0.95, RESAMPLES, seed)
        assert found.low is not None and found.high is not None
        covered += found.low <= truth <= found.high
        if bounds[0] < 0:
            p, _ = no_difference(values - truth, clusters, RESAMPLES, seed)
            rejected += p is not None and p <= 0.05
    return covered / simulations, rejected / simulations
