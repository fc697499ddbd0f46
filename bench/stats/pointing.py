"""How often a run pointed right, as figures that intervals and paired differences are computed from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from omnipilot.bench.journal.results import Episode
from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES, Interval, mean_interval
from omnipilot.bench.stats.summary import Outcome
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


def pointing_outcomes(episodes: Sequence[Episode]) -> list[Outcome]:
    """The share of places pointed at rightly in each episode in which it can be told for any."""
    return [
        Outcome(
            one.task,
            one.instance,
            one.trial,
            one.pointed_right / one.pointed_told,
            one.void,
            values_of(one.tags, "template"),
        )
        for one in episodes
        if one.pointed_told
    ]
