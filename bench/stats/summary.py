"""Figures of one system with their intervals, instances and trials kept apart.

An instance is another task content, a trial the same once more. Both are averaged over, but neither is taken for
another task: intervals say how the figure would move with other tasks of the same kind (`mean_interval`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES, Interval, mean_interval
from omnipilot.bench.stats.trials import pass_all, pass_at
from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one episode, as one figure.

    Attributes:
        value: of the figure, in 0..`most`; 0 where it is void.
        void: a device or a model was lost; it says nothing about the agent.
        templates: sub-task templates that the task is made of; none where the suite has none.
        most: that the figure can be: 1 for shares, infinite for what is none, as completion by tokens.
    """

    task: str
    instance: int
    trial: int
    value: float
    void: bool = False
    templates: tuple[str, ...] = ()
    most: float = 1.0

    @property
    def cell(self) -> tuple[str, int]:
        """The task and the instance: what is repeated in trials, and paired between systems."""
        return self.task, self.instance


@dataclass(frozen=True, slots=True)
class Headline:
    """A figure with its interval, twice: void episodes as zero, and without them.

    Attributes:
        all: every episode counts, a void one as zero. This is the figure.
        valid: without void episodes; None where all are void, and equal to `all` where none is.
        void: how many.
    """

    all: Interval
    valid: Interval | None
    void: int


def headline(outcomes: Sequence[Outcome], level: float = LEVEL, resamples: int = RESAMPLES, seed: int = 0) -> Headline:
    """The mean of a figure over all episodes.

    Raises:
        ConfigError: there is no episode.
    """
    _some(outcomes)
    valid = [outcome for outcome in outcomes if not outcome.void]
    every = _interval(outcomes, level, resamples, seed)
    if len(valid) == len(outcomes):
        return Headline(every, every, 0)
    rest = _interval(valid, level, resamples, seed) if valid else None
    return Headline(every, rest, len(outcomes) - len(valid))


def at_k(
    outcomes: Sequence[Outcome], k: int, level: float = LEVEL, resamples: int = RESAMPLES, seed: int = 0
) -> Interval:
    """pass@k: the mean over instances of the chance that at least one of k trials succeeds; void ones fail.

    Raises:
        ConfigError: an instance has fewer than k trials, or an outcome is neither 0 nor 1.
    """
    return _over_trials(outcomes, pass_at, k, level, resamples, seed)


def all_k(
    outcomes: Sequence[Outcome], k: int, level: float = LEVEL, resamples: int = RESAMPLES, seed: int = 0
) -> Interval:
    """pass^k: the mean over instances of the chance that all of k trials succeed; void ones fail.

    Raises:
        ConfigError: an instance has fewer than k trials, or an outcome is neither 0 nor 1.
    """
    return _over_trials(outcomes, pass_all, k, level, resamples, seed)


def cells(outcomes: Sequence[Outcome]) -> dict[tuple[str, int], list[Outcome]]:
    """The trials of each instance of each task, in order."""
    found: dict[tuple[str, int], list[Outcome]] = {}
    for outcome in sorted(outcomes, key=lambda o: (o.task, o.instance, o.trial)):
        found.setdefault(outcome.cell, []).append(outcome)
    return found


def per_instance(outcomes: Sequence[Outcome], estimate: Callable[[int, int, int], float], k: int) -> list[Outcome]:
    """One outcome an instance: what `estimate(successes, trials, k)` makes of its trials.

    Raises:
        ConfigError: an instance has fewer than k trials, or an outcome is neither 0 nor 1.
    """
    found = []
    for (task, instance), trials in cells(outcomes).items():
        if any(trial.value not in (0.0, 1.0) for trial in trials):
            raise ConfigError(f"pass@k and pass^k are of successes; {task}#{instance} has an outcome between 0 and 1")
        if len(trials) < k:
            raise ConfigError(
                f"k = {k} needs {k} trials of each instance, and {task}#{instance} has {len(trials)}; "
                f"run with --trials {k}, or ask for a smaller k"
            )
        value = estimate(round(sum(trial.value for trial in trials)), len(trials), k)
        found.append(Outcome(task, instance, 0, value, templates=trials[0].templates))
    return found


def _over_trials(
    outcomes: Sequence[Outcome],
    estimate: Callable[[int, int, int], float],
    k: int,
    level: float,
    resamples: int,
    seed: int,
) -> Interval:
    _some(outcomes)
    if k < 1:
        raise ConfigError(f"k is at least 1, not {k}")
    return _interval(per_instance(outcomes, estimate, k), level, resamples, seed)


def _interval(outcomes: Sequence[Outcome], level: float, resamples: int, seed: int) -> Interval:
    clusters = cluster([o.task for o in outcomes], [o.templates for o in outcomes])
    values = np.array([o.value for o in outcomes], dtype=float)
    return mean_interval(values, clusters, (0.0, max(o.most for o in outcomes)), level, resamples, seed)


def _some(outcomes: Sequence[Outcome]) -> None:
    if not outcomes:
        raise ConfigError("there is no finished episode to judge; start the run again to finish it")
