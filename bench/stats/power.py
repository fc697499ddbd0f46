"""What a design can show: the smallest difference that it would detect, and how many tasks a difference needs."""

from __future__ import annotations

import math
from dataclasses import dataclass

from omnipilot.bench.stats.intervals import LEVEL, check_level
from omnipilot.bench.stats.quantiles import normal_quantile, t_quantile
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

    (t_{1−α/2} + t_{power}) · standard error (Bloom, "Minimum detectable effects", Evaluation Review 19, 1995). That
    error is of the difference that was seen, and a larger one may not be able to have it: where no more differs than
    has to, all one way, one episode's difference δ has the variance δ(1 − δ), and a cluster's mean v = part · δ(1 − δ).
    So δ is also at least what shows against that: with the t test δ² ≥ t²·v/clusters; with sign flips a cluster differs
    with a chance of at least δ²/(v + δ²) (Cauchy and Schwarz), which has to be `share_needed`, and then the power is
    exact where part is 1.

    Args:
        error: standard error of the difference. freedom: degrees of freedom of it, above 0.
        clusters: how many are independent of each other; for overlapping templates freedom + 1.
        scale: the most that a cluster's difference can be.
        part: how much of the variance of one episode's difference is left in a cluster's mean (`part_left`).
        flips: whether the test is of sign flips, else it is a t test; by default where the number of clusters is whole.

    Returns:
        At most `scale`. None where not even clusters that all differ alike are significant (p = 2^(1 − clusters)).
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


def detectable_at(error: float, clusters: float, level: float, power: float) -> float:
    """The smallest true difference that sign flips find, where `error` is the one that the estimate of it has.

    δ with δ·√(G − 1) = z_{1−α/2}·√(v + δ²) + z_{power}·√v and v = G·error²: the test compares the mean of clusters with
    their mean square, not with their variance (Connor, Biometrics 43, 1987, for pairs of successes; G − 1 stands for
    his G, as in the variance of a sample). Solved for δ; in 0..1.
    """
    z, beta = normal_quantile(0.5 + level / 2), normal_quantile(power)
    rest = clusters - 1 - z * z
    if rest <= 0:
        return 1.0
    both = beta * math.sqrt(clusters - 1) + z * math.sqrt(rest + beta * beta)
    return min(1.0, math.sqrt(clusters) * error * both / rest)


@dataclass(frozen=True, slots=True)
class Noise:
    """Where the variance of a paired difference comes from, for one task, one instance and one trial of each system.

    Attributes:
        task: variance between tasks of the true difference. instance: between instances of a task.
        trial: of repeating an instance, of both systems together.
        design: how many times larger the variance is because tasks share templates; 1 where they share none.
        freedom: degrees of freedom that a task beyond the first adds; 1 where they share none.
        clusters: independent ones a task; None where templates overlap: one more than there are degrees of freedom.
        known: whether enough differed to tell the levels apart; else each cluster is taken to differ as a whole.
        there: whether these are the variances that systems as far apart as wanted have, as assumptions tell them; a
            pilot's are those of the difference that it had.
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
        """Of the mean difference, of so many tasks, with so many instances of each and trials of each of those.

        design · (task + instance/m + trial/(m·k)) / n: the nested random-effects model (Miller, "Adding error bars to
        evals", 2024, has it without instances).
        """
        return self.design * self._one(instances, trials) / tasks

    def detectable(
        self, tasks: int, instances: int, trials: int, level: float = LEVEL, power: float = 0.8
    ) -> float | None:
        """The smallest difference that a design shows (`detectable`); None where it can show none."""
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
        """The variance of one task's mean."""
        return self.task + self.instance / instances + self.trial / (instances * trials)


def tasks_needed(
    wanted: float, noise: Noise, instances: int, trials: int, level: float = LEVEL, power: float = 0.8
) -> int:
    """The fewest tasks with which a design shows a difference of `wanted`.

    Args:
        wanted: in 0..1, above 0.

    Raises:
        ConfigError: a difference outside 0..1, or one that takes more than ten million tasks.
    """
    if not 0 < wanted < 1:
        raise ConfigError(f"a difference is a share above 0 and below 1, not {wanted:g}")

    def shown(tasks: int) -> bool:
        least = noise.detectable(tasks, instances, trials, level, power)
        return least is not None and least <= wanted

    low, high = 1, 2
    while not shown(high):
        low, high = high, high * 2
        if high > MOST_TASKS:
            raise ConfigError(
                f"a difference of {100 * wanted:g} points takes more than {MOST_TASKS} tasks; want a larger one"
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if shown(middle) else (middle, high)
    return high
