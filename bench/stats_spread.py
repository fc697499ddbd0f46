"""The variance of a mean over clusters, and how many degrees of freedom that estimate has."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omnipilot.bench.stats_clusters import Clusters

ROUNDING = 1e-9
"""Differences of sums below this share of what is added up are rounding."""

LEAST = 0.5
"""With less, t tests of many tasks reject far too often at levels as low as those of Holm's correction."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How far a mean may be off.

    Attributes:
        mean: of all units. error: its standard error. freedom: degrees of freedom of that; 0 where there are none.
        small: what the plain plug-in variance was multiplied by, because residuals are smaller than errors.
        alone: the standard error if all units were independent.
    """

    mean: float
    error: float
    freedom: float
    small: float
    alone: float

    @property
    def design(self) -> float:
        """The design effect: how many times larger the variance is than that of independent units; NaN without any."""
        return (self.error / self.alone) ** 2 if self.alone else math.nan


def spread(values: NDArray[np.float64], clusters: Clusters) -> Spread:
    """The cluster-robust standard error of the mean of `values`.

    With e the sums of residuals in clusters and A which clusters are correlated (the unit matrix; for overlapping
    templates, the tasks that share one, as for dyads in Aronow, Samii and Assenova, "Cluster-robust variance
    estimation for dyadic data", Political Analysis 23, 2015), the variance is e'Ae/N². It is corrected for its bias
    and given Satterthwaite's degrees of freedom under independent units, after Bell and McCaffrey (Survey Methodology
    28, 2002); for equal clusters these are G/(G-1) and G-1. Overlaps can give an e'Ae that is small by chance, or
    negative; the variance is at least `LEAST` of that of independent tasks.
    Simulated coverage lies between 94 and 96 % (tests/test_bench_stats_coverage.py).
    """
    sizes = clusters.sizes
    total = float(sizes.sum())
    mean = float(values.mean())
    rest = clusters.sums(values) - mean * sizes
    if float(np.abs(rest).max()) <= ROUNDING * float(np.abs(values).max() * sizes.max()):
        rest = np.zeros_like(rest)
    apart = total - float(sizes @ sizes) / total
    plain = float(rest @ rest) * (total / apart if apart > 0 else 1.0)
    if clusters.shares is None:
        expected = apart
        squared = float((sizes**2).sum() - 2 * (sizes**3).sum() / total + (sizes @ sizes) ** 2 / total**2)
        variance = plain
    else:
        covariance = np.diag(sizes) - np.outer(sizes, sizes) / total
        product = clusters.shares @ covariance
        expected, squared = float(np.trace(product)), float((product * product.T).sum())
        small = total / expected if expected > 1e-9 * total else 1.0
        found = float(rest @ clusters.shares @ rest) * small
        variance = max(found, LEAST * plain)
    usable = expected > 1e-9 * total and squared > 0
    units = len(values)
    alone = float(values.var(ddof=1) / units) if units > 1 else 0.0
    return Spread(
        mean,
        math.sqrt(variance) / total if rest.any() else 0.0,
        expected**2 / squared if usable else 0.0,
        total / expected if usable else 1.0,
        math.sqrt(alone),
    )
