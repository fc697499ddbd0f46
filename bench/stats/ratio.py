"""Intervals for the figures of benchmarks: means, ratios of sums, and means of cells, by whole clusters."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from omnipilot.bench.stats.clusters import connected, named
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES, Interval, mean_interval
from omnipilot.bench.stats.strata import Array, Stratum, interval_of


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
    return mean_interval(values, named(clusters, noun), (0.0, 1.0), level, resamples, seed, weights)


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
    strata = list(connected([set(names) for _, names in cells]))
    found, sums, sizes = [], [], []
    for members in strata:
        labels = [name for i in members for name in cells[i][1]]
        both = named(labels, noun)
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
