"""A figure over some of its items: the tasks of a level, the targets of a platform."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from omnipilot.bench.scoring.score import Figure, Item
from omnipilot.bench.stats.clusters import cluster, clusters_by_name
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES, Interval, mean_interval


def figure_among(
    figure: Figure,
    keep: Callable[[Item], object],
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Figure:
    """The figure over those of its items that are kept; without an interval if they have nothing to count.

    Its interval is that of the mean of parts / wholes weighted with wholes (`mean_interval`). Void units among its
    items are not told apart, so `void` is 0 and `valid` None.

    Args:
        figure: one with items. level: of the interval. resamples, seed: of its bootstrap.
    """
    kept = tuple(item for item in figure.items if keep(item))
    counted = [item for item in kept if item.whole]
    interval = _interval(figure, counted, level, resamples, seed) if counted else None
    return replace(figure, interval=interval, of=len(counted), void=0, valid=None, items=kept)


def _interval(figure: Figure, items: Sequence[Item], level: float, resamples: int, seed: int) -> Interval:
    wholes = np.array([item.whole for item in items], dtype=float)
    values = np.array([item.part for item in items], dtype=float) / wholes
    names = [item.cluster for item in items]
    templates = [sorted(item.templates) for item in items]
    groups = (
        cluster(names, templates) if any(templates) or figure.noun == "tasks" else clusters_by_name(names, figure.noun)
    )
    low = 0.0 if float(values.min()) >= 0 else -math.inf
    weights = wholes if float(np.ptp(wholes)) else None
    return mean_interval(values, groups, (low, figure.most), level, resamples, seed, weights)
