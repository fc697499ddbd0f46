"""Intervals for the figures of benchmarks: means, ratios of sums, and means of cells, by whole clusters."""

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
    """The mean of units with its interval; see `mean_interval`.

    Args:
        values: in 0..1, at least one. clusters: the name of each unit's, such as its episode. noun: what those are.
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
    """The sum of parts through the sum of wholes: a pooled rate, or a weighted score.

    It is the mean of parts / wholes, weighted with the wholes, and has that mean's interval (`mean_interval`).

    Args:
        parts, wholes: of each unit, wholes 0 or above, with the ratio of the sums in 0..1. noun: what clusters are.

    Returns:
        None where the wholes add up to nothing.
    """
    # What adds nothing to the whole says nothing, so it is no cluster either.
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
    """The plain mean of the means of cells, such as platform by kind of target.

    Cells that share clusters (a screen with texts and icons) are a stratum: they are drawn together, others apart.

    Args:
        cells: for each its values in 0..1 and the clusters' names, at least one unit each.
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
    return interval_of(groups, statistic, units, level, resamples, seed)


@dataclass(frozen=True, slots=True)
class Stratum:
    """Cells that share clusters with each other, and with no others.

    Attributes:
        estimate: their mean. error: its standard error. weight: of that mean in the whole.
        fewest: clusters that any of the cells has.
        single: it is one case alone, so that its clusters need not be compared.
    """

    estimate: float
    error: float
    clusters: Clusters
    fewest: int
    weight: float = 1.0
    single: bool = False

    @property
    def alike(self) -> bool:
        """Whether no cluster differs."""
        return self.error <= ROUNDING

    def ends(self, level: float) -> tuple[float, float] | None:
        """Its own interval in Wilson's form, None where nothing tells how clusters differ."""
        if self.fewest < 2 and not self.single:
            return None
        if self.alike:
            share = wilson(0, self.fewest, level)[1]
            return self.estimate * (1 - share), self.estimate + (1 - self.estimate) * share
        worth = self.estimate * (1 - self.estimate) / self.error**2
        return score_interval(self.estimate, worth, t_quantile(0.5 + level / 2, self.fewest - 1))


def interval_of(
    strata: Sequence[Stratum],
    statistic: Callable[[Sequence[Array]], Array],
    units: int,
    level: float,
    resamples: int,
    seed: int,
) -> Interval:
    """Expanded percentiles of a bootstrap of whole clusters; where those of a stratum are few, its own score interval.

    The ends of strata are then added by their distances from the estimates, squared (Zou and Donner, "Construction of
    confidence limits about effect measures: a general approach", Statistics in Medicine 27, 2008).
    """
    check_level(level)
    estimate = math.fsum(one.weight * one.estimate for one in strata)
    count = sum(one.clusters.count for one in strata)
    words = f"{count} {strata[0].clusters.noun}" + (f" in {len(strata)} strata" if len(strata) > 1 else "")

    def made(ends: tuple[float | None, float | None], method: str) -> Interval:
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
            lone = "one of them alone in a stratum, " if len(strata) > 1 else ""
            return made((None, None), f"none: {lone}{words}")
        below, above = (
            math.sqrt(
                sum((s.weight * (ends[side] - s.estimate)) ** 2 for s, ends in zip(strata, own, strict=True) if ends)
            )
            for side in (0, 1)
        )
        method = "all alike" if all(one.alike for one in strata) else "Student's t"
        return made((max(0.0, estimate - below), min(1.0, estimate + above)), f"Wilson over {words}, {method}")
    chance = np.random.default_rng(seed)
    at_once = max(1, _CELLS // count)
    found = []
    for start in range(0, resamples, at_once):
        size = min(at_once, resamples - start)
        counts = [one.clusters.count for one in strata]
        found.append(statistic([chance.multinomial(n, np.full(n, 1 / n), size).astype(float) for n in counts]))
    results = np.concatenate(found)
    low, high = np.quantile(results[~np.isnan(results)], (tail, 1 - tail))
    return made((float(low), float(high)), f"bootstrap of {words}")
