"""The slope of success in pointing accuracy over cells that were played on the same tasks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omnipilot.bench.stats.clusters import Clusters
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES, Interval, mean_interval

Array = NDArray[np.float64]

RELIABLE = 0.8
"""With a smaller share of the variation among accuracies that is real, no slope is told: it would be divided by chance.
Of two cells with the same true accuracy, one pair in forty passes."""
_STEP = 1e-5
"""Of numerical derivatives; accuracies and rates are in 0..1."""


@dataclass(frozen=True, slots=True)
class Dose:
    """What a slope is computed from: cells on the same units.

    Attributes:
        solved: share of trials solved, shape (units, cells), in 0..1.
        right, told: places that the grounder pointed at rightly, and those for which it can be told, sums over trials;
            shape (units, cells).
        clusters: of the units.
    """

    solved: Array
    right: Array
    told: Array
    clusters: Clusters

    def of(self, cells: Sequence[int]) -> Dose:
        """The same for some of the cells."""
        chosen = list(cells)
        return Dose(self.solved[:, chosen], self.right[:, chosen], self.told[:, chosen], self.clusters)


@dataclass(frozen=True, slots=True)
class Slope:
    """A straight line through cells: success against pointing accuracy.

    Attributes:
        cells: how many the line goes through. least, most: their lowest and highest accuracy, in 0..1.
        slope: points of success for each point of accuracy; None where it cannot be told, and `why` says why.
        intercepts: where the line meets accuracy 0, for each group, in the order in which groups appear.
        reliability: the share of the variation among measured accuracies, within groups, that is not chance; 1 if all
            is real, 0 or below if chance explains all of it.
        explained: R², the share of the variation of success within groups that the line explains; None if there is
            none to explain.
        bend: by how much steeper the best parabola is at the highest accuracy than at the lowest; its interval shows
            whether the line is straight. None with too few cells.
    """

    cells: int
    least: float | None
    most: float | None
    slope: Interval | None
    why: str = ""
    intercepts: tuple[float, ...] = ()
    reliability: float = 0.0
    explained: float | None = None
    bend: Interval | None = None


def slope_of(
    dose: Dose,
    groups: Sequence[int] = (),
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Slope:
    """Least squares of the cells' success rates on their pointing accuracies, one intercept for each group.

    The accuracy of a cell, Σ right / Σ told, is measured in the same episodes as its success, so it has errors too, and
    plain least squares would be drawn towards 0 and towards whatever the two errors share. Both are corrected by
    moments: the expected products of the errors, from the covariance of the cells' figures between tasks, are taken off
    the sums of squares and products (Fuller, Measurement Error Models, 1987, §1.2 and §3.1). Cells share tasks, so much
    of the error is common to all and drops out. Where chance explains more than a fifth of the variation among
    accuracies, no slope is told (`RELIABLE`).

    The interval is for other tasks of the same kind and for these planners and grounders: tasks, or groups of tasks,
    are resampled with success and accuracy of all cells together. To that end the slope is linearised in the units
    (the infinitesimal jackknife: Efron, Biometrika 68, 1981), which makes it a mean, and has that mean's interval
    (`mean_interval`); so it holds for tasks that share templates as well. The correction counts as known.
    `explained` and `bend` are not corrected.

    Args:
        groups: of each cell, such as its planner. Default: one group.
        level: in 0.5..1. resamples, seed: of the bootstrap.

    Raises:
        ConfigError: the level is not from 0.5 to below 1.
    """
    told = dose.told.sum(axis=0) > 0
    kept = [int(index) for index in np.flatnonzero(told)]
    names = [0] * len(told) if not groups else list(groups)
    x, y, error_x, error_y = _figures(dose.of(kept))
    group = np.array([names[index] for index in kept], dtype=int)
    least, most = (float(x.min()), float(x.max())) if len(x) else (None, None)
    unmixed = _centring(group)
    # Exactly equal accuracies leave a sum of squares that is only rounding.
    squares = float(x @ unmixed @ x)
    if np.trace(unmixed) < 0.5 or squares < 1e-12:
        return Slope(len(x), least, most, None, _why(len(told), len(x), len(set(group.tolist()))))
    covariance = _covariance(np.concatenate([error_x, error_y], axis=1), dose.clusters)
    k = len(x)
    if covariance is None:
        return Slope(k, least, most, None, f"there is only {dose.clusters.words}")
    chance_x, chance_xy = (float(np.sum(unmixed * part)) for part in (covariance[:k, :k], covariance[:k, k:]))
    reliability = 1 - chance_x / squares
    if reliability < RELIABLE:
        why = f"the accuracies ({100 * x.min():.1f} to {100 * x.max():.1f} %) differ by little more than chance"
        return Slope(k, least, most, None, why, reliability=reliability)
    estimate = (float(x @ unmixed @ y) - chance_xy) / (squares - chance_x)
    rest = unmixed @ (y - estimate * x)
    along = unmixed @ x
    influence = ((error_y - estimate * error_x) @ along + error_x @ rest) / (squares - chance_x)
    slope = mean_interval(estimate + influence, dose.clusters, (-math.inf, math.inf), level, resamples, seed)
    total = float(y @ unmixed @ y)
    fitted = float(x @ unmixed @ y) ** 2 / squares
    return Slope(
        k,
        least,
        most,
        slope,
        intercepts=tuple(float((y - estimate * x)[group == name].mean()) for name in dict.fromkeys(group.tolist())),
        reliability=reliability,
        explained=fitted / total if total > 1e-12 else None,
        bend=_bend(x, y, error_x, error_y, group, dose.clusters, level, resamples, seed),
    )


def _figures(dose: Dose) -> tuple[Array, Array, Array, Array]:
    """Accuracy and success of cells, shape (cells,), and what each unit adds to their errors, shape (units, cells).

    The errors of the units have the mean 0; they are the derivatives of the figures by the units' weights.
    """
    x = dose.right.sum(axis=0) / dose.told.sum(axis=0)
    y = dose.solved.mean(axis=0)
    return x, y, (dose.right - x * dose.told) / dose.told.mean(axis=0), dose.solved - y


def _centring(group: NDArray[np.int64]) -> Array:
    """The matrix that takes the mean of its group off each value, shape (cells, cells)."""
    same = (group[:, None] == group[None, :]).astype(float)
    return np.asarray(np.eye(len(group)) - same / np.maximum(1, same.sum(axis=1, keepdims=True)))


def _covariance(errors: Array, clusters: Clusters) -> Array | None:
    """The covariance of means of units, from their sums over clusters; None for fewer than two clusters.

    Of tasks with overlapping templates each is a cluster here: what templates have in common is in the slope's
    interval, and not in the correction of its estimate.
    """
    if clusters.count < 2:
        return None
    sums = np.stack([clusters.sums(column) for column in errors.T], axis=1) / len(errors)
    return np.asarray(clusters.count / (clusters.count - 1) * sums.T @ sums)


def _bend(
    x: Array,
    y: Array,
    error_x: Array,
    error_y: Array,
    group: NDArray[np.int64],
    clusters: Clusters,
    level: float,
    resamples: int,
    seed: int,
) -> Interval | None:
    """`Slope.bend`, by derivatives of the fit; None unless there are more cells than the parabola has parameters."""
    unmixed, span = _centring(group), float(np.ptp(x))
    if np.trace(unmixed) < 2.5:
        return None

    def bend(at: Array) -> float:
        accuracy, success = np.split(at, 2)
        centre = accuracy - accuracy.mean()
        design = unmixed @ np.stack([centre, centre**2], axis=1)
        found, _, rank, _ = np.linalg.lstsq(design, unmixed @ success, rcond=1e-8)
        return float(2 * found[1] * span) if rank == 2 else math.nan

    at = np.concatenate([x, y])
    steps = _STEP * np.eye(len(at))
    gradient = np.array([(bend(at + step) - bend(at - step)) / (2 * _STEP) for step in steps])
    estimate = bend(at)
    if not np.isfinite(gradient).all() or math.isnan(estimate):
        return None
    influence = np.concatenate([error_x, error_y], axis=1) @ gradient
    return mean_interval(estimate + influence, clusters, (-math.inf, math.inf), level, resamples, seed)


def _why(cells: int, told: int, groups: int) -> str:
    """Why there is no line, in words."""
    if cells < 2:
        return "it takes two cells"
    if told < 2:
        return f"the pointing accuracy of {'only one' if told else 'no'} cell is known"
    if told == groups:
        return "each planner has only one cell"
    return "all accuracies are equal"
