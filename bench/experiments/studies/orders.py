"""How much a score hangs on the order in which the same task is told (OmniBench, table 8)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

import numpy as np

from omnipilot.bench.journal.results import Episode
from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.intervals import LEVEL, Interval, mean_interval
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError

PAPER = "OmniBench: people 1.95; models 2.58 to 12.9 (table 8)"
LEAST_GRAPHS, LEAST_WORDINGS = 10, 3
"""The paper's design: at least ten graphs, three wordings of each."""


@dataclass(frozen=True, slots=True)
class OrderSensitivity:
    """What the order of words does to a score.

    Attributes:
        wordings: how many of each graph. graphs: how many of them were played in all wordings.
        deviation: mean over graphs of the standard deviation (n - 1) of the score over its wordings, 0..1.
        scores: the mean score with each wording. apart: the graphs whose deviation is largest, most first.
    """

    wordings: int
    graphs: int
    deviation: Interval
    scores: Mapping[str, float]
    apart: tuple[tuple[str, float], ...]


def order_sensitivity(
    runs: Mapping[str, Sequence[Episode]], figure: str = "CR", level: float = LEVEL
) -> OrderSensitivity:
    """Compare runs of the same tasks, each with its own wording.

    Args:
        runs: the episodes by the name of their wording; a graph's score is the mean over its instances and trials.

    Raises:
        ConfigError: fewer than three wordings, or fewer than ten graphs that all of them have.
    """
    if len(runs) < LEAST_WORDINGS:
        raise ConfigError(f"order sensitivity needs at least {LEAST_WORDINGS} wordings, not {len(runs)}")
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    templates: dict[str, tuple[str, ...]] = {}
    for name, episodes in runs.items():
        by_task: dict[str, list[float]] = defaultdict(list)
        for one in outcomes(episodes, figure):
            by_task[one.task].append(one.value)
            templates[one.task] = one.templates
        for task, values in by_task.items():
            scores[task][name] = fmean(values)
    common = {task: said for task, said in scores.items() if len(said) == len(runs)}
    if len(common) < LEAST_GRAPHS:
        raise ConfigError(
            f"order sensitivity needs at least {LEAST_GRAPHS} graphs played in every wording, not {len(common)}"
        )
    spreads = {task: stdev(said.values()) for task, said in common.items()}
    tasks = list(spreads)
    interval = mean_interval(
        np.array([spreads[task] for task in tasks]), cluster(tasks, [templates[task] for task in tasks]), level=level
    )
    return OrderSensitivity(
        len(runs),
        len(common),
        interval,
        {name: fmean(said[name] for said in common.values()) for name in runs},
        tuple(sorted(spreads.items(), key=lambda item: -item[1])),
    )


def orders_table(found: OrderSensitivity, figure: str = "CR") -> Table:
    """One row a wording, and what their order does in the notes."""
    return Table(
        ("wording", figure),
        tuple((name, f"{100 * score:.1f}") for name, score in found.scores.items()),
        (
            f"standard deviation over {found.wordings} wordings, mean over {found.graphs} graphs: "
            f"{found.deviation.text()} points",
            PAPER,
        ),
    )
