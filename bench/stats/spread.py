"""The standard error of a mean over clusters, and the degrees of freedom of that estimate."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omnipilot.bench.stats.clusters import Clusters
from omnipilot.bench.stats.correlation import (
    PROBABILITY,
    PROBABILITY_OF_FEW,
    Parts,
    clustered_design,
    clustered_variance,
    crossed_variance,
)
from omnipilot.bench.stats.quantiles import t_quantile

ROUNDING = 1e-9
"""A difference below this share of the terms it comes from counts as a rounding error."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean and how precise it is.

    Attributes:
        mean: over all units. error: its standard error, in the unit of the values.
        freedom: degrees of freedom of the error; 0 where the data cannot tell it.
        correction: the factor that the plug-in variance was multiplied by, since residuals are smaller than errors.
        independent_error: the standard error if all units were independent.
    """

    mean: float
    error: float
    freedom: float
    correction: float
    independent_error: float

    @property
    def design(self) -> float:
        """The design effect (Kish): the variance as a multiple of that of independent units; NaN where that is 0."""
        return (self.error / self.independent_error) ** 2 if self.independent_error else math.nan


def spread(values: NDArray[np.float64], clusters: Clusters, weights: NDArray[np.float64] | None = None) -> Spread:
    """The cluster-robust standard error of the mean of `values`, weighted where `weights` are given.

    With e the sums of the residuals of G clusters, the variance is e'e/N², corrected for its bias and with
    Satterthwaite's degrees of freedom under independent units, after Bell and McCaffrey (Survey Methodology 28, 2002);
    for clusters of equal size the correction is G/(G-1) and the degrees of freedom are G-1. If a few clusters hold most
    of the units this is too small: a giant cluster pulls the mean towards itself and so has a small residual. The
    variance under a model of exchangeable clusters (`clustered_variance`, G-1 degrees of freedom) is used where its
    interval is wider. Where templates overlap, the variance is that of crossed random effects (`crossed_variance`).

    statsmodels has the error without these corrections (`cov_type="cluster"`): its 95 % intervals cover 47 to 89 % with
    one giant cluster, these 95 % or more (tests/bench/stats/test_beside_libraries.py); over all designs of
    tests/bench/stats/test_coverage.py and test_dense.py they cover at least 93 %.

    Args:
        values: of units, shape (units,), at least one. weights: of units, above 0, shape (units,): the denominators of
            a ratio of sums.
    """
    units = len(values)
    mean = float(np.average(values, weights=weights))
    weights = np.ones(units) if weights is None else weights
    sizes = clusters.sums(weights)
    total = float(sizes.sum())
    independent = math.sqrt(float(weights**2 @ (values - mean) ** 2) * units / max(1, units - 1)) / total
    rest = clusters.sums(weights * values) - mean * sizes
    if float(np.abs(rest).max()) <= ROUNDING * float(np.abs(values).max() * sizes.max()):
        rest = np.zeros_like(rest)
    if clusters.shares is not None:
        variance, freedom = crossed_variance(mean + rest / sizes, sizes, clusters.shares)
        return Spread(mean, math.sqrt(variance) if rest.any() else 0.0, freedom, 1.0, independent)
    apart = total - float(sizes @ sizes) / total
    squared = float((sizes**2).sum() - 2 * (sizes**3).sum() / total + (sizes @ sizes) ** 2 / total**2)
    if apart <= 1e-9 * total or squared <= 0:
        return Spread(mean, 0.0, 0.0, 1.0, independent)
    freedom, correction = apart**2 / squared, total / apart
    error = math.sqrt(float(rest @ rest) * correction) / total
    if error and float(np.ptp(sizes)) > ROUNDING * total:
        other = math.sqrt(clustered_variance(_parts(values, clusters, weights)))
        if other * t_quantile(0.975, clusters.count - 1) > error * t_quantile(0.975, freedom):
            error, freedom, correction = other, clusters.count - 1.0, correction * (other / error) ** 2
    return Spread(mean, error, freedom, correction, independent)


def effective_units(
    values: NDArray[np.float64], clusters: Clusters, weights: NDArray[np.float64] | None = None
) -> float:
    """How many independent units give as precise a mean as these clustered successes, of which few clusters differ.

    On the cautious side: `clustered_design` says how likely it is that there are fewer.
    """
    parts = _parts(values, clusters, np.ones(len(values)) if weights is None else weights)
    return 1 / clustered_design(parts, PROBABILITY if is_lopsided(clusters, weights) else PROBABILITY_OF_FEW)


def effective_clusters(clusters: Clusters, weights: NDArray[np.float64] | None = None) -> float:
    """Kish's effective number of clusters, (Σn)²/Σn²: so many of equal size would be as informative."""
    sizes = clusters.sizes if weights is None else clusters.sums(weights)
    return float(sizes.sum() ** 2 / (sizes @ sizes)) * (1 + ROUNDING)


def is_lopsided(clusters: Clusters, weights: NDArray[np.float64] | None = None) -> bool:
    """Whether a few clusters hold most of the units: the effective number of clusters is below half their number."""
    return effective_clusters(clusters, weights) < clusters.count / 2


def _parts(values: NDArray[np.float64], clusters: Clusters, weights: NDArray[np.float64]) -> Parts:
    sizes, scale = clusters.sums(weights), float(weights.mean())
    means = clusters.sums(weights * values) / sizes
    within = float(weights @ (values - means[clusters.of]) ** 2) / scale
    return Parts(means, sizes / scale, within, len(values))
