"""The variance of a mean where it is not known how much units that hang together are alike.

What hangs together is a random part of each outcome: one part a cluster, or one a template. How much of the variance
is in those parts, their share, decides how far the mean may be off; with one giant cluster, or with templates that
most tasks have, by a factor of ten. Residuals tell it badly, and the one most likely share, which is often 0, gives
intervals that are too narrow (90 % for 95 %). So every share counts by how likely it makes the residuals (restricted
likelihood: Patterson and Thompson, Biometrika 58, 1971), with the arcsine prior of Jeffreys for a share, and the
variance is one that exceeds 60 % of what may be. Coverage, and half widths beside those of the true variance:
`tests/bench/stats/test_dense.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]

LIKELY = 0.6
"""How probable it is that the variance is at most the one that is taken."""

NEARLY = 0.9
"""The same for successes of which few clusters differ from the rest."""

TELLING = 1.0
"""Fisher's information of a share of 1/2; with less a share is known to no better than ±1, which is not at all."""

_SHARES = np.sin(np.pi / 2 * (np.arange(41) + 0.5) / 41) ** 2
"""Shares that are equally probable before anything is seen (the arcsine prior), within 0..1."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Units in clusters.

    Attributes:
        means: of clusters, shape (n,), n at least 2. sizes: units in each, or their weights, of which the mean is 1.
        within: the sum of squares within clusters. units: how many in all clusters.
    """

    means: Array
    sizes: Array
    within: float
    units: int


def clustered_variance(parts: Parts) -> float:
    """The variance of the mean over units in clusters of unlike size, each cluster with a part of its own.

    A unit's variance is σ², of which a share s is its cluster's; so a cluster's mean has the variance
    σ²·(s + (1 − s)/size). σ² is taken from the clusters' means alone, s also from what varies within clusters.
    """
    design, squares, likely = _clustered(parts)
    return _likely(squares / (len(parts.means) - 1) * design, likely, LIKELY)


def clustered_design(parts: Parts, chance: float) -> float:
    """That variance through σ², for successes, whose σ² the mean tells: p(1 − p).

    Where few clusters fail, their failures tell s worse than they seem to.

    Args:
        chance: that it is at most the one that is returned: `NEARLY` of clusters alike in size. One giant alone can
            make so much of s that `LIKELY` does.
    """
    design, _, likely = _clustered(parts)
    return _likely(design, likely, chance)


def crossed_variance(means: Array, sizes: Array, shared: Array) -> tuple[float, float]:
    """The variance of the mean over units of tasks that have templates in common, and its degrees of freedom.

    Crossed random effects: a task's mean has a part for each of its templates and one of its own, all independent; of
    its variance, the same for all tasks, a share s is in templates. The degrees of freedom are Satterthwaite's of the
    plain sum of squares if all were in templates: about as many as there are templates, less one. Where templates lie
    so that no data could tell s, as where all tasks share just one, there are 0.

    Args:
        means: of tasks, shape (n,). sizes: units of each.
        shared: the correlation of two tasks if s were 1, shape (n, n).
    """
    count = len(means)
    spectrum, axes = _contrasts(np.ascontiguousarray(shared, dtype=float).tobytes(), count)
    apart = (spectrum - 1) / (spectrum + 1) * 2
    told = 0.5 * float(apart @ apart - apart.sum() ** 2 / (count - 1)) if count > 1 else 0.0
    if told < TELLING:
        return 0.0, 0.0
    share = _SHARES[:, None]
    variances = 1 - share + share * spectrum
    squares = ((axes @ means) ** 2 / variances).sum(axis=1) / (count - 1)
    likely = -0.5 * (np.log(variances).sum(axis=1) + (count - 1) * np.log(np.maximum(squares, 1e-300)))
    weights = sizes / sizes.sum()
    together = 1 - _SHARES, _SHARES * float(weights @ shared @ weights)
    freedom = float(spectrum.sum() ** 2 / (spectrum @ spectrum))
    return _likely(squares * (together[0] * float(weights @ weights) + together[1]), likely, LIKELY), freedom


def _clustered(parts: Parts) -> tuple[Array, Array, Array]:
    """For each share: the variance of the mean through σ², the squares of clusters' means, and the log-likelihood."""
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


def _likely(values: Array, likely: Array, chance: float) -> float:
    """The quantile of values, each as probable as its likelihood (a logarithm) says, between them by straight lines."""
    order = np.argsort(values)
    chances = np.exp(likely[order] - likely.max())
    chances /= chances.sum()
    return float(np.interp(chance, np.cumsum(chances) - chances / 2, values[order]))


@lru_cache(maxsize=16)
def _contrasts(shared: bytes, count: int) -> tuple[Array, Array]:
    """The eigenvalues of a matrix among contrasts, which leave the mean out, and those, shape (count - 1, count)."""
    matrix = np.frombuffer(shared).reshape(count, count)
    matrix = matrix - matrix.mean(axis=0)
    matrix = matrix - matrix.mean(axis=1)[:, None]
    # The mean itself has the eigenvalue 0; -1 sorts it before all others.
    values, vectors = np.linalg.eigh(matrix - 1 / count)
    return np.maximum(values[1:], 0.0), np.ascontiguousarray(vectors[:, 1:].T)
