"""Figures of one system with their intervals.

An instance is the same task with other content; a trial repeats an instance. Both are averaged over, but neither counts
as a task of its own: intervals say how the figure would vary with other tasks of the same kind (`mean_interval`).
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
class EpisodeOutcome:
    """One figure of one episode.

    Attributes:
        value: in 0..`most`; 0 where the episode is void.
        void: a device or a model failed, so the episode says nothing about the agent.
        templates: sub-task templates that the task is made of; empty where the suite has none.
        most: upper bound of the figure: 1 for shares, infinite for figures without one, such as completion per token.
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
        """The task and the instance: what trials repeat, and what is paired between systems."""
        return self.task, self.instance


@dataclass(frozen=True, slots=True)
class Headline:
    """A figure with its interval, twice: void episodes as zero, and without them.

    Attributes:
        all: over every episode, void ones counting 0. This is the figure to report.
        valid: without void episodes; None if all are void, and equal to `all` if none is.
        void: number of void episodes.
    """

    all: Interval
    valid: Interval | None
    void: int


def headline(
    outcomes: Sequence[EpisodeOutcome], level: float = LEVEL, resamples: int = RESAMPLES, seed: int = 0
) -> Headline:
    """The mean of a figure over all episodes, with its interval (`mean_interval`).

    Raises:
        ConfigError: there is no episode.
    """
    _require_outcomes(outcomes)
    valid = [outcome for outcome in outcomes if not outcome.void]
    every = _interval(outcomes, level, resamples, seed)
    if len(valid) == len(outcomes):
        return Headline(every, every, 0)
    rest = _interval(valid, level, resamples, seed) if valid else None
    return Headline(every, rest, len(outcomes) - len(valid))


def at_k(
    outcomes: Sequence[EpisodeOutcome], k: int, level: float = LEVEL, resamples: int = RESAMPLES, seed: int = 0
) -> Interval:
    """pass@k: the mean over instances of the chance that at least one of k trials succeeds; void trials fail.

    Raises:
        ConfigError: an instance has fewer than k trials, or an outcome is neither 0 nor 1.
    """
    return _over_trials(outcomes, pass_at, k, level, resamples, seed)


def all_k(
    outcomes: Sequence[EpisodeOutcome], k: int, level: float = LEVEL, resamples: int = RESAMPLES, seed: int = 0
) -> Interval:
    """pass^k: the mean over instances of the chance that all of k trials succeed; void trials fail.

    Raises:
        ConfigError: an instance has fewer than k trials, or an outcome is neither 0 nor 1.
    """
    return _over_trials(outcomes, pass_all, k, level, resamples, seed)


def fewest_trials(outcomes: Sequence[EpisodeOutcome]) -> int:
    """The smallest number of trials that an instance has; 0 without outcomes."""
    return min((len(trials) for trials in cells(outcomes).values()), default=0)


def cells(outcomes: Sequence[EpisodeOutcome]) -> dict[tuple[str, int], list[EpisodeOutcome]]:
    """The trials of each instance of each task, sorted by task, instance and trial."""
    found: dict[tuple[str, int], list[EpisodeOutcome]] = {}
    for outcome in sorted(outcomes, key=lambda o: (o.task, o.instance, o.trial)):
        found.setdefault(outcome.cell, []).append(outcome)
    return found


def per_instance(
    outcomes: Sequence[EpisodeOutcome], estimate: Callable[[int, int, int], float], k: int
) -> list[EpisodeOutcome]:
    """One outcome per instance, with the value `estimate(successes, trials, k)`.

    Raises:
        ConfigError: an instance has fewer than k trials, or an outcome is neither 0 nor 1.
    """
    found = []
    for (task, instance), trials in cells(outcomes).items():
        if any(trial.value not in (0.0, 1.0) for trial in trials):
            raise ConfigError(f"pass@k and pass^k are for successes; {task}#{instance} has a value between 0 and 1")
        if len(trials) < k:
            raise ConfigError(
                f"k = {k} needs {k} trials of each instance, and {task}#{instance} has {len(trials)}; "
                f"run with --trials {k}, or ask for a smaller k"
            )
        value = estimate(round(sum(trial.value for trial in trials)), len(trials), k)
        found.append(EpisodeOutcome(task, instance, 0, value, templates=trials[0].templates))
    return found


def _over_trials(
    outcomes: Sequence[EpisodeOutcome],
    estimate: Callable[[int, int, int], float],
    k: int,
    level: float,
    resamples: int,
    seed: int,
) -> Interval:
    _require_outcomes(outcomes)
    if k < 1:
        raise ConfigError(f"k is at least 1, not {k}")
    return _interval(per_instance(outcomes, estimate, k), level, resamples, seed)


def _interval(outcomes: Sequence[EpisodeOutcome], level: float, resamples: int, seed: int) -> Interval:
    clusters = cluster([o.task for o in outcomes], [o.templates for o in outcomes])
    values = np.array([o.value for o in outcomes], dtype=float)
    return mean_interval(values, clusters, (0.0, max(o.most for o in outcomes)), level, resamples, seed)


def _require_outcomes(outcomes: Sequence[EpisodeOutcome]) -> None:
    if not outcomes:
        raise ConfigError("there is no finished episode that was judged; start the run again to finish it")
