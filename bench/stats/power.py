"""Power: the smallest difference that a design detects, and how many tasks it takes to detect one.

statsmodels' `TTestPower` does not know that too few pairs that differ can never be significant: where 1 of 20 pairs
differs it promises to find a difference of 15 points with 80 % power, and the power is 6 %. `detectable` says 37
points, with 80 % (exact, tests/bench/stats/test_beside_libraries.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from omnipilot.bench.stats.intervals import LEVEL, check_level
from omnipilot.bench.stats.quantiles import normal_quantile, t_cumulative, t_quantile, tail_of_successes
from omnipilot.bench.stats.sign_flips import fewest, share_needed
from omnipilot.envs import ConfigError

MOST_TASKS = 10_000_000


def detectable(
    error: float,
    freedom: float,
    clusters: float,
    level: float,
    power: float,
    scale: float = 1.0,
    part: float = 1.0,
    flips: bool | None = None,
) -> float | None:
    """The smallest true difference that a two-sided test at 1 − level finds with this power.

    (t_{1−α/2} + t_{power}) · standard error (Bloom, "Minimum detectable effects", Evaluation Review 19, 1995). But the
    error is that of the observed difference, and a larger difference may not be possible with so small an error: if no
    more episodes differ than have to, all in one direction, the difference δ of an episode has the variance δ(1 − δ),
    and the mean of a cluster v = part · δ(1 − δ). So δ must also be significant against v: with the t test
    δ² ≥ t²·v/clusters; with sign flips a cluster differs with a probability of at least δ²/(v + δ²) (Cauchy-Schwarz),
    which has to reach `share_needed`. With part = 1 the power is then exact.

    Args:
        error: standard error of the difference. freedom: its degrees of freedom, above 0.
        clusters: number of independent clusters; for overlapping templates freedom + 1.
        level, power: from 0.5 to below 1. scale: the largest difference that a cluster can have.
        part: the share of the variance of one episode's difference that is left in the mean of a cluster (`part_left`).
        flips: True for the sign-flip test, False for the t test; None takes sign flips if `clusters` is whole.

    Returns:
        At most `scale`. None if not even clusters that all differ equally are significant (p = 2^(1 − clusters)).

    Raises:
        ConfigError: a level or a power is not from 0.5 to below 1.
    """
    check_level(power)
    if clusters < fewest(level) or scale <= 0:
        return None
    t = t_quantile(0.5 + level / 2, freedom) + t_quantile(power, freedom)
    part = min(1.0, part)
    least = part * t * t / (clusters + part * t * t)
    if float(clusters).is_integer() if flips is None else flips:
        share = share_needed(int(clusters), level, power)
        assert share is not None
        least = max(least, part * share / (1 - share + part * share))
    return min(scale, max(t * error, scale * least))


def power_at(
    wanted: float,
    error: float,
    freedom: float,
    clusters: float,
    level: float,
    scale: float = 1.0,
    part: float = 1.0,
    flips: bool | None = None,
) -> float:
    """The power with which a two-sided test at 1 − level finds a true difference: the inverse of `detectable`.

    Args:
        wanted: the true difference, above 0, in the unit of `error`. The others are those of `detectable`.

    Returns:
        In 0..1. 0 where no difference can be significant.

    Raises:
        ConfigError: the level is not from 0.5 to below 1.
    """
    if clusters < fewest(level) or scale <= 0:
        return 0.0
    flips = float(clusters).is_integer() if flips is None else flips
    t = t_quantile(0.5 + level / 2, freedom)
    share, part = min(1.0, wanted / scale), min(1.0, part)
    found = [t_cumulative(wanted / error - t, freedom)] if error else []
    if share < 1 and part:
        found.append(t_cumulative(math.sqrt(share * clusters / (part * (1 - share))) - t, freedom))
    if flips and share < 1:
        differs = share / (part + share * (1 - part))
        found.append(tail_of_successes(fewest(level), int(clusters), differs))
    return min(found, default=1.0)


def detectable_at(error: float, clusters: float, level: float, power: float) -> float:
    """The smallest true difference, in 0..1, that sign flips find if the standard error at that difference is `error`.

    The δ with δ·√(G − 1) = z_{1−α/2}·√(v + δ²) + z_{power}·√v, where v = G·error²: the test compares the mean of G
    clusters with their mean square, not with their variance (Connor, Biometrics 43, 1987, for pairs of successes, with
    G − 1 in place of his G, as in the variance of a sample).
    """
    z, beta = normal_quantile(0.5 + level / 2), normal_quantile(power)
    rest = clusters - 1 - z * z
    if rest <= 0:
        return 1.0
    both = beta * math.sqrt(clusters - 1) + z * math.sqrt(rest + beta * beta)
    return min(1.0, math.sqrt(clusters) * error * both / rest)


@dataclass(frozen=True, slots=True)
class VarianceSources:
    """Where the variance of a paired difference comes from: of one task with one instance and one trial per system.

    Attributes:
        task: variance of the true difference between tasks. instance: between instances of a task.
        trial: between trials of an instance, for one trial of each system.
        design: factor by which shared templates raise the variance; 1 without shared templates.
        freedom: degrees of freedom per task beyond the first; 1 without shared templates.
        clusters: independent clusters per task; None where templates overlap, and their number is freedom + 1.
        known: whether enough pairs differed to tell the levels apart; if not, clusters are assumed to differ as wholes.
        there: whether the variances are those at the wanted difference, as assumed ones are; those of a pilot belong to
            the difference that the pilot observed.
    """

    task: float
    instance: float
    trial: float
    design: float = 1.0
    freedom: float = 1.0
    clusters: float | None = 1.0
    known: bool = True
    there: bool = False

    def variance(self, tasks: int, instances: int, trials: int) -> float:
        """The variance of the mean difference over n tasks with m instances each and k trials of each instance.

        design · (task + instance/m + trial/(m·k)) / n, the nested random-effects model (without instances in Miller,
        "Adding error bars to evals", 2024).
        """
        return self.design * self._one(instances, trials) / tasks

    def detectable(
        self, tasks: int, instances: int, trials: int, level: float = LEVEL, power: float = 0.8
    ) -> float | None:
        """The smallest difference that such a design detects (`detectable`); None if it can detect none."""
        freedom = self.freedom * (tasks - 1)
        if freedom < 1:
            return None
        clusters = freedom + 1 if self.clusters is None else math.floor(self.clusters * tasks + 1e-9)
        part, whole = 1.0, self._one(1, 1)
        if self.known and whole:
            part = max(1.0, self.design) * self._one(instances, trials) / whole * clusters / tasks
        error = math.sqrt(self.variance(tasks, instances, trials))
        least = detectable(error, freedom, clusters, level, power, 1.0, part, self.clusters is not None)
        return max(least, detectable_at(error, clusters, level, power)) if self.there and least is not None else least

    def _one(self, instances: int, trials: int) -> float:
        """The variance of the mean difference of one task."""
        return self.task + self.instance / instances + self.trial / (instances * trials)


def tasks_needed(
    wanted: float, noise: VarianceSources, instances: int, trials: int, level: float = LEVEL, power: float = 0.8
) -> int:
    """The smallest number of tasks with which a design detects a difference of `wanted`.

    Args:
        wanted: above 0, below 1. instances: per task. trials: per instance.

    Raises:
        ConfigError: the difference is not in (0, 1), or would take more than ten million tasks.
    """
    if not 0 < wanted < 1:
        raise ConfigError(f"a difference is a share above 0 and below 1, such as 0.1, not {wanted:g}")

    def shown(tasks: int) -> bool:
        least = noise.detectable(tasks, instances, trials, level, power)
        return least is not None and least <= wanted

    found = fewest_tasks(shown)
    if found is None:
        raise ConfigError(
            f"a difference of {100 * wanted:g} points takes more than {MOST_TASKS:,} tasks; plan for a larger one"
        )
    return found


def fewest_tasks(shown: Callable[[int], bool]) -> int | None:
    """The smallest number of tasks, at least 2, for which `shown` is true, as it is for any larger one.

    None if that is more than `MOST_TASKS`.
    """
    low, high = 1, 2
    while not shown(high):
        low, high = high, high * 2
        if high > MOST_TASKS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if shown(middle) else (middle, high)
    return high
