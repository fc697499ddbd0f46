"""Variance components: between tasks, between instances of a task, and between trials of an instance.

statsmodels' `MixedLM` fits the same model by restricted likelihood, with the same result for balanced designs
(tests/bench/stats/test_beside_libraries.py). It takes over a second for the import and another for a fit, and warns of
a boundary where a component is about 0, as is common with outcomes of 0 and 1; moments are sums.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from omnipilot.bench.stats.paired import Pair
from omnipilot.bench.stats.summary import EpisodeOutcome, cells


@dataclass(frozen=True, slots=True)
class Components:
    """The variance at each level, in squared units of the figure.

    Attributes:
        task, instance, trial: None where the data do not determine it: there are fewer than two tasks, no task has two
            instances, or no instance two trials. Its variance is then part of the level above.
        total: their sum, the variance of one episode of a task drawn at random.
    """

    task: float | None
    instance: float | None
    trial: float | None
    total: float


def components(outcomes: Sequence[EpisodeOutcome]) -> Components:
    """The variance components of one system, by the method of moments; negative estimates become 0.

    Between trials it is the pooled variance within instances; between instances, the variance of their means minus what
    trials contribute to it; between tasks likewise (nested analysis of variance: Searle, Casella and McCulloch,
    Variance Components, 1992).

    Args:
        outcomes: of one system, at least one.
    """
    found = cells(outcomes)
    trial = _pooled([(_variance(trials), len(trials)) for trials in found.values() if len(trials) > 1])
    means = {key: sum(one.value for one in trials) / len(trials) for key, trials in found.items()}
    return _nested(means, {key: (trial or 0.0) / len(trials) for key, trials in found.items()}, trial)


def paired_components(pairs: Sequence[Pair]) -> Components:
    """The variance components of the difference of two systems; `trial` is that of one trial of each, added up.

    If only one of the systems has instances with several trials, the other is assumed to vary as much.

    Args:
        pairs: at least one.
    """
    in_a = _pooled([(_variance(one.a), len(one.a)) for one in pairs if len(one.a) > 1])
    in_b = _pooled([(_variance(one.b), len(one.b)) for one in pairs if len(one.b) > 1])
    a, b = (in_b if in_a is None else in_a) or 0.0, (in_a if in_b is None else in_b) or 0.0
    means = {(one.task, one.instance): one.difference for one in pairs}
    sampling = {(one.task, one.instance): a / len(one.a) + b / len(one.b) for one in pairs}
    return _nested(means, sampling, None if in_a is None and in_b is None else a + b)


def _nested(
    means: Mapping[tuple[str, int], float], sampling: Mapping[tuple[str, int], float], trial: float | None
) -> Components:
    """Components from the means of instances and the part of the variance of each that comes from trials."""
    tasks: dict[str, list[tuple[float, float]]] = {}
    for (task, number), mean in means.items():
        tasks.setdefault(task, []).append((mean, sampling[task, number]))
    within = [(float(np.var([m for m, _ in found], ddof=1)), len(found)) for found in tasks.values() if len(found) > 1]
    between = _pooled(within)
    instance = None
    if between is not None:
        explained = [s for found in tasks.values() if len(found) > 1 for _, s in found]
        instance = max(0.0, between - float(np.mean(explained)))
    centres = [float(np.mean([m for m, _ in found])) for found in tasks.values()]
    between_tasks = None
    if len(centres) > 1:
        rest = [(sum(s for _, s in found) / len(found) + (instance or 0.0)) / len(found) for found in tasks.values()]
        between_tasks = max(0.0, float(np.var(centres, ddof=1)) - float(np.mean(rest)))
    return Components(between_tasks, instance, trial, (between_tasks or 0.0) + (instance or 0.0) + (trial or 0.0))


def _pooled(found: Sequence[tuple[float, int]]) -> float | None:
    """The mean of (variance, count) weighted by degrees of freedom; None if there are none."""
    freedom = sum(count - 1 for _, count in found)
    return sum(variance * (count - 1) for variance, count in found) / freedom if freedom else None


def _variance(trials: Sequence[EpisodeOutcome]) -> float:
    return float(np.var([trial.value for trial in trials], ddof=1))
