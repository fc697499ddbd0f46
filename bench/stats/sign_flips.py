"""What the sign-flip test can reject with: how many clusters have to differ, and how likely it is that as many do."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from omnipilot.bench.stats.clusters import Clusters
from omnipilot.bench.stats.intervals import LEVEL, check_level
from omnipilot.bench.stats.quantiles import success_rate_for
from omnipilot.bench.stats.spread import ROUNDING, Spread
from omnipilot.bench.stats.summary import Outcome


def fewest(level: float = LEVEL) -> int:
    """How many clusters have to differ, all one way, to be significant: the smallest k with 2·2^-k ≤ 1 − level.

    Six at 0.95: of five, all of one sign, the p-value is 0.0625.
    """
    return math.ceil(1 - math.log2(1 - check_level(level)) - 1e-9)


def share_needed(clusters: int, level: float, power: float) -> float | None:
    """The smallest chance of a cluster to differ with which `fewest` of them do, with this power.

    π with P(Bin(clusters, π) ≥ fewest) = power (`success_rate_for`); None where there are fewer clusters.
    """
    least = fewest(level)
    return success_rate_for(least, clusters, power) if clusters >= least else None


def part_left(
    trials: Sequence[tuple[Sequence[Outcome], Sequence[Outcome]]], clusters: Clusters, found: Spread, groups: float
) -> float:
    """How much of the variance of one episode's difference is left in that of a cluster's mean, in 0..1.

    1 where a cluster is one episode of each system, or all of its episodes differ together; 1/m where it is the mean of
    m that do not depend on each other. 1 also where fewer clusters differ than a test could reject with: they do not
    tell which of the two it is.

    Args:
        trials: of each pair, under each system. found: of the pairs' differences. groups: independent clusters.
    """
    means = np.array([np.mean([o.value for o in b]) - np.mean([o.value for o in a]) for a, b in trials])
    if differing(means, clusters) < fewest() or not found.error:
        return 1.0
    within = np.mean([np.var([o.value for o in a]) + np.var([o.value for o in b]) for a, b in trials])
    one = len(means) * found.alone**2 + float(within)
    return min(1.0, groups * max(found.error, found.alone) ** 2 / one)


def differing(values: np.ndarray, clusters: Clusters) -> int:
    """How many clusters have a difference, in `values` of units, shape (units,)."""
    return int((np.abs(clusters.sums(values)) > ROUNDING).sum())
