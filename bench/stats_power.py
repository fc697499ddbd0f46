"""What a design can show: the smallest difference that it would detect, and how many tasks a difference needs."""

from __future__ import annotations

import math
from dataclasses import dataclass

from omnipilot.bench.stats_intervals import LEVEL, checked
from omnipilot.bench.stats_quantiles import student
from omnipilot.envs.errors import ConfigError

MOST_TASKS = 10_000_000


def detectable(error: float, freedom: float, level: float = LEVEL, power: float = 0.8) -> float:
    """The smallest true difference that a two-sided test at 1 − level finds with this power.

    (t_{1−α/2} + t_{power}) · standard error (Bloom, "Minimum detectable effects", Evaluation Review 19, 1995). Where
    no pair differed the error is not known; it is then that of a difference which goes one way in every pair that
    differs, the smallest error a difference can have: δ = z²/(G + z²) with G = freedom + 1.

    Args:
        error: standard error of the difference. freedom: degrees of freedom of it, above 0.

    Returns:
        At most 1: nothing larger is possible.
    """
    checked(power)
    z = student(0.5 + checked(level) / 2, freedom) + student(power, freedom)
    return min(1.0, z * error) if error else z * z / (freedom + 1 + z * z)


@dataclass(frozen=True, slots=True)
class Noise:
    """Where the variance of a paired difference comes from, for one task, one instance and one trial of each system.

    Attributes:
        task: variance between tasks of the true difference. instance: between instances of a task.
        trial: of repeating an instance, of both systems together.
        design: how many times larger the variance is because tasks share templates; 1 where they share none.
    """

    task: float
    instance: float
    trial: float
    design: float = 1.0

    def variance(self, tasks: int, instances: int, trials: int) -> float:
        """Of the mean difference, of so many tasks, with so many instances of each and trials of each of those.

        design · (task + instance/m + trial/(m·k)) / n: the nested random-effects model (Miller, "Adding error bars to
        evals", 2024, has it without instances).
        """
        return self.design * (self.task + self.instance / instances + self.trial / (instances * trials)) / tasks

    def detectable(self, tasks: int, instances: int, trials: int, level: float = LEVEL, power: float = 0.8) -> float:
        """The smallest difference that a design shows; 1 for fewer than two tasks."""
        freedom = tasks / max(1.0, self.design) - 1
        if freedom <= 0:
            return 1.0
        return detectable(math.sqrt(self.variance(tasks, instances, trials)), freedom, level, power)


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
    low, high = 1, 2
    while noise.detectable(high, instances, trials, level, power) > wanted:
        low, high = high, high * 2
        if high > MOST_TASKS:
            raise ConfigError(
                f"a difference of {100 * wanted:g} points takes more than {MOST_TASKS} tasks; want a larger one"
            )
    while high - low > 1:
        middle = (low + high) // 2
        if noise.detectable(middle, instances, trials, level, power) > wanted:
            low = middle
        else:
            high = middle
    return high
