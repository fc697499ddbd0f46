"""Intervals for the figures of benchmarks: means, ratios of sums, and means of cells, by whole clusters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from omnipilot.bench.stats_clusters import Clusters, named
from omnipilot.bench.stats_intervals import LEVEL, RESAMPLES, Interval, checked, mean_interval, wilson
from omnipilot.bench.stats_quantiles import normal_tail, student

Array: TypeAlias = NDArray[np.float64]
_CELLS = 4_000_000
_TAIL = 5
"""Resamples that must lie beyond each end of a bootstrap interval; with fewer the ends are chance."""


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
    return mean_interval(np.array(values, dtype=float), named(clusters, noun), (0.0, 1.0), level, resamples, seed)


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

    Args:
        parts, wholes: of each unit, with the ratio of the sums in 0..1. noun: what clusters are.

    Returns:
        None where the wholes add up to nothing.
    """
    found = named(clusters, noun)
    top, bottom = found.sums(np.array(parts, dtype=float)), found.sums(np.array(wholes, dtype=float))
    if not bottom.sum():
        return None
    estimate = float(top.sum() / bottom.sum())
    rest = (top - estimate * bottom) / bottom.sum()
    error = math.sqrt(float(rest @ rest) * found.count / max(1, found.count - 1))

    def statistic(weights: Array) -> Array:
        sums = weights @ bottom
        result: Array = np.divide(weights @ top, sums, out=np.full(len(sums), np.nan), where=sums > 0)
        return result

    return _interval(estimate, error, (found,), lambda drawn: statistic(drawn[0]), len(parts), level, resamples, seed)


def macro_of(
    cells: Sequence[tuple[Sequence[float], Sequence[str]]],
    noun: str = "clusters",
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """The plain mean of the means of cells, such as platform by kind of target.

    Cells that share clusters (a screen with texts and icons) are drawn together, others apart.

    Args:
        cells: for each its values in 0..1 and the clusters' names, at least one unit each.
    """
    strata = list(_strata([set(names) for _, names in cells]))
    found, sums, sizes = [], [], []
    for members in strata:
        labels = [name for i in members for name in cells[i][1]]
        both = named(labels, noun)
        of = np.split(both.of, np.cumsum([len(cells[i][1]) for i in members])[:-1])
        found.append(both)
        sums.append(np.stack([np.bincount(o, cells[i][0], both.count) for o, i in zip(of, members, strict=True)]))
        sizes.append(np.stack([np.bincount(o, minlength=both.count).astype(float) for o in of]))
    means = [s.sum(axis=1) / n.sum(axis=1) for s, n in zip(sums, sizes, strict=True)]
    estimate = float(np.concatenate(means).mean())
    variance = 0.0
    for s, n, mean, both in zip(sums, sizes, means, found, strict=True):
        rest = ((s - mean[:, None] * n) / n.sum(axis=1, keepdims=True)).sum(axis=0) / len(cells)
        variance += float(rest @ rest) * both.count / max(1, both.count - 1)

    def statistic(drawn: Sequence[Array]) -> Array:
        parts = []
        for weights, s, n in zip(drawn, sums, sizes, strict=True):
            counts = weights @ n.T
            parts.append(np.divide(weights @ s.T, counts, out=np.full(counts.shape, np.nan), where=counts > 0))
        result: Array = np.concatenate(parts, axis=1).mean(axis=1)
        return result

    units = sum(len(values) for values, _ in cells)
    return _interval(estimate, math.sqrt(variance), found, statistic, units, level, resamples, seed)


def _strata(cells: Sequence[set[str]]) -> Iterator[list[int]]:
    """The cells' numbers in groups that share clusters, directly or through others."""
    left = list(range(len(cells)))
    while left:
        group = [left.pop(0)]
        names = set(cells[group[0]])
        while more := [i for i in left if cells[i] & names]:
            for i in more:
                left.remove(i)
                names |= cells[i]
            group += more
        yield sorted(group)


def _interval(
    estimate: float,
    error: float,
    strata: Sequence[Clusters],
    statistic: Callable[[Sequence[Array]], Array],
    units: int,
    level: float,
    resamples: int,
    seed: int,
) -> Interval:
    """Expanded percentiles of a bootstrap of whole clusters, or Student's t where those are few; as `mean_interval`."""
    checked(level)
    count = sum(stratum.count for stratum in strata)
    freedom = count - len(strata)
    words = f"{count} {strata[0].noun}" + (f" in {len(strata)} strata" if len(strata) > 1 else "")

    def made(ends: tuple[float | None, float | None], method: str) -> Interval:
        return Interval(estimate, *ends, level, method, units, count)

    if freedom < 1:
        return made((None, None), f"none: {words}")
    if error <= 1e-15:
        share = wilson(0, count, level)[1]
        return made((estimate * (1 - share), estimate + (1 - estimate) * share), f"Wilson over {words}, all alike")
    tail = normal_tail(student(0.5 + level / 2, freedom) * math.sqrt(count / freedom))
    if resamples * tail < _TAIL:
        half = student(0.5 + level / 2, freedom) * error
        return made((max(0.0, estimate - half), min(1.0, estimate + half)), f"t, {freedom} degrees of freedom, {words}")
    chance = np.random.default_rng(seed)
    at_once = max(1, _CELLS // count)
    found = []
    for start in range(0, resamples, at_once):
        size = min(at_once, resamples - start)
        drawn = [chance.multinomial(s.count, np.full(s.count, 1 / s.count), size).astype(float) for s in strata]
        found.append(statistic(drawn))
    results = np.concatenate(found)
    low, high = np.quantile(results[~np.isnan(results)], (tail, 1 - tail))
    return made((float(low), float(high)), f"bootstrap of {words}")
