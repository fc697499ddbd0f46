"""The difference between two systems, paired by task and instance.

Trials are not paired, since the first trial of one system has nothing in common with the first of the other: a pair
compares the means over trials.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from omnipilot.bench.stats.clusters import Clusters, Kind, cluster
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES, Interval, mean_interval
from omnipilot.bench.stats.power import detectable, fewest_tasks, power_at
from omnipilot.bench.stats.quantiles import t_tail
from omnipilot.bench.stats.sign_flips import fewest, part_left
from omnipilot.bench.stats.spread import ROUNDING, spread
from omnipilot.bench.stats.summary import EpisodeOutcome, cells
from omnipilot.envs import ConfigError

POWER = 0.8


@dataclass(frozen=True, slots=True)
class Pair:
    """One instance of one task under both systems: the outcomes of its trials."""

    task: str
    instance: int
    a: tuple[EpisodeOutcome, ...]
    b: tuple[EpisodeOutcome, ...]

    @property
    def means(self) -> tuple[float, float]:
        """The mean over the trials of A, and of B."""
        return _mean(self.a), _mean(self.b)

    @property
    def difference(self) -> float:
        """B minus A."""
        return _mean(self.b) - _mean(self.a)

    @property
    def most(self) -> float:
        """Upper bound of the figure."""
        return max(outcome.most for outcome in (*self.a, *self.b))

    @property
    def templates(self) -> frozenset[str]:
        """Sub-task templates of the task."""
        return frozenset(name for outcome in (*self.a, *self.b) for name in outcome.templates)


@dataclass(frozen=True, slots=True)
class PairedSample:
    """What a difference was computed from, and what it could show.

    Attributes:
        pairs, tasks: their numbers. kind: of the clusters, see `Clusters`.
        groups: how many independent clusters there are; degrees of freedom + 1 where templates overlap.
        error: standard error of the difference. freedom: its degrees of freedom; below 1 where nothing can be told.
        scale: the largest difference that a cluster can have. part: see `detectable`.
        means: of A and of B over the pairs. counts: sum of the figure and number of episodes, of A and of B.
    """

    pairs: int
    tasks: int
    kind: Kind
    groups: float
    error: float
    freedom: float
    scale: float
    part: float
    means: tuple[float, float]
    counts: tuple[tuple[float, int], tuple[float, int]]

    def detectable(self, level: float = LEVEL, power: float = POWER) -> float | None:
        """The smallest true difference that a test at 1 - level finds with this power; None if there is none."""
        if self.freedom < 1:
            return None
        return detectable(self.error, self.freedom, self.groups, level, power, self.scale, self.part)

    def power(self, wanted: float, level: float = LEVEL) -> float:
        """The power with which a test at 1 - level finds a true difference of `wanted`, above 0: in 0..1."""
        if self.freedom < 1:
            return 0.0
        return power_at(wanted, self.error, self.freedom, self.groups, level, self.scale, self.part)

    def can_show(self, level: float = LEVEL) -> bool:
        """Whether a test at 1 - level rejects if all clusters differ by the same amount."""
        return self.freedom >= 1 and self.groups >= fewest(level)

    def tasks_needed(self, wanted: float, level: float = LEVEL, power: float = POWER) -> int | None:
        """How many tasks like these would show a difference of `wanted`, in 0..1; None if no number would.

        Error and degrees of freedom per task are taken to stay what they are.
        """
        if self.freedom < 1:
            return None

        def shown(tasks: int) -> bool:
            more = tasks / self.tasks
            groups = self.groups * more if self.kind == "overlap" else math.floor(self.groups * more + 1e-9)
            freedom, error = self.freedom * more, self.error / math.sqrt(more)
            if freedom < 1 or groups < 1:
                return False
            flips = self.kind != "overlap"
            least = detectable(error, freedom, groups, level, power, self.scale, self.part, flips)
            return least is not None and least <= wanted

        return fewest_tasks(shown)


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better B is than A.

    Attributes:
        interval: of B minus A, in -1..1 for shares. It contains 0 wherever the test does not reject at its level.
        p: two-sided p-value of no difference; None if all pairs are in one cluster. test: which test, in words.
        detectable: the smallest true difference that this design would find with the chosen power (`detectable`);
            None if too few clusters can differ for any to be significant.
        sample: what it was computed from; None for figures that are no means over pairs.
    """

    interval: Interval
    p: float | None
    test: str
    detectable: float | None
    sample: PairedSample | None = None


def pair(
    a: Sequence[EpisodeOutcome], b: Sequence[EpisodeOutcome]
) -> tuple[list[Pair], list[tuple[str, int]], list[tuple[str, int]]]:
    """The pairs, then the tasks and instances that only A has, then those that only B has; each sorted."""
    ours, theirs = cells(a), cells(b)
    pairs = [Pair(*key, tuple(ours[key]), tuple(theirs[key])) for key in sorted(ours.keys() & theirs.keys())]
    return pairs, sorted(ours.keys() - theirs.keys()), sorted(theirs.keys() - ours.keys())


def valid_only(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs without void trials; a pair with only void trials of a system is dropped."""
    found = [
        Pair(one.task, one.instance, tuple(o for o in one.a if not o.void), tuple(o for o in one.b if not o.void))
        for one in pairs
    ]
    return [one for one in found if one.a and one.b]


def difference(
    pairs: Sequence[Pair],
    level: float = LEVEL,
    power: float = POWER,
    resamples: int = RESAMPLES,
    seed: int = 0,
    test: bool = True,
) -> Difference:
    """The mean difference over pairs: interval (`mean_interval`), test (`no_difference`) and detectable difference.

    Args:
        level: of the interval, and of the test that `detectable` is about. power: of that test.
        resamples, seed: of the bootstrap and of drawn sign flips.
        test: False where A and B cannot be exchanged, such as one run under two budgets: p and detectable are None.

    Raises:
        ConfigError: there is no pair.
    """
    _require_pairs(pairs)
    clusters = cluster([one.task for one in pairs], [sorted(one.templates) for one in pairs])
    values = np.array([one.difference for one in pairs], dtype=float)
    most = max(one.most for one in pairs)
    sample = _sample(pairs, values, clusters, most)
    if not test:
        interval = mean_interval(values, clusters, (-most, most), level, resamples, seed)
        return Difference(interval, None, "none", None, sample)
    interval, p, how = interval_with_test(values, clusters, (-most, most), level, resamples, seed)
    return Difference(interval, p, how, sample.detectable(level, power), sample)


def _sample(pairs: Sequence[Pair], values: NDArray[np.float64], clusters: Clusters, most: float) -> PairedSample:
    found = spread(values, clusters)
    groups = found.freedom + 1 if clusters.kind == "overlap" else clusters.count
    a = [outcome.value for one in pairs for outcome in one.a]
    b = [outcome.value for one in pairs for outcome in one.b]
    return PairedSample(
        len(pairs),
        len({one.task for one in pairs}),
        clusters.kind,
        groups,
        found.error,
        found.freedom,
        most if most < math.inf else max(max(one.means) for one in pairs),
        part_left([(one.a, one.b) for one in pairs], clusters, found, groups),
        (float(np.mean([one.means[0] for one in pairs])), float(np.mean([one.means[1] for one in pairs]))),
        ((sum(a), len(a)), (sum(b), len(b))),
    )


def interval_with_test(
    values: NDArray[np.float64],
    clusters: Clusters,
    bounds: tuple[float, float],
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> tuple[Interval, float | None, str]:
    """The mean of differences with its interval (`mean_interval`), and p-value and test of none (`no_difference`).

    The interval contains 0 wherever the test does not reject at its level.

    Args:
        values: differences, or other contrasts, of units, shape (units,). bounds: the least and the most one can be.
    """
    interval = mean_interval(values, clusters, bounds, level, resamples, seed)
    p, test = no_difference(values, clusters, resamples, seed)
    return widen_to_zero(interval, p), p, test


def widen_to_zero(interval: Interval, p: float | None) -> Interval:
    """The interval, widened to contain 0 where the test does not reject, so that the two never contradict."""
    low, high = interval.low, interval.high
    if p is None or low is None or high is None or p <= 1 - interval.level or low <= 0 <= high:
        return interval
    return replace(interval, low=min(low, 0.0), high=max(high, 0.0), method=f"{interval.method}, widened to 0 by p")


def either_mean(
    pairs: Sequence[Pair], level: float = LEVEL, resamples: int = RESAMPLES, seed: int = 0
) -> tuple[Interval, Interval]:
    """The mean over pairs of A and of B, each with its own interval (`mean_interval`).

    Whether the two differ cannot be read off these two; `difference` says it, and is more precise, as it uses pairs.

    Raises:
        ConfigError: there is no pair.
    """
    _require_pairs(pairs)
    most = max(one.most for one in pairs)
    clusters = cluster([one.task for one in pairs], [sorted(one.templates) for one in pairs])
    ours, theirs = (
        mean_interval(np.array(side, dtype=float), clusters, (0.0, most), level, resamples, seed)
        for side in zip(*(one.means for one in pairs), strict=True)
    )
    return ours, theirs


def contrast(
    pairs: Sequence[Pair],
    first: Collection[str],
    second: Collection[str],
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
    test: bool = True,
) -> tuple[Interval, Interval, Difference]:
    """How much higher a figure is among the second tasks than among the first: for A, for B, and B minus A, paired.

    A mean among some tasks is a ratio of sums; its interval is that of the linear part of it, whose mean is the
    difference, as in `ratio_of`. In exchanges of A and B the two means stay sums, so p is that of `no_difference`.

    Args:
        first, second: ids of tasks; pairs of neither are left out.
        test: as for `difference`.

    Raises:
        ConfigError: there is no pair of either.
    """
    some = [one for one in pairs if one.task in first or one.task in second]
    groups = np.array([one.task in second for one in some])
    if not groups.any() or groups.all():
        raise ConfigError("a contrast needs tasks of both kinds; the two runs share tasks of one only")
    clusters = cluster([one.task for one in some], [sorted(one.templates) for one in some])
    most = max(one.most for one in some)
    weights = np.where(groups, 1 / groups.mean(), -1 / (~groups).mean())
    ours, theirs = (np.array(side, dtype=float) for side in zip(*(one.means for one in some), strict=True))

    def interval(values: NDArray[np.float64]) -> Interval:
        centred = values - np.where(groups, values[groups].mean(), values[~groups].mean())
        linear = float((weights * values).mean()) + weights * centred
        found = mean_interval(linear, clusters, (-math.inf, math.inf), level, resamples, seed)
        if found.low is None or found.high is None:
            return found
        return replace(found, low=max(-most, found.low), high=min(most, found.high))

    apart = theirs - ours
    p, how = no_difference(weights * apart, clusters, resamples, seed) if test else (None, "none")
    return interval(ours), interval(theirs), Difference(widen_to_zero(interval(apart), p), p, how, None)


def no_difference(
    values: NDArray[np.float64], clusters: Clusters, resamples: int = RESAMPLES, seed: int = 0
) -> tuple[float | None, str]:
    """The two-sided p-value of no difference, and the test it comes from.

    Without a difference, A and B could be exchanged in any cluster, so its sum is as likely to have the other sign
    (Fisher's randomisation test): all sign flips are counted if there are at most `resamples`, otherwise `resamples` of
    them are drawn. With one pair per task and differences of ±1 it is the exact McNemar test. Where templates overlap,
    a t test with the error of `spread`; if all differences are equal there, the error is 0, and the p-value is that of
    sign flips of as many clusters as there are degrees of freedom, plus one.

    scipy's `permutation_test`, a second to import, gives the same p-values but for ties that rounding breaks: of nine
    tenths that add up to 0 it says 0.97, this 1 (tests/bench/stats/test_beside_libraries.py).

    Args:
        values: differences of pairs, shape (pairs,).

    Returns:
        None for the p-value if there are fewer than two clusters, or no degrees of freedom.
    """
    if clusters.kind == "overlap":
        found = spread(values, clusters)
        if found.freedom < 1:
            return None, "none"
        if found.error == 0 and found.mean != 0:
            # Equal differences: as many signs can be flipped as there are independent clusters.
            return 2.0**-found.freedom, f"sign flips of {found.freedom + 1:.0f} clusters, all alike"
        t = found.mean / found.error if found.error else 0.0
        return 2 * t_tail(t, found.freedom), f"t test, {found.freedom:.0f} degrees of freedom"
    if clusters.count < 2:
        return None, "none"
    sums = clusters.sums(values)
    rounding = ROUNDING * float(np.abs(sums).max())
    sums = sums[np.abs(sums) > rounding]
    seen = abs(float(sums.sum())) - rounding
    if 2 ** len(sums) <= resamples:
        ways = np.arange(2 ** len(sums))[:, None] >> np.arange(len(sums)) & 1
        return float((np.abs((2 * ways - 1) @ sums) >= seen).mean()), "sign flips of clusters, exact"
    chance = np.random.default_rng(seed)
    drawn = chance.integers(0, 2, (resamples, len(sums)), dtype=np.int8) * np.int8(2) - np.int8(1)
    beyond = int((np.abs(drawn @ sums) >= seen).sum())
    return (1 + beyond) / (1 + resamples), f"{resamples} sign flips of clusters"


def mcnemar(pairs: Sequence[Pair]) -> tuple[int, int, float]:
    """The exact McNemar test: how many tasks only A solved, how many only B, and the two-sided p-value.

    With b and c discordant pairs, twice the binomial tail P(X ≤ min(b, c)), X ~ Bin(b + c, 1/2), at most 1 (McNemar,
    Psychometrika 12, 1947; exact as in Agresti, Categorical Data Analysis). Whole numbers, so exact to the last digit;
    equal to statsmodels' `mcnemar` (tests/bench/stats/test_beside_libraries.py).

    Raises:
        ConfigError: a task has more than one episode, which are not independent, or an outcome is neither 0 nor 1.
    """
    counts: dict[str, int] = {}
    for one in pairs:
        counts[one.task] = counts.get(one.task, 0) + max(len(one.a), len(one.b))
        if {outcome.value for outcome in (*one.a, *one.b)} - {0.0, 1.0}:
            raise ConfigError(f"McNemar's test is for successes; {one.task}#{one.instance} has a value between 0 and 1")
    if many := next((task for task, count in counts.items() if count > 1), None):
        raise ConfigError(
            f"McNemar's test needs one episode a task, and {many} has {counts[many]}, not "
            "independent of each other; read the clustered interval, or choose one with --instance 0 --trial 0"
        )
    only_a = sum(1 for one in pairs if one.difference < 0)
    only_b = sum(1 for one in pairs if one.difference > 0)
    discordant = only_a + only_b
    tail = sum(math.comb(discordant, i) for i in range(min(only_a, only_b) + 1))
    return only_a, only_b, min(1.0, 2 * tail / 2**discordant)


def _require_pairs(pairs: Sequence[Pair]) -> None:
    if not pairs:
        raise ConfigError("the two runs share no task and instance; run both with the same --tasks and --instances")


def _mean(outcomes: Sequence[EpisodeOutcome]) -> float:
    return sum(outcome.value for outcome in outcomes) / len(outcomes)
