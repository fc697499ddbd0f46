"""Intervals for the figures of benchmarks: means, ratios of sums, and means over cells, with clustered units."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from omnipilot.bench.stats.clusters import Clusters, clusters_by_name, connected_groups
from omnipilot.bench.stats.intervals import FEW, LEVEL, RESAMPLES, TAIL, Interval, check_level, mean_interval, wilson
from omnipilot.bench.stats.quantiles import normal_tail, t_quantile
from omnipilot.bench.stats.score_intervals import score_interval
from omnipilot.bench.stats.spread import ROUNDING

Array: TypeAlias = NDArray[np.float64]
_CELLS = 4_000_000


def mean_of(
    values: Sequence[float],
    clusters: Sequence[str],
    noun: str = "clusters",
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """The mean of units with its interval (`mean_interval`).

    Args:
        values: in 0..1, at least one. clusters: the name of the cluster of each unit, such as its episode.
        noun: what tables call the clusters.
    """
    return mean_interval(
        np.array(values, dtype=float), clusters_by_name(clusters, noun), (0.0, 1.0), level, resamples, seed
    )


def ratio_of(
    parts: Sequence[float],
    wholes: Sequence[float],
    clusters: Sequence[str],
    noun: str = "clusters",
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval | None:
    """The sum of parts divided by the sum of wholes: a pooled rate, or a weighted score.

    It equals the mean of parts / wholes weighted with the wholes, and has the interval of that mean (`mean_interval`).

    Args:
        parts, wholes: of each unit; wholes are 0 or above, and the ratio of the sums is in 0..1.
        clusters: the name of the cluster of each unit.
        noun: what tables call the clusters.

    Returns:
        None if the wholes add up to 0.
    """
    # A unit with a whole of 0 carries no information, so it must not count as a cluster either.
    counted = [unit for unit in zip(parts, wholes, clusters, strict=True) if unit[1]]
    if not counted:
        return None
    parts, wholes, clusters = zip(*counted, strict=True)
    weights = np.array(wholes, dtype=float)
    values = np.array(parts, dtype=float) / weights
    return mean_interval(values, clusters_by_name(clusters, noun), (0.0, 1.0), level, resamples, seed, weights)


def macro_of(
    cells: Sequence[tuple[Sequence[float], Sequence[str]]],
    noun: str = "clusters",
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """The unweighted mean over cells of their means, such as platform by kind of target.

    Cells that share clusters (a screen with both texts and icons) form a stratum and are resampled together; strata are
    resampled independently. scipy's bootstrap with the same strata covers 68 to 70 % for 95 % where one cell has two
    units and the others 40, and 88 to 90 % where it has five; this interval covers 94 to 96 %
    (tests/bench/stats/test_beside_libraries.py).

    Args:
        cells: at least one; each with its values in 0..1 and the names of their clusters, at least one unit.
        noun: what tables call the clusters.
    """
    strata = list(connected_groups([set(names) for _, names in cells]))
    found, sums, sizes = [], [], []
    for members in strata:
        labels = [name for i in members for name in cells[i][1]]
        both = clusters_by_name(labels, noun)
        of = np.split(both.of, np.cumsum([len(cells[i][1]) for i in members])[:-1])
        found.append(both)
        sums.append(np.stack([np.bincount(o, cells[i][0], both.count) for o, i in zip(of, members, strict=True)]))
        sizes.append(np.stack([np.bincount(o, minlength=both.count).astype(float) for o in of]))
    groups = []
    for s, n, both in zip(sums, sizes, found, strict=True):
        means = s.sum(axis=1) / n.sum(axis=1)
        rest = ((s - means[:, None] * n) / n.sum(axis=1, keepdims=True)).mean(axis=0)
        error = math.sqrt(float(rest @ rest) * both.count / max(1, both.count - 1))
        fewest = int((n > 0).sum(axis=1).min())
        groups.append(Stratum(float(means.mean()), error, both, fewest, len(means) / len(cells), n.sum() == 1))

    def statistic(drawn: Sequence[Array]) -> Array:
        parts = []
        for weights, s, n in zip(drawn, sums, sizes, strict=True):
            counts = weights @ n.T
            parts.append(np.divide(weights @ s.T, counts, out=np.full(counts.shape, np.nan), where=counts > 0))
        result: Array = np.concatenate(parts, axis=1).mean(axis=1)
        return result

    units = sum(len(values) for values, _ in cells)
    return strata_interval(groups, statistic, units, level, resamples, seed)


@dataclass(frozen=True, slots=True)
class Stratum:
    """Cells that share clusters with each other and with no other cell.

    Attributes:
        estimate: the mean over the cells. error: its standard error. weight: of this mean in the overall mean, in 0..1.
        fewest: the smallest number of clusters in any of the cells.
        single: it consists of one unit only, for which Wilson's interval needs no comparison of clusters.
    """

    estimate: float
    error: float
    clusters: Clusters
    fewest: int
    weight: float = 1.0
    single: bool = False

    @property
    def alike(self) -> bool:
        """Whether all its clusters are alike."""
        return self.error <= ROUNDING

    def ends(self, level: float) -> tuple[float, float] | None:
        """The interval of its mean, in Wilson's form; None if there are too few clusters to compare."""
        if self.fewest < 2 and not self.single:
            return None
        if self.alike:
            share = wilson(0, self.fewest, level)[1]
            return self.estimate * (1 - share), self.estimate + (1 - self.estimate) * share
        worth = self.estimate * (1 - self.estimate) / self.error**2
        return score_interval(self.estimate, worth, t_quantile(0.5 + level / 2, self.fewest - 1))


def strata_interval(
    strata: Sequence[Stratum],
    statistic: Callable[[Sequence[Array]], Array],
    units: int,
    level: float,
    resamples: int,
    seed: int,
) -> Interval:
    """The interval of a mean over strata: expanded percentiles of a bootstrap of whole clusters (`mean_interval`).

    If any stratum has too few clusters, the score intervals of strata are combined instead: the distances of their ends
    from the estimates are added in squares (Zou and Donner, "Construction of confidence limits about effect measures: a
    general approach", Statistics in Medicine 27, 2008).

    Args:
        statistic: from the resampled counts of clusters of each stratum, shape (draws, clusters), to means, (draws,).

    Raises:
        ConfigError: the level is not from 0.5 to below 1.
    """
    check_level(level)
    estimate = math.fsum(one.weight * one.estimate for one in strata)
    count = sum(one.clusters.count for one in strata)
    words = f"{count} {strata[0].clusters.noun}" + (f" in {len(strata)} strata" if len(strata) > 1 else "")

    def interval(ends: tuple[float | None, float | None], method: str) -> Interval:
        return Interval(estimate, *ends, level, method, units, count)

    variances = [(one.weight * one.error) ** 2 for one in strata]
    few = any(one.fewest < FEW or one.alike for one in strata)
    if not few:
        freedom = sum(variances) ** 2 / sum(v * v / (one.fewest - 1) for v, one in zip(variances, strata, strict=True))
        tail = normal_tail(t_quantile(0.5 + level / 2, freedom) * math.sqrt(count / (count - len(strata))))
        few = resamples * tail < TAIL
    if few:
        own = [one.ends(level) for one in strata]
        if any(ends is None for ends in own):
            lone = f"none, as one of {words} is alone in its stratum"
            return interval((None, None), lone if len(strata) > 1 else strata[0].clusters.too_few)
        below, above = (
            math.sqrt(
                sum((s.weight * (ends[side] - s.estimate)) ** 2 for s, ends in zip(strata, own, strict=True) if ends)
            )
            for side in (0, 1)
        )
        method = "all alike" if all(one.alike for one in strata) else "Student's t"
        return interval((max(0.0, estimate - below), min(1.0, estimate + above)), f"Wilson over {words}, {method}")
    chance = np.random.default_rng(seed)
    at_once = max(1, _CELLS // count)
    found = []
    for start in range(0, resamples, at_once):
        size = min(at_once, resamples - start)
        counts = [one.clusters.count for one in strata]
        found.append(statistic([chance.multinomial(n, np.full(n, 1 / n), size).astype(float) for n in counts]))
    results = np.concatenate(found)
    low, high = np.quantile(results[~np.isnan(results)], (tail, 1 - tail))
    return interval((float(low), float(high)), f"bootstrap of {words}")
