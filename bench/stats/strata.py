"""Intervals of means of strata: a bootstrap of whole clusters within each, or each one's own interval, put together."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from omnipilot.bench.stats.clusters import Clusters
from omnipilot.bench.stats.intervals import FEW, TAIL, Interval, checked, wilson
from omnipilot.bench.stats.quantiles import normal_tail, student
from omnipilot.bench.stats.score_intervals import share_ends
from omnipilot.bench.stats.spread import ROUNDING

Array: TypeAlias = NDArray[np.float64]
_CELLS = 4_000_000


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
        return share_ends(self.estimate, worth, student(0.5 + level / 2, self.fewest - 1))


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
    checked(level)
    estimate = math.fsum(one.weight * one.estimate for one in strata)
    count = sum(one.clusters.count for one in strata)
    words = f"{count} {strata[0].clusters.noun}" + (f" in {len(strata)} strata" if len(strata) > 1 else "")

    def made(ends: tuple[float | None, float | None], method: str) -> Interval:
        return Interval(estimate, *ends, level, method, units, count)

    variances = [(one.weight * one.error) ** 2 for one in strata]
    few = any(one.fewest < FEW or one.alike for one in strata)
    if not few:
        freedom = sum(variances) ** 2 / sum(v * v / (one.fewest - 1) for v, one in zip(variances, strata, strict=True))
        tail = normal_tail(student(0.5 + level / 2, freedom) * math.sqrt(count / (count - len(strata))))
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
