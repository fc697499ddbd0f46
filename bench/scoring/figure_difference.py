"""The difference between two runs in one figure, paired by its items.

A figure is a ratio of two sums over items. Such a ratio is as precise as the mean of its linear part: item i adds
R + (part_i - R · whole_i) / mean(whole), whose mean is R. The interval of B - A is that of the differences of these
values, over clusters (`mean_interval`); p is that of exchanging A and B in whole clusters (`exchange_test`). Where
wholes are the same in both runs, as in a mean, the difference is a mean of differences itself, and both are exact
where those of a mean are. tests/bench/scoring/test_figure_difference.py simulates coverage and false positives.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from omnipilot.bench.scoring.score import Figure, Item
from omnipilot.bench.stats.clusters import Clusters, cluster, clusters_by_name
from omnipilot.bench.stats.exchange import exchange_test
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES, Interval, mean_interval
from omnipilot.bench.stats.paired import POWER, Difference, no_difference, widen_to_zero
from omnipilot.bench.stats.power import detectable
from omnipilot.bench.stats.sign_flips import part_left
from omnipilot.bench.stats.spread import ROUNDING, spread
from omnipilot.bench.stats.summary import EpisodeOutcome

Array: TypeAlias = NDArray[np.float64]


def figure_difference(
    a: Figure,
    b: Figure,
    level: float = LEVEL,
    power: float = POWER,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Difference | None:
    """How much higher a figure is in run B than in run A: B - A, over the items that both have.

    Args:
        a, b: the same figure of two runs. level: of the interval, and of the test that `detectable` is about.
        power: of that test. resamples, seed: of the bootstrap and of exchanges.

    Returns:
        None if the two have no item in common, or the figure is undefined on those of one.

    Raises:
        ConfigError: a level or a power is not from 0.5 to below 1.
    """
    pairs = common_items(a, b)
    ours, theirs = (_sums([pair[side] for pair in pairs]) for side in (0, 1))
    if not pairs or not ours[1].sum() or not theirs[1].sum():
        return None
    clusters = _clusters(pairs, a.noun)
    most = max(a.most, b.most)
    if float(np.abs(ours[1] - theirs[1]).max()) <= ROUNDING:
        return _of_means(ours, theirs, clusters, most, level, power, resamples, seed)
    values = _linear(theirs) - _linear(ours)
    found = mean_interval(values, clusters, (-math.inf, math.inf), level, resamples, seed)
    p, test = (
        no_difference(values, clusters, resamples, seed)
        if clusters.kind == "overlap"
        else exchange_test(_ratio, ours, theirs, clusters, resamples, seed)
    )
    return Difference(widen_to_zero(_within(found, most), p), p, test, None)


def common_items(a: Figure, b: Figure) -> list[tuple[Item, Item]]:
    """The items of A and of B with the same key, in the order of A."""
    of_b: Mapping[str, Item] = {item.key: item for item in b.items}
    return [(item, of_b[item.key]) for item in a.items if item.key in of_b]


def on_common_items(
    a: Figure, b: Figure, level: float = LEVEL, resamples: int = RESAMPLES, seed: int = 0
) -> tuple[Figure, Figure]:
    """Two figures over the items that both have; as they are where they have the same items, or none in common."""
    pairs = common_items(a, b)
    if not pairs or len(pairs) == len(a.items) == len(b.items):
        return a, b
    ours, theirs = (
        _over(figure, [pair[side] for pair in pairs], level, resamples, seed) for side, figure in enumerate((a, b))
    )
    return ours, theirs


def _over(figure: Figure, items: Sequence[Item], level: float, resamples: int, seed: int) -> Figure:
    """A figure over some of its items."""
    counted = [item for item in items if item.whole]
    if not counted:
        return replace(figure, interval=None, of=0, items=tuple(items))
    wholes = np.array([item.whole for item in counted])
    values = np.array([item.part for item in counted]) / wholes
    clusters = _clusters([(item, item) for item in counted], figure.noun)
    weights = wholes if float(np.ptp(wholes)) else None
    interval = mean_interval(values, clusters, (0.0, figure.most), level, resamples, seed, weights)
    return replace(figure, interval=interval, of=len(counted), items=tuple(items))


def _of_means(
    ours: Array,
    theirs: Array,
    clusters: Clusters,
    most: float,
    level: float,
    power: float,
    resamples: int,
    seed: int,
) -> Difference:
    """The difference where both runs have the same wholes: a mean of differences, weighted with the wholes."""
    wholes = ours[1]
    counted = wholes > 0
    groups = _those(clusters, counted)
    weights = wholes[counted]
    values = (theirs[0] - ours[0])[counted] / weights
    interval = mean_interval(
        values, groups, (-most, most), level, resamples, seed, weights if float(np.ptp(weights)) else None
    )
    p, test = no_difference(weights * values, groups, resamples, seed)
    found = spread(values, groups, weights)
    independent = found.freedom + 1 if groups.kind == "overlap" else groups.count
    scale = most if most < math.inf else float(np.abs(np.concatenate([ours[0], theirs[0]])).max())
    part = 1.0
    if not float(np.ptp(weights)):
        # Of an item only the sum over its trials is known, so that it counts as one.
        single = [
            [(EpisodeOutcome("", 0, 0, float(value)),) for value in side[0][counted] / weights]
            for side in (ours, theirs)
        ]
        part = part_left(list(zip(*single, strict=True)), groups, found, independent)
    freedom = found.freedom
    least = detectable(found.error, freedom, independent, level, power, scale, part) if freedom >= 1 else None
    return Difference(widen_to_zero(interval, p), p, test, least)


def _clusters(pairs: Sequence[tuple[Item, Item]], noun: str) -> Clusters:
    names = [ours.cluster for ours, _ in pairs]
    templates = [sorted({*ours.templates, *theirs.templates}) for ours, theirs in pairs]
    return cluster(names, templates) if any(templates) else clusters_by_name(names, noun)


def _those(clusters: Clusters, counted: NDArray[np.bool_]) -> Clusters:
    """The clusters of some units, those without any left out."""
    kept, of = np.unique(clusters.of[counted], return_inverse=True)
    shares = None if clusters.shares is None else clusters.shares[np.ix_(kept, kept)]
    return replace(clusters, count=len(kept), of=of.astype(np.int64), shares=shares)


def _sums(items: Sequence[Item]) -> Array:
    """Parts and wholes, shape (2, items)."""
    return np.array([[item.part for item in items], [item.whole for item in items]], dtype=float)


def _ratio(means: Array) -> Array:
    """Part / whole; NaN where the whole is 0."""
    ratio: Array = means[0] / np.where(means[1] > 0, means[1], np.nan)
    return ratio


def _linear(sums: Array) -> Array:
    """One value for each item, whose mean is the ratio of the sums and whose spread is its own, shape (items,)."""
    ratio = sums[0].sum() / sums[1].sum()
    values: Array = ratio + (sums[0] - ratio * sums[1]) / sums[1].mean()
    return values


def _within(interval: Interval, most: float) -> Interval:
    if interval.low is None or interval.high is None:
        return interval
    return replace(interval, low=max(-most, interval.low), high=min(most, interval.high))
