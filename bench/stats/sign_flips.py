"""How many clusters must differ for the sign-flip test to reject, and how probable it is that so many do."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from omnipilot.bench.stats.clusters import Clusters
from omnipilot.bench.stats.intervals import LEVEL, check_level
from omnipilot.bench.stats.quantiles import success_rate_for
from omnipilot.bench.stats.spread import ROUNDING, Spread
from omnipilot.bench.stats.summary import EpisodeOutcome


def fewest(level: float = LEVEL) -> int:
    """How many clusters must differ, all in one direction, to be significant: the smallest k with 2·2^-k ≤ 1 − level.

    Six at 0.95, since five of one sign have a p-value of 0.0625.

    Raises:
        ConfigError: the level is not from 0.5 to below 1.
    """
    return math.ceil(1 - math.log2(1 - check_level(level)) - 1e-9)


def share_needed(clusters: int, level: float, power: float) -> float | None:
    """The probability that a cluster differs with which at least `fewest` of them differ, with this power.

    π with P(Bin(clusters, π) ≥ fewest) = power (`success_rate_for`); None where there are fewer clusters.
    """
    least = fewest(level)
    return success_rate_for(least, clusters, power) if clusters >= least else None


def part_left(
    trials: Sequence[tuple[Sequence[EpisodeOutcome], Sequence[EpisodeOutcome]]],
    clusters: Clusters,
    found: Spread,
    groups: float,
) -> float:
    """The variance of a cluster's mean difference as a share of the variance of one episode's difference, in 0..1.

    1 if a cluster is one episode of each system, or if all of its episodes differ together; 1/m if it is the mean of m
    independent ones. Also 1 if fewer clusters differ than a test needs to reject, since those cannot tell which it is.

    Args:
        trials: of each pair, under A and under B. found: the spread of the pairs' differences.
        groups: number of independent clusters.
    """
    means = np.array([np.mean([o.value for o in b]) - np.mean([o.value for o in a]) for a, b in trials])
    if differing(means, clusters) < fewest() or not found.error:
        return 1.0
    within = np.mean([np.var([o.value for o in a]) + np.var([o.value for o in b]) for a, b in trials])
    one = len(means) * found.independent_error**2 + float(within)
    return min(1.0, groups * max(found.error, found.independent_error) ** 2 / one)


def differing(values: np.ndarray, clusters: Clusters) -> int:
    """The number of clusters whose difference is not 0, from `values` of units, shape (units,)."""
    return int((np.abs(clusters.sums(values)) > ROUNDING).sum())
