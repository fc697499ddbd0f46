"""Where outcomes vary: between tasks, between instances of a task, and between trials of an instance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from omnipilot.bench.stats.paired import Pair
from omnipilot.bench.stats.summary import Outcome, cells


@dataclass(frozen=True, slots=True)
class Components:
    """Variances of one level each; their sum is the variance of one episode of a task drawn at random.

    Attributes:
        task, instance, trial: each None where the data cannot tell it from the next: there are fewer than two tasks,
            instances of any task, trials of any instance.
        total: of everything that varies, told apart or not.
    """

    task: float | None
    instance: float | None
    trial: float | None
    total: float


def components(outcomes: Sequence[Outcome]) -> Components:
    """Of one system: an analysis of variance of the nested design, by moments; negative estimates are 0.

    The variance between trials is the pooled one within instances; that between instances what the means of instances
    vary more than trials explain; that between tasks likewise (Searle, Casella and McCulloch, Variance Components).
    """
    found = cells(outcomes)
    trial = _pooled([(_variance(trials), len(trials)) for trials in found.values() if len(trials) > 1])
    means = {key: sum(one.value for one in trials) / len(trials) for key, trials in found.items()}
    return _nested(means, {key: (trial or 0.0) / len(trials) for key, trials in found.items()}, trial)


def paired_components(pairs: Sequence[Pair]) -> Components:
    """Of the difference of two systems; `trial` is that of both systems together, one trial of each.

    Where only one of them has several trials of an instance, the other is taken to vary as much.
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
    """From the means of instances and the variance of each that trials explain."""
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
    """The mean of variances, weighted by their degrees of freedom; None of none."""
    freedom = sum(count - 1 for _, count in found)
    return sum(variance * (count - 1) for variance, count in found) / freedom if freedom else None


def _variance(trials: Sequence[Outcome]) -> float:
    return float(np.var([trial.value for trial in trials], ddof=1))
