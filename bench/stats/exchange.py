"""The randomisation test of a figure that is no mean of units, such as a ratio of two sums."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from omnipilot.bench.stats.clusters import Clusters
from omnipilot.bench.stats.intervals import RESAMPLES
from omnipilot.bench.stats.spread import ROUNDING

_AT_ONCE = 2_000_000


def exchange_test(
    figure: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    clusters: Clusters,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> tuple[float | None, str]:
    """The two-sided p-value of no difference in a figure of means, and the test in words.

    If nothing but the names of A and B differed, they could be exchanged in any cluster, so a difference as large as
    the one seen is as likely as the share of exchanges that have one (Fisher's randomisation test). All ways are tried
    if there are at most `resamples`, else so many are drawn.

    Args:
        figure: from the means of columns, shape (columns, ...), to the figure, shape (...); NaN where it is undefined,
            which counts as a difference as large as the one seen.
        a, b: values of the same units, shape (columns, units). clusters: of the units, none overlapping.

    Returns:
        None, "none" for fewer than two clusters.
    """
    if clusters.count < 2:
        return None, "none"
    count = a.shape[1]
    ours, theirs = (np.stack([clusters.sums(row) for row in side], axis=1) for side in (a, b))
    apart = theirs - ours
    differing = (np.abs(apart) > ROUNDING).any(axis=1)
    total_a, total_b, apart = ours.sum(axis=0), theirs.sum(axis=0), apart[differing]
    seen = abs(float(figure(total_b / count) - figure(total_a / count))) - ROUNDING
    ways = len(apart)

    def beyond(flips: NDArray[np.int64]) -> int:
        moved = flips @ apart
        left, right = ((total + sign * moved).T / count for total, sign in ((total_a, 1), (total_b, -1)))
        found = np.abs(figure(right) - figure(left))
        return int((np.isnan(found) | (found >= seen)).sum())

    if 2**ways <= resamples:
        every = np.arange(2**ways)[:, None] >> np.arange(ways) & 1
        return beyond(every) / 2**ways, "exchange of A and B in clusters, exact"
    chance = np.random.default_rng(seed)
    more, left = 0, resamples
    while left:
        size = min(left, max(1, _AT_ONCE // ways))
        more += beyond(chance.integers(0, 2, (size, ways)))
        left -= size
    return (1 + more) / (1 + resamples), f"{resamples} exchanges of A and B in clusters"
