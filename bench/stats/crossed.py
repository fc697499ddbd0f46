"""Cells of a table that two factors cross, all played on the same tasks: margins, contrasts, factors, interaction.

Every figure here is a linear combination of the cells, or a quotient of two. A unit (task and instance) has one outcome
in each cell, so the combination is formed within each unit first, which keeps the pairing, and its mean over units has
the interval of any other mean (`mean_interval`), with whole tasks, or groups of tasks, as clusters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from omnipilot.bench.stats.clusters import Clusters, cluster
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES, Interval, mean_interval, resample_means
from omnipilot.bench.stats.paired import interval_with_test
from omnipilot.bench.stats.quantiles import normal_tail, t_quantile
from omnipilot.bench.stats.spread import spread
from omnipilot.bench.stats.summary import EpisodeOutcome
from omnipilot.bench.stats.summary import cells as trials_by_instance

_STEPS = 24
"""Halvings in the search for an end of a factor's interval: more than the digits that a table shows."""
_LARGEST = 1e6
"""A factor that cannot be told from this counts as unlimited."""


@dataclass(frozen=True, slots=True)
class Crossed:
    """Outcomes of rows × columns on the same units.

    Attributes:
        values: of units in cells, means over trials, shape (units, rows, columns); NaN in all units of a cell that is
            left out.
        clusters: of the units. keys: task and instance of each unit, sorted.
    """

    values: NDArray[np.float64]
    clusters: Clusters
    keys: tuple[tuple[str, int], ...]

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which cells have outcomes, shape (rows, columns)."""
        found: NDArray[np.bool_] = np.logical_not(np.isnan(self.values).any(axis=0))
        return found

    @property
    def units(self) -> int:
        """Number of units."""
        return len(self.keys)

    @property
    def tasks(self) -> int:
        """Number of tasks."""
        return len({task for task, _ in self.keys})

    def means(self) -> NDArray[np.float64]:
        """The mean of each cell, shape (rows, columns); NaN for one that is left out."""
        found: NDArray[np.float64] = self.values.mean(axis=0)
        return found

    def combine(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Σ weight · outcome of each unit, shape (units,). Cells of weight 0 may be left out."""
        used = weights != 0
        combined: NDArray[np.float64] = self.values[:, used] @ weights[used]
        return combined


def crossed_outcomes(cells: Sequence[Sequence[Sequence[EpisodeOutcome] | None]]) -> Crossed | None:
    """The outcomes of cells on the units (task and instance) that all of them have, trials averaged.

    Args:
        cells: row by row; None for one to leave out.

    Returns:
        None if the cells have no unit in common, or all are left out.
    """
    grouped = [[None if one is None else trials_by_instance(one) for one in row] for row in cells]
    kept = [one for row in grouped for one in row if one is not None]
    if not kept or not (keys := sorted(set.intersection(*(set(one) for one in kept)))):
        return None
    values = np.full((len(keys), len(cells), len(cells[0])), np.nan)
    for row, ones in enumerate(grouped):
        for column, one in enumerate(ones):
            if one is not None:
                values[:, row, column] = [sum(o.value for o in one[key]) / len(one[key]) for key in keys]
    templates = [one.templates for one in (kept[0][key][0] for key in keys)]
    return Crossed(values, cluster([task for task, _ in keys], templates), tuple(keys))


def mean_over(found: Crossed, cells: NDArray[np.bool_], level: float = LEVEL, seed: int = 0) -> Interval:
    """The unweighted mean over some cells, with its interval.

    Args:
        cells: which, shape (rows, columns); at least one, none of them left out.
    """
    weights = cells / cells.sum()
    return mean_interval(found.combine(weights), found.clusters, (0.0, 1.0), level, RESAMPLES, seed)


@dataclass(frozen=True, slots=True)
class Factor:
    """A quotient of two means.

    Attributes:
        estimate: None where the mean to divide by is 0. low, high: of its interval, 0 or above; `high` may be infinite.
            None where the data give none.
    """

    estimate: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Contrast:
    """How much larger the mean over some cells is than that over others.

    Attributes:
        difference: in -1..1. p: two-sided, of no difference; None if there is no test. test: which, in words.
        factor: the first mean divided by the second.
    """

    difference: Interval
    p: float | None
    test: str
    factor: Factor


def contrast(
    found: Crossed,
    more: NDArray[np.bool_],
    less: NDArray[np.bool_],
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Contrast:
    """The mean over the cells `more` minus, and divided by, the mean over the cells `less`.

    The interval of the factor ρ holds those ρ for which `more` - ρ · `less` is not told from 0 (Fieller, JRSS B 16,
    1954), by the same method as the difference's, so that the two agree: by resampled clusters it is the quotients'
    percentiles, else it comes from the cluster-robust error. It has no upper end where the mean to divide by cannot be
    told from 0.
    """
    a, b = found.combine(more / more.sum()), found.combine(less / less.sum())
    difference, p, test = interval_with_test(a - b, found.clusters, (-1.0, 1.0), level, resamples, seed)
    return Contrast(difference, p, test, _factor(a, b, found.clusters, difference, resamples, seed))


@dataclass(frozen=True, slots=True)
class Range:
    """The largest difference between two entries of a margin, chosen after seeing the data.

    Attributes:
        best, worst: indices along the margin. contrast: of the two. Its interval is that of one pair at a stricter
            level, so that the intervals of all pairs hold together (Bonferroni), and with them that of whichever pair
            turns out to be the largest.
        pairs: how many there are.
    """

    best: int
    worst: int
    contrast: Contrast
    pairs: int


def widest(found: Crossed, axis: int, level: float = LEVEL, resamples: int = RESAMPLES, seed: int = 0) -> Range | None:
    """The best and the worst entry of a margin; None if it has fewer than two.

    Args:
        found: without cells left out. axis: 0 for the margin of rows, 1 for that of columns.
    """
    ends = _extremes(found, axis)
    if ends is None:
        return None
    pairs = math.comb(found.values.shape[1 + axis], 2)
    more, less = (line(found, axis, index) for index in ends)
    return Range(*ends, contrast(found, more, less, _stricter(level, pairs), resamples, seed), pairs)


def _extremes(found: Crossed, axis: int) -> tuple[int, int] | None:
    """The best and the worst entry of a margin, two different ones also where all are equal; None if there is one."""
    order = np.argsort(-found.means().mean(axis=1 - axis), kind="stable")
    return (int(order[0]), int(order[-1])) if len(order) > 1 else None


def range_difference(
    found: Crossed, axis: int, level: float = LEVEL, resamples: int = RESAMPLES, seed: int = 0
) -> tuple[Interval, bool] | None:
    """By how much the range of one margin exceeds that of the other; None if either has fewer than two entries.

    Both ranges are chosen after seeing the data. The interval is that of the two pairs seen to be widest, at a level at
    which the intervals of all pairs of one margin against all pairs of the other hold together.

    Args:
        found: without cells left out. axis: the margin that seems to have the wider range.

    Returns:
        The difference of the two ranges, in -2..2, and whether the first range is told to be the larger: its pair
        exceeds every pair of the other margin, in either direction.
    """
    wide, narrow = _extremes(found, axis), _extremes(found, 1 - axis)
    if wide is None or narrow is None:
        return None
    entries, others = found.values.shape[1 + axis], found.values.shape[2 - axis]
    strict = _stricter(level, math.comb(entries, 2) * others * (others - 1))

    def apart(along: int, better: int, worse: int) -> NDArray[np.float64]:
        """The weights of the difference between two entries of a margin."""
        more, less = line(found, along, better), line(found, along, worse)
        weights: NDArray[np.float64] = more / more.sum() - less / less.sum()
        return weights

    def excess(better: int, worse: int) -> Interval:
        values = found.combine(apart(axis, *wide) - apart(1 - axis, better, worse))
        return interval_with_test(values, found.clusters, (-2.0, 2.0), strict, resamples, seed)[0]

    lows = [excess(*pair).low for pair in permutations(range(others), 2)]
    return excess(*narrow), all(low is not None and low > 0 for low in lows)


def line(found: Crossed, axis: int, index: int) -> NDArray[np.bool_]:
    """The cells of one row (axis 0) or one column (axis 1), shape (rows, columns)."""
    cells = np.zeros(found.values.shape[1:], dtype=bool)
    cells[(slice(None),) * axis + (index,)] = True
    return cells


def _stricter(level: float, times: int) -> float:
    """The level at which so many intervals hold together with the given one (Bonferroni)."""
    return 1 - (1 - level) / times


def _factor(
    a: NDArray[np.float64], b: NDArray[np.float64], clusters: Clusters, difference: Interval, resamples: int, seed: int
) -> Factor:
    """The mean of `a` divided by that of `b`, its interval by the method of the difference's."""
    estimate = None if b.mean() == 0 else float(a.mean() / b.mean())
    if difference.low is None or difference.high is None or not (a.any() or b.any()):
        return Factor(estimate, None, None)
    of = spread(a - b, clusters)
    if of.freedom < 1 or of.error == 0:
        return Factor(estimate, None, None)
    quantile = t_quantile(0.5 + difference.level / 2, of.freedom)
    if difference.method.startswith("bootstrap"):
        above, below = (resample_means(values, clusters, resamples, seed) for values in (a, b))
        with np.errstate(divide="ignore", invalid="ignore"):
            quotients = above / below
        tail = normal_tail(quantile * math.sqrt(of.correction))
        ends = np.quantile(quotients[~np.isnan(quotients)], (tail, 1 - tail), method="nearest")
        low, high = float(ends[0]), float(ends[1])
    else:
        low, high = _fieller(a, b, clusters, quantile)
    if difference.low <= 0 <= difference.high:
        # The difference's interval may have been widened to agree with its test; so is this one.
        low, high = min(low, 1.0), max(high, 1.0)
    return Factor(estimate, low, high)


def _fieller(
    a: NDArray[np.float64], b: NDArray[np.float64], clusters: Clusters, quantile: float
) -> tuple[float, float]:
    """The factors ρ for which the mean of a - ρ·b is within `quantile` standard errors of 0; both means 0 or above."""

    def ends(rho: float) -> tuple[float, float]:
        of = spread(a - rho * b, clusters)
        return of.mean - quantile * of.error, of.mean + quantile * of.error

    def crossing(side: int) -> float:
        """Where an end, which falls with ρ, passes 0."""
        below, above = 0.0, 1.0
        if ends(below)[side] <= 0:
            return 0.0
        while ends(above)[side] > 0:
            below, above = above, above * 4
            if above > _LARGEST:
                return math.inf
        for _ in range(_STEPS):
            middle = (below + above) / 2
            below, above = (middle, above) if ends(middle)[side] > 0 else (below, middle)
        return (below + above) / 2

    return crossing(0), crossing(1)
