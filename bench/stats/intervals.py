"""Intervals for shares and means: Wilson's, a seeded bootstrap of clusters, and Student's t where that cannot be."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omnipilot.bench.stats.clusters import Clusters
from omnipilot.bench.stats.quantiles import normal_quantile, normal_tail, t_quantile
from omnipilot.bench.stats.score_intervals import score_interval, tango_interval
from omnipilot.bench.stats.spread import ROUNDING, effective, lopsided, spread, worth_of
from omnipilot.envs import ConfigError

RESAMPLES = 10_000
LEVEL = 0.95
FEW = 10
"""Clusters that differ from the rest, below which percentiles of a bootstrap are too narrow."""
_CELLS = 2_000_000
TAIL = 5
"""Resamples that must lie beyond each end of a bootstrap interval; with fewer the ends are chance."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and how far it may be off.

    Attributes:
        low, high: None where nothing can be said. level: the share of such intervals that cover the truth.
        method: how it was obtained, in words.
        units: what was averaged over (episodes, pairs). clusters: how many of those are independent of each other.
    """

    estimate: float
    low: float | None
    high: float | None
    level: float
    method: str
    units: int
    clusters: int

    def text(self, digits: int = 1, scale: float = 100.0, signed: bool = False) -> str:
        """As "62.5 [41.0, 80.1]", in percent unless `scale` says otherwise."""

        def number(value: float) -> str:
            shown = f"{scale * value:+.{digits}f}" if signed else f"{scale * value:.{digits}f}"
            return shown[1:] if float(shown) == 0 and shown[0] in "+-" else shown

        ends = "[—]" if self.low is None or self.high is None else f"[{number(self.low)}, {number(self.high)}]"
        return f"{number(self.estimate)} {ends}"


def wilson(successes: float, count: int, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's score interval for a share, its ends in 0..1 (Wilson, JASA 22, 1927).

    Args:
        count: of independent cases, at least 1.
    """
    return score_interval(successes / count, count, normal_quantile(0.5 + check_level(level) / 2))


def mean_interval(
    values: NDArray[np.float64],
    clusters: Clusters,
    bounds: tuple[float, float] = (0.0, 1.0),
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
    weights: NDArray[np.float64] | None = None,
) -> Interval:
    """The mean of all units with its interval.

    Wilson's where each unit is a cluster of its own and is 0 or 1, and Tango's where it is a difference of such. Else a
    bootstrap of whole clusters: percentiles, moved outwards as far as a t interval is wider than a plug-in normal one
    (the "expanded percentile" of Hesterberg, "What teachers should know about the bootstrap", The American Statistician
    69, 2015). The cluster-robust error with Student's t stands in where templates overlap, for then no whole clusters
    can be drawn, and where clusters that tell a difference are too few for percentiles, or a few of them hold most of
    the units: in Wilson's form for a mean in 0..1, which stays in there, else to both sides.

    Args:
        values: of units, shape (n,), n at least 1. bounds: that no value can leave, infinite where there are none.
        weights: of units, above 0, shape (n,), for a weighted mean.

    Returns:
        Without ends where all units are one cluster, for nothing tells then how clusters differ.
    """
    check_level(level)
    units, found = len(values), spread(values, clusters, weights)

    def made(ends: tuple[float | None, float | None], method: str) -> Interval:
        return Interval(found.mean, *ends, level, method, units, clusters.count)

    alone = units == clusters.count and clusters.kind == "task"
    alone = alone and (weights is None or (units > 1 and not np.ptp(weights)))
    if alone and bounds == (0.0, 1.0) and bool(np.isin(values, bounds).all()):
        return made(wilson(float(values.sum()), units, level), "Wilson")
    if alone and bounds == (-1.0, 1.0) and units > 1 and bool(np.isin(values, (-1, 0, 1)).all()):
        flips = int((values < 0).sum()), int((values > 0).sum())
        return made(tango_interval(*flips, units, normal_quantile(0.5 + level / 2)), f"Tango, {clusters.words}")
    if clusters.count < 2 or found.freedom < 1:
        return made((None, None), f"none: {clusters.words}")
    if found.error == 0:
        ends = _constant(found.mean, bounds, found.freedom + 1, level)
        return made(ends, f"{'none' if ends[0] is None else 'Wilson'} over {clusters.words}, all alike")
    quantile = t_quantile(0.5 + level / 2, found.freedom)
    tail = normal_tail(quantile * math.sqrt(found.small))
    if clusters.kind == "overlap" or resamples * tail < TAIL or not _drawable(values, clusters, bounds, weights):
        words = f"t, {found.freedom:.0f} degrees of freedom, {clusters.words}"
        if bounds == (0.0, 1.0) and 0 < found.mean < 1:
            worth = found.mean * (1 - found.mean) / found.error**2
            if clusters.kind != "overlap" and _telling(values, clusters) < FEW and bool(np.isin(values, bounds).all()):
                worth = min(worth, worth_of(values, clusters, weights))
            return made(score_interval(found.mean, worth, quantile), f"Wilson with {words}")
        half = quantile * found.error
        return made((max(bounds[0], found.mean - half), min(bounds[1], found.mean + half)), words)
    low, high = np.quantile(resampled(values, clusters, resamples, seed, weights), (tail, 1 - tail))
    return made((float(low), float(high)), f"bootstrap of {clusters.words}")


def resampled(
    values: NDArray[np.float64],
    clusters: Clusters,
    resamples: int,
    seed: int,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Means of resamples, each of as many whole clusters as there are, drawn with replacement; shape (resamples,)."""
    chance = np.random.default_rng(seed)
    if weights is None:
        sums, sizes = clusters.sums(values), clusters.sizes
    else:
        sums, sizes = clusters.sums(weights * values), clusters.sums(weights)
    at_once = max(1, _CELLS // clusters.count)
    found = []
    for start in range(0, resamples, at_once):
        shape = min(at_once, resamples - start), clusters.count
        drawn = chance.integers(0, clusters.count, shape, dtype=np.int32)
        found.append(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1))
    return np.concatenate(found)


def check_level(level: float) -> float:
    """A level of confidence, or a power.

    Raises:
        ConfigError: not between 0.5 and 1.
    """
    if not 0.5 <= level < 1:
        raise ConfigError(f"a level is a share, as 0.95, from 0.5 to below 1, not {level:g}")
    return level


def _drawable(
    values: NDArray[np.float64],
    clusters: Clusters,
    bounds: tuple[float, float],
    weights: NDArray[np.float64] | None,
) -> bool:
    """Whether percentiles of drawn clusters tell an interval: enough differ, and no few hold most of the units."""
    if lopsided(clusters, weights) or effective(clusters, weights) < FEW:
        return False
    return bounds != (0.0, 1.0) or _telling(values, clusters) >= FEW


def _telling(values: NDArray[np.float64], clusters: Clusters) -> int:
    """How many clusters differ from the bound that most are at: the rarer of failures and successes."""
    sums, sizes = clusters.sums(values), clusters.sizes
    return int(min((sums > ROUNDING).sum(), (sums < sizes - ROUNDING).sum()))


def _constant(
    mean: float, bounds: tuple[float, float], clusters: float, level: float
) -> tuple[float, float] | tuple[None, None]:
    """The interval where no cluster differs: one that does may yet come, in a share of at most Wilson's for none.

    For a share of 0 or 1 over independent cases it is Wilson's interval. Without bounds there is none.
    """
    if not all(map(math.isfinite, bounds)):
        return None, None
    share = score_interval(0.0, clusters, normal_quantile(0.5 + level / 2))[1]
    return mean - share * (mean - bounds[0]), mean + share * (bounds[1] - mean)
