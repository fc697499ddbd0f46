"""The curve that EQA is the area under (MMBench-GUI, equation 10 and figure 5), as a mean over orders of the tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from omnipilot.bench.journal.results import Episode
from omnipilot.bench.scoring.efficiency import attempt, expected_eqa
from omnipilot.envs import ConfigError

POINTS = 201
ORDERS = 500


@dataclass(frozen=True, slots=True)
class Curve:
    """SR reached against the share of the budget spent.

    Attributes:
        spent: from 0 to 1. reached: R(u) there, in 0..1, never falling.
        area: under the curve, in 0..1: EQA. end: the share of the budget that all tasks together took.
    """

    spent: tuple[float, ...]
    reached: tuple[float, ...]
    area: float
    end: float


def eqa_curve(episodes: Sequence[Episode], orders: int = ORDERS, seed: int = 0) -> Curve:
    """The mean of R(u) of equation 10 over random orders of the tasks; of several trials, one is drawn for each order.

    Each order is taken forwards and backwards. In such a pair a task is on average over when its own cost and half of
    all others' are spent, so with single trials the area under the mean is EQA exactly, whatever orders are drawn.

    Args:
        orders: how many pairs. seed: equal seeds give equal curves.

    Raises:
        ConfigError: there is no episode, or one has no turn limit.
    """
    area = expected_eqa(episodes)
    if area is None:
        raise ConfigError("there is no finished episode to draw a curve of; start the run again to finish it")
    trials: dict[str, list[tuple[float, bool]]] = {}
    for one in map(attempt, sorted(episodes, key=lambda e: (e.task, e.instance, e.trial))):
        trials.setdefault(one.task, []).append((one.steps / (one.limit or 1), one.solved))
    units, count = list(trials.values()), len(trials)
    chance = np.random.default_rng(seed)
    reached = np.zeros(POINTS)
    grid = np.linspace(0.0, 1.0, POINTS)
    for _ in range(orders):
        drawn = [unit[chance.integers(len(unit))] if len(unit) > 1 else unit[0] for unit in units]
        order = chance.permutation(count)
        cost, solved = (np.array(column, dtype=float)[order] for column in zip(*drawn, strict=True))
        for spent, won in ((cost, solved), (cost[::-1], solved[::-1])):
            ends = np.cumsum(spent)[won > 0] / count
            # The tolerance keeps a task that ends on a point of the grid there, whatever was rounded.
            reached += np.searchsorted(ends, grid + 1e-9, side="right")
    reached /= 2 * orders * count
    end = float(np.mean([np.mean([spent for spent, _ in unit]) for unit in units]))
    return Curve(tuple(map(float, grid)), tuple(map(float, reached)), area, end)
