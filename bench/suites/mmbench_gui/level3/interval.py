"""Intervals for EQA and figures derived from it: a bootstrap of whole tasks, in which tasks keep their order.

EQA is no mean of tasks: what one costs moves all that come after it. So tasks are drawn with replacement within their
platform, put in the order of their ids, and everything is computed anew.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from omnipilot.bench.scoring.eqa import Attempt, Form, eqa_as_given, in_order, limit_attempts, success_rate
from omnipilot.bench.stats.intervals import LEVEL, Interval, expanded_tail, wilson
from omnipilot.bench.stats.quantiles import t_quantile
from omnipilot.bench.stats.ratio import mean_of
from omnipilot.bench.suites.mmbench_gui.level3.metrics import PlatformRow, average

AVERAGE = "average"
NAMES = ("SR", "EQA", "EQ1", "EQ2")


@dataclass(frozen=True, slots=True)
class Scores:
    """SR, EQA, EQ¹ and EQ² with intervals, for one platform or on average; None where undefined."""

    tasks: int
    void: int
    figures: Mapping[str, Interval | None]


def scores(
    trials: Sequence[Sequence[Attempt]],
    clusters: Mapping[str, str],
    limit: int,
    form: Form = "release",
    level: float = LEVEL,
    resamples: int | None = None,
    seed: int = 0,
    noun: str = "tasks",
) -> dict[str, Scores]:
    """The rows of table 3 by platform, and `AVERAGE`, which weights platforms by tasks; means over trials.

    Args:
        trials: the attempts of each, one a task. clusters: of each task. resamples: None for `resamples_of`.
        noun: what clusters are.
    """
    resamples = resamples_of(trials) if resamples is None else resamples
    ordered = [in_order(limit_attempts(trial, limit, form)) for trial in trials]
    platforms = sorted({one.platform for trial in ordered for one in trial})
    chance = np.random.default_rng(seed)
    estimates: dict[str, PlatformRow] = {}
    draws: dict[str, list[PlatformRow]] = {}
    counts: dict[str, tuple[int, int]] = {}
    for platform in platforms:
        own = [[one for one in trial if one.platform == platform] for trial in ordered]
        names = sorted({clusters[one.task] for trial in own for one in trial})
        number = {name: place for place, name in enumerate(names)}
        numbered = [[(number[clusters[one.task]], one) for one in trial] for trial in own]
        counts[platform] = len(names), sum(map(len, own))
        estimates[platform] = _row(own, limit, form)
        draws[platform] = []
        for times in chance.multinomial(len(names), np.full(len(names), 1 / len(names)), resamples):
            drawn = [[one for place, one in trial for _ in range(times[place])] for trial in numbered]
            draws[platform].append(_row(drawn, limit, form))
    found: dict[str, Scores] = {}
    for platform in platforms:
        found[platform] = _scores(estimates[platform], draws[platform], *counts[platform], 1, level, noun)
    rows = [average(dict(zip(platforms, each, strict=True))) for each in zip(*draws.values(), strict=True)]
    tasks, units = (sum(each) for each in zip(*counts.values(), strict=True))
    found[AVERAGE] = _scores(average(estimates), rows, tasks, units, len(platforms), level, noun)
    return {name: _with_rate(row, name, ordered, clusters, level, noun) for name, row in found.items()}


def resamples_of(trials: Sequence[Sequence[Attempt]]) -> int:
    """The number of resamples that takes seconds: 4,000 for few attempts, 1,000 for many."""
    return min(4_000, max(1_000, 500_000 // max(1, sum(map(len, trials)))))


def _with_rate(
    row: Scores,
    platform: str,
    trials: Sequence[Sequence[Attempt]],
    clusters: Mapping[str, str],
    level: float,
    noun: str,
) -> Scores:
    """Replace SR's interval by that of a plain mean, which does not depend on order."""
    own = [one for trial in trials for one in trial if platform in (AVERAGE, one.platform)]
    names = [f"{one.platform}/{clusters[one.task]}" for one in own]
    rate = mean_of([float(one.solved) for one in own], names, noun, level)
    return replace(row, figures={**row.figures, "SR": rate})


def _row(trials: Sequence[Sequence[Attempt]], limit: int, form: Form) -> PlatformRow:
    """The mean SR and EQA of one platform over the trials that still have attempts for it."""
    trials = [trial for trial in trials if trial]
    rates = [success_rate(trial) or 0.0 for trial in trials]
    areas = [eqa_as_given(trial, limit, form) for trial in trials]
    void = sum(one.void for trial in trials for one in trial)
    return PlatformRow(max(map(len, trials)), void, math.fsum(rates) / len(trials), math.fsum(areas) / len(trials))


def _scores(
    row: PlatformRow, draws: Sequence[PlatformRow], clusters: int, units: int, strata: int, level: float, noun: str
) -> Scores:
    return Scores(
        row.tasks,
        row.void,
        {
            name: _interval(value, [_values(one)[name] for one in draws], clusters, units, strata, level, noun)
            for name, value in _values(row).items()
        },
    )


def _values(row: PlatformRow) -> dict[str, float | None]:
    return dict(zip(NAMES, (row.success, row.eqa, row.eq1, row.eq2), strict=True))


def _interval(
    estimate: float | None,
    draws: Sequence[float | None],
    clusters: int,
    units: int,
    strata: int,
    level: float,
    noun: str,
) -> Interval | None:
    """Expanded percentiles, or Student's t if there are too few tasks for them, as in `mean_interval`."""
    if estimate is None:
        return None
    words = f"{clusters} {noun}" + (f" in {strata} platforms" if strata > 1 else "") + ", order kept"

    def made(low: float | None, high: float | None, method: str) -> Interval:
        return Interval(estimate, low, high, level, method, units, clusters)

    results: NDArray[np.float64] = np.array([draw for draw in draws if draw is not None])
    freedom = clusters - strata
    if freedom < 1:
        return made(None, None, f"none, as {words}, {'is' if clusters == 1 else 'are'} too few")
    if len(results) < 0.95 * len(draws):
        share = 100 * (1 - len(results) / len(draws))
        return made(None, None, f"none, as nothing succeeded in {share:.0f} % of resamples")
    spread = float(results.std())
    if spread <= 1e-12:
        share = wilson(0, clusters, level)[1]
        return made(estimate * (1 - share), estimate + (1 - estimate) * share, f"Wilson over {words}, all alike")
    tail = expanded_tail(freedom, clusters / freedom, len(results), level)
    if tail is None:
        half = t_quantile(0.5 + level / 2, freedom) * spread * math.sqrt(clusters / freedom)
        return made(max(0.0, estimate - half), min(1.0, estimate + half), f"bootstrap error and t, {words}")
    low, high = np.quantile(results, (tail, 1 - tail))
    return made(float(low), float(high), f"bootstrap of {words}")
