"""How often runs pointed right, with intervals, and the paired difference between two runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from omnipilot.bench.journal.results import Episode
from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.exchange import exchange_test
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES, Interval, mean_interval
from omnipilot.bench.stats.paired import Difference, no_difference, widen_to_zero
from omnipilot.bench.tasks.task import values_of


def pointing_accuracy(
    episodes: Sequence[Episode], level: float = LEVEL, resamples: int = RESAMPLES, seed: int = 0
) -> Interval | None:
    """Places pointed at rightly, of all for which it can be told, with an interval that resamples tasks.

    The ratio of two sums: the mean of the episodes' shares, each weighted with its number of places (`mean_interval`).

    Returns:
        None if it can be told for no place.
    """
    told = [one for one in episodes if one.pointed_told]
    if not told:
        return None
    clusters = cluster([one.task for one in told], [values_of(one.tags, "template") for one in told])
    places = np.array([one.pointed_told for one in told], dtype=float)
    shares = np.array([one.pointed_right for one in told], dtype=float) / places
    return mean_interval(shares, clusters, (0.0, 1.0), level, resamples, seed, places)


def pointing_difference(
    a: Sequence[Episode], b: Sequence[Episode], level: float = LEVEL, resamples: int = RESAMPLES, seed: int = 0
) -> Difference | None:
    """The difference B - A of the pointing accuracies of two runs, paired by task and instance.

    Each accuracy is a ratio of sums, which is as precise as the mean of its linear part; so the interval is that of
    `mean_interval` on the differences of the linear parts. p is that of `exchange_test`; where tasks share several
    templates, that of the t test.

    Args:
        a, b: episodes of the same tasks and instances.

    Returns:
        None where it can be told for no place of one of the two.
    """
    tags = {(one.task, one.instance): set[str]() for one in (*a, *b)}
    for one in (*a, *b):
        tags[one.task, one.instance].update(values_of(one.tags, "template"))
    keys = sorted(tags)
    ours, theirs = _places(a, keys), _places(b, keys)
    if not (ours[1].any() and theirs[1].any()):
        return None
    clusters = cluster([task for task, _ in keys], [sorted(tags[key]) for key in keys])
    apart = _linear(theirs) - _linear(ours)
    interval = mean_interval(apart, clusters, (-1.0, 1.0), level, resamples, seed)
    if interval.low is not None and interval.high is not None:
        interval = replace(interval, low=max(-1.0, interval.low), high=min(1.0, interval.high))
    test = (
        no_difference(apart, clusters, resamples, seed)
        if clusters.kind == "overlap"
        else exchange_test(_share, ours, theirs, clusters, resamples, seed)
    )
    return Difference(widen_to_zero(interval, test[0]), *test, None)


def _places(episodes: Sequence[Episode], keys: Sequence[tuple[str, int]]) -> NDArray[np.float64]:
    """Right and told places of each instance, summed over trials, shape (2, instances)."""
    at = {key: number for number, key in enumerate(keys)}
    found = np.zeros((2, len(keys)))
    for one in episodes:
        found[:, at[one.task, one.instance]] += one.pointed_right, one.pointed_told
    return found


def _share(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Right / told; NaN where nothing is told."""
    share: NDArray[np.float64] = means[0] / np.where(means[1] > 0, means[1], np.nan)
    return share


def _linear(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """One value for each instance, whose mean is Σ right / Σ told and whose spread is its own, shape (instances,)."""
    share = places[0].sum() / places[1].sum()
    values: NDArray[np.float64] = share + (places[0] - share * places[1]) / places[1].mean()
    return values
