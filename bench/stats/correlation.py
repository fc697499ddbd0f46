"""The variance of a mean of correlated units, where the correlation is not known.

The model is one of random effects: each outcome has a part of its own and one of each cluster, or template, that it
belongs to. The share of the variance that lies in the common parts decides how precise the mean is; with one giant
cluster, or templates that most tasks have, the variance can differ by a factor of ten. Data say little about that
share. Taking the most likely one (restricted maximum likelihood, as libraries for mixed models do), which is often 0,
gives intervals that are too narrow: 95 % intervals cover 83 to 94 % with a giant cluster and 87 % over overlapping
templates, where ours cover 95 % or more (tests/bench/stats/test_beside_libraries.py).

So every share is weighted with its restricted likelihood (Patterson and Thompson, Biometrika 58, 1971) and Jeffreys'
arcsine prior for a share, and the variance returned is the 60 % quantile of that distribution. Coverage, and half
widths next to those with the true variance: tests/bench/stats/test_dense.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]

PROBABILITY = 0.6
"""Which quantile of the distribution of the variance is returned."""

PROBABILITY_OF_FEW = 0.9
"""The same for successes where few clusters differ from the rest."""

LEAST_INFORMATION = 1.0
"""Fisher information about a share of 1/2, below which its standard error exceeds 1, so that nothing is known of it."""

_SHARES = np.sin(np.pi / 2 * (np.arange(41) + 0.5) / 41) ** 2
"""Shares in 0..1 that are equally probable a priori (the arcsine prior)."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What the likelihood needs to know about units in clusters.

    Attributes:
        means: of clusters, shape (n,), n at least 2. sizes: units in each, or the sums of their weights, scaled so that
            the mean weight of a unit is 1; shape (n,).
        within: sum of squares within clusters. units: their number in all clusters.
    """

    means: Array
    sizes: Array
    within: float
    units: int


def clustered_variance(parts: Parts) -> float:
    """The variance of the mean over units in clusters of unequal size, with one random effect for each cluster.

    A unit has the variance σ², of which a share s lies between clusters; the mean of a cluster has the variance
    σ²·(s + (1 − s)/size). σ² is estimated from the means of clusters only, s also from the variation within clusters.
    """
    design, squares, likely = _clustered(parts)
    return _weighted_quantile(squares / (len(parts.means) - 1) * design, likely, PROBABILITY)


def clustered_design(parts: Parts, chance: float) -> float:
    """`clustered_variance` divided by σ², for successes, where σ² = p(1 − p) follows from the mean.

    Where few clusters fail, the likelihood overstates what their failures say about s.

    Args:
        chance: the quantile to return: `PROBABILITY_OF_FEW`, or `PROBABILITY` where one giant cluster makes up most of
            the variance anyway.
    """
    design, _, likely = _clustered(parts)
    return _weighted_quantile(design, likely, chance)


def crossed_variance(means: Array, sizes: Array, shared: Array) -> tuple[float, float]:
    """The variance of the mean over units of tasks that have templates in common, and its degrees of freedom.

    Crossed random effects: the mean of a task has a part for each of its templates and one of its own, all independent;
    a share s of its variance, the same for all tasks, lies in templates. The degrees of freedom are Satterthwaite's for
    the plain sum of squares with s = 1: about the number of templates less one. They are 0 where no data could tell s,
    as where all tasks share one template and no other.

    Args:
        means: of tasks, shape (n,). sizes: units of each task, or the sums of their weights, shape (n,).
        shared: the correlation of two tasks if s were 1 (`Clusters.shares`), shape (n, n).
    """
    count = len(means)
    spectrum, axes = _contrasts(np.ascontiguousarray(shared, dtype=float).tobytes(), count)
    apart = (spectrum - 1) / (spectrum + 1) * 2
    told = 0.5 * float(apart @ apart - apart.sum() ** 2 / (count - 1)) if count > 1 else 0.0
    if told < LEAST_INFORMATION:
        return 0.0, 0.0
    share = _SHARES[:, None]
    variances = 1 - share + share * spectrum
    squares = ((axes @ means) ** 2 / variances).sum(axis=1) / (count - 1)
    likely = -0.5 * (np.log(variances).sum(axis=1) + (count - 1) * np.log(np.maximum(squares, 1e-300)))
    weights = sizes / sizes.sum()
    together = 1 - _SHARES, _SHARES * float(weights @ shared @ weights)
    freedom = float(spectrum.sum() ** 2 / (spectrum @ spectrum))
    return _weighted_quantile(
        squares * (together[0] * float(weights @ weights) + together[1]), likely, PROBABILITY
    ), freedom


def _clustered(parts: Parts) -> tuple[Array, Array, Array]:
    """For each share: the variance of the mean divided by σ², the weighted sum of squares, and the log-likelihood."""
    count, share = len(parts.means), _SHARES[:, None]
    variances = share + (1 - share) / parts.sizes
    weights = 1 / variances
    centre = (weights @ parts.means) / weights.sum(axis=1)
    squares = (weights * (parts.means - centre[:, None]) ** 2).sum(axis=1)
    likely = -0.5 * (
        (parts.units - count) * np.log(1 - _SHARES)
        + np.log(variances).sum(axis=1)
        + np.log(weights.sum(axis=1))
        + (parts.units - 1) * np.log(np.maximum(squares + parts.within / (1 - _SHARES), 1e-300))
    )
    return (variances @ parts.sizes**2) / parts.sizes.sum() ** 2, squares, likely


def _weighted_quantile(values: Array, likely: Array, chance: float) -> float:
    """A quantile of values with these log-likelihoods, interpolated linearly."""
    order = np.argsort(values)
    chances = np.exp(likely[order] - likely.max())
    chances /= chances.sum()
    return float(np.interp(chance, np.cumsum(chances) - chances / 2, values[order]))


@lru_cache(maxsize=16)
def _contrasts(shared: bytes, count: int) -> tuple[Array, Array]:
    """Eigenvalues and eigenvectors of a matrix, the mean projected out; vectors in rows, shape (count - 1, count)."""
    matrix = np.frombuffer(shared).reshape(count, count)
    matrix = matrix - matrix.mean(axis=0)
    matrix = matrix - matrix.mean(axis=1)[:, None]
    # The mean itself has the eigenvalue 0; -1 sorts it before all others.
    values, vectors = np.linalg.eigh(matrix - 1 / count)
    return np.maximum(values[1:], 0.0), np.ascontiguousarray(vectors[:, 1:].T)
