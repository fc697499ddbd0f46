"""EQA of any run, with intervals, and the paired difference between two runs.

The order of tasks decides EQA (`omnipilot.bench.scoring.eqa`), and a run has no order that means anything. So this is
the exact mean of equation 12 over all orders: a task ends after its own cost and, on average, half of everyone else's.
Where an instance has several trials, it is also the mean over which of them is taken, each trial drawn on its own.

A step is a turn, one decision of the agent: it is what MMBench-GUI's agents are limited in, and what a user waits and
pays for. Actions would make an agent that decides on several at once look slower than one that thinks before each.
Tasks may have limits of their own, so effort is the share of the limit that was used: t_i / t_max,i in place of
t_i / t_max, and the budget is N. Where all limits are equal, this is equation 9.

EQA of n instances is p (1 - c/2) - k / 2n, with the means p of success, c of effort, and k of 2 E[s c] - E[s] E[c] of
an instance. A smooth function of means is as precise as the mean of its linear part, so intervals are those of
`mean_interval` on n values whose mean is the figure (the infinitesimal jackknife; Efron, "The Jackknife, the Bootstrap
and Other Resampling Plans", 1982), with all that it does for tasks that share templates. Simulated 95 % intervals
cover 91 % or more (tests/bench/scoring/test_efficiency.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from omnipilot.bench.journal.results import Episode, judged_episodes
from omnipilot.bench.scoring.eqa import Attempt
from omnipilot.bench.stats.clusters import Clusters, cluster
from omnipilot.bench.stats.exchange import exchange_test
from omnipilot.bench.stats.intervals import FEW, LEVEL, RESAMPLES, Interval, mean_interval
from omnipilot.bench.stats.paired import Difference, no_difference, widen_to_zero
from omnipilot.bench.stats.quantiles import t_quantile
from omnipilot.bench.stats.score_intervals import score_interval
from omnipilot.bench.stats.spread import ROUNDING, spread
from omnipilot.bench.tasks.task import values_of
from omnipilot.envs import ConfigError

Array: TypeAlias = NDArray[np.float64]
NAMES = ("EQA", "EQ1", "EQ2")


@dataclass(frozen=True, slots=True)
class Effort:
    """One instance of a task, as a mean over its trials.

    Attributes:
        success: the share of trials solved. spent: of the turn limit, in 0..1.
        own: 2 E[s c] - E[s] E[c] over its trials, which is s c for one trial.
        templates: of its sub-tasks.
    """

    task: str
    instance: int
    success: float
    spent: float
    own: float
    templates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Efficiency:
    """EQA, EQ1 = EQA / SR (equation 13) and EQ2 = SR - EQA (equation 14) of a run, all in 0..1.

    eq1 is None where nothing was solved.
    """

    eqa: Interval
    eq1: Interval | None
    eq2: Interval

    def figure(self, name: str) -> Interval | None:
        """The figure of a name in `NAMES`."""
        return {"EQA": self.eqa, "EQ1": self.eq1, "EQ2": self.eq2}[name]


def attempt(episode: Episode) -> Attempt:
    """An episode as an attempt: its steps are turns, and a success counts within its turn limit."""
    return Attempt(
        f"{episode.task}#{episode.instance}",
        episode.success and (episode.turn_limit is None or episode.turns <= episode.turn_limit),
        episode.turns if episode.turn_limit is None else min(episode.turns, episode.turn_limit),
        void=episode.void,
        limit=episode.turn_limit,
    )


def has_eqa(episodes: Sequence[Episode]) -> bool:
    """Whether EQA says something about these episodes: each that was judged has a turn limit, and none is a recording.

    In a recording every agent takes the turns that were recorded.
    """
    judged = judged_episodes(episodes)
    return bool(judged) and all(one.turn_limit and not one.recorded for one in judged)


def efforts(episodes: Sequence[Episode]) -> list[Effort]:
    """The effort of each instance, sorted by task and instance. Void episodes count as failed, at the turns they took;
    those that nobody judged do not count.

    Raises:
        ConfigError: an episode has no turn limit.
    """
    found: dict[tuple[str, int], list[Episode]] = {}
    for episode in judged_episodes(episodes):
        if not episode.turn_limit:
            raise ConfigError(f"{episode.key} has no turn limit, so it has no EQA; give the run one with --turns")
        found.setdefault((episode.task, episode.instance), []).append(episode)
    result = []
    for (task, instance), trials in sorted(found.items()):
        made = [attempt(one) for one in trials]
        solved = np.array([one.solved for one in made], dtype=float)
        spent = np.array([one.steps / (one.limit or 1) for one in made])
        own = 2 * float((solved * spent).mean()) - float(solved.mean() * spent.mean())
        templates = values_of(trials[0].tags, "template")
        result.append(Effort(task, instance, float(solved.mean()), float(spent.mean()), own, templates))
    return result


def efficiency(
    episodes: Sequence[Episode], level: float = LEVEL, resamples: int = RESAMPLES, seed: int = 0
) -> Efficiency | None:
    """EQA, EQ1 and EQ2 of a run with intervals, by tasks and the templates that they share; None without episodes.

    Raises:
        ConfigError: an episode has no turn limit.
    """
    some = efforts(episodes)
    if not some:
        return None
    clusters = cluster([one.task for one in some], [one.templates for one in some])
    columns = _columns(some)

    eqa, eq1, eq2 = (_interval(name, columns, clusters, level, resamples, seed) for name in NAMES)
    assert eqa is not None and eq2 is not None
    return Efficiency(eqa, eq1, eq2)


def efficiency_difference(
    a: Sequence[Episode],
    b: Sequence[Episode],
    name: str,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
    test: bool = True,
) -> Difference | None:
    """The difference B - A of a figure in `NAMES`, paired by task and instance.

    p is that of `exchange_test`; where tasks share several templates, that of the t test.

    Args:
        a, b: episodes of the same tasks and instances. name: in `NAMES`.
        test: False where exchanging A and B means nothing, as for one run under two budgets: p is None.

    Returns:
        None where the figure is not defined for both.

    Raises:
        ConfigError: an episode has no turn limit, or the two have other instances.
    """
    ours, theirs = efforts(a), efforts(b)
    if [(one.task, one.instance) for one in ours] != [(one.task, one.instance) for one in theirs]:
        raise ConfigError("EQA of two runs is compared on the same tasks and instances; choose those that both have")
    clusters = cluster(
        [one.task for one in ours], [{*x.templates, *y.templates} for x, y in zip(ours, theirs, strict=True)]
    )
    left, right = _columns(ours), _columns(theirs)
    first, second = _values(name, left), _values(name, right)
    if first is None or second is None:
        return None
    apart, solved = second - first, right[0] - left[0]
    slope = max(abs(_slopes(name, side.mean(axis=1), len(ours))[0]) for side in (left, right))
    interval = mean_interval(apart, clusters, (-1.0, 1.0), level, resamples, seed)
    interval = _unseen(interval, slope, solved, clusters, (-1.0, 1.0), level)
    p: float | None = None
    words = "none"
    if test and clusters.kind == "overlap":
        p, words = no_difference(apart, clusters, resamples, seed)
        least, how = no_difference(solved, clusters, resamples, seed)
        if p is not None and least is not None and least > p and not np.ptp(solved) and solved.any():
            # A difference in success in every task says no more than that: a smaller p is of the turns alone.
            p, words = least, how
            if interval.low is not None and interval.high is not None and interval.low < 0 < interval.high:
                p, words = None, "none"
    elif test:
        figure = _FIGURES[name]
        p, words = exchange_test(lambda means: figure(means, len(ours)), left, right, clusters, resamples, seed)
    return Difference(widen_to_zero(interval, p), p, words, None)


def expected_eqa(episodes: Sequence[Episode]) -> float | None:
    """EQA in 0..1, the mean of equation 12 over all orders; None without episodes.

    Raises:
        ConfigError: an episode has no turn limit.
    """
    some = efforts(episodes)
    return float(_eqa(_columns(some).mean(axis=1), len(some))) if some else None


def _columns(some: Sequence[Effort]) -> Array:
    """Success, effort spent and `Effort.own` of each instance, shape (3, instances)."""
    return np.array([[getattr(one, name) for one in some] for name in ("success", "spent", "own")], dtype=float)


def _eqa(means: Array, count: int) -> Array:
    solved, spent, own = means
    result: Array = solved * (1 - spent / 2) - own / (2 * count)
    return result


def _eq1(means: Array, count: int) -> Array:
    solved = np.where(means[0] > ROUNDING, means[0], np.nan)
    result: Array = 1 - means[1] / 2 - means[2] / (2 * count * solved)
    return result


def _eq2(means: Array, count: int) -> Array:
    solved, spent, own = means
    result: Array = solved * spent / 2 + own / (2 * count)
    return result


_FIGURES: dict[str, Callable[[Array, int], Array]] = dict(zip(NAMES, (_eqa, _eq1, _eq2), strict=True))
"""From the means of the three columns, shape (3, ...), and the number of instances, to the figure, shape (...)."""


def _slopes(name: str, means: Array, count: int) -> Array:
    """The derivatives of a figure by the three means, shape (3,)."""
    solved, spent, own = means
    if name == "EQA":
        return np.array([1 - spent / 2, -solved / 2, -1 / (2 * count)])
    if name == "EQ1":
        return np.array([own / (2 * count * solved**2), -1 / 2, -1 / (2 * count * solved)])
    return np.array([spent / 2, solved / 2, 1 / (2 * count)])


def _values(name: str, columns: Array) -> Array | None:
    """One value for each instance, whose mean is the figure and whose spread is its spread; None if undefined."""
    count, means = columns.shape[1], columns.mean(axis=1)
    estimate = float(_FIGURES[name](means, count))
    if np.isnan(estimate):
        return None
    result: Array = estimate + _slopes(name, means, count) @ (columns - means[:, None])
    return result


def _interval(
    name: str, columns: Array, clusters: Clusters, level: float, resamples: int, seed: int
) -> Interval | None:
    """The interval of one run's figure: `mean_interval`, or Wilson's form with t where few clusters solve or fail.

    What `mean_interval` looks at to see this, values at the bounds, effort blurs.
    """
    values = _values(name, columns)
    if values is None:
        return None
    found, solved = spread(values, clusters), clusters.sums(columns[0])
    few = min((solved > ROUNDING).sum(), (solved < clusters.sizes - ROUNDING).sum()) < FEW and name == "EQA"
    if few and 0 < found.mean < 1 and found.error > 0 and found.freedom >= 1:
        worth = found.mean * (1 - found.mean) / found.error**2
        ends = score_interval(found.mean, worth, t_quantile(0.5 + level / 2, found.freedom))
        method = f"Wilson with t, {found.freedom:.0f} degrees of freedom, {clusters.words}"
        interval = Interval(found.mean, *ends, level, method, len(values), clusters.count)
    else:
        interval = mean_interval(values, clusters, (0.0, 1.0), level, resamples, seed)
    slope = abs(float(_slopes(name, columns.mean(axis=1), len(values))[0]))
    return _unseen(interval, slope, columns[0], clusters, (0.0, 1.0), level)


def _unseen(
    interval: Interval, slope: float, solved: Array, clusters: Clusters, bounds: tuple[float, float], level: float
) -> Interval:
    """The interval within bounds, widened where success is alike in all instances and only turns differ.

    Others may differ, which turns do not show: the ends of SR's own interval, times the figure's slope in SR, are added
    in squares (Zou and Donner, Statistics in Medicine 27, 2008).
    """
    low, high = interval.low, interval.high
    if low is None or high is None:
        return interval
    method = interval.method
    if not np.ptp(solved) and "all alike" not in method:
        alike = mean_interval(solved, clusters, bounds, level)
        if alike.low is None or alike.high is None:
            return replace(interval, low=None, high=None, method=alike.method)
        low = interval.estimate - math.hypot(interval.estimate - low, slope * (alike.estimate - alike.low))
        high = interval.estimate + math.hypot(high - interval.estimate, slope * (alike.high - alike.estimate))
        method = f"{method}, and success by {alike.method}"
    return replace(interval, low=max(bounds[0], low), high=min(bounds[1], high), method=method)
