"""Figures of several runs, each with its paired difference from one of them, corrected for the number of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from omnipilot.bench.journal.run import Run
from omnipilot.bench.scoring.figure_difference import common_items, figure_difference
from omnipilot.bench.scoring.run_figures import headline_name, run_figures
from omnipilot.bench.scoring.score import Figure
from omnipilot.bench.stats.correction import holm
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES
from omnipilot.bench.stats.paired import POWER, Difference


@dataclass(frozen=True, slots=True)
class ComparedFigure:
    """One figure of one run beside that of the reference.

    Attributes:
        difference: the figure minus the reference's, over the items that both have; None for the reference itself,
            without common items, and for figures without items.
        items: number of common items. adjusted: Holm's p over all rows, for this figure.
    """

    figure: Figure
    difference: Difference | None = None
    items: int = 0
    adjusted: float | None = None


def compare_figures(
    rows: Sequence[Sequence[Figure]],
    reference: int = 0,
    level: float = LEVEL,
    power: float = POWER,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> tuple[tuple[ComparedFigure, ...], ...]:
    """The figures of runs, row by row, each with its difference from the same figure of the reference.

    Figures are corrected one by one: the family of a p-value is the rows, not all figures, since a table's figures are
    views of one outcome and the first is the one that is asked about.

    Args:
        rows: of each run, its figures; the same in every row. reference: index of the row that others are compared to.
    """
    against = rows[reference]
    found = [
        [
            ComparedFigure(figure)
            if number == reference
            else ComparedFigure(
                figure,
                figure_difference(theirs, figure, level, power, resamples, seed),
                len(common_items(theirs, figure)),
            )
            for theirs, figure in zip(against, figures, strict=True)
        ]
        for number, figures in enumerate(rows)
    ]
    for column in range(len(against)):
        tested = [
            (row, one.difference.p)
            for row in found
            if (one := row[column]).difference is not None and one.difference.p is not None
        ]
        for (row, _), adjusted in zip(tested, holm([p for _, p in tested]), strict=True):
            row[column] = replace(row[column], adjusted=adjusted)
    return tuple(map(tuple, found))


def compare_runs(
    runs: Sequence[Run],
    names: Sequence[str] = (),
    reference: int = 0,
    level: float = LEVEL,
    power: float = POWER,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> tuple[tuple[ComparedFigure, ...], ...]:
    """As `compare_figures`, of runs.

    Args:
        names: of figures, see `run_figures`; by default the headline of the runs' benchmark, where that is not SR.

    Raises:
        ConfigError: an unknown name, or a benchmark's data is missing.
    """
    if not names:
        names = [name for name in [headline_name(runs[reference])] if name]
    if not names:
        return tuple(() for _ in runs)
    rows = [
        run_figures(run, names, level=level, resamples=resamples, seed=seed) if run.episodes else () for run in runs
    ]
    return compare_figures(align_figures(rows), reference, level, power, resamples, seed)


def align_figures(rows: Sequence[Sequence[Figure]]) -> list[tuple[Figure, ...]]:
    """The rows of a table with the same figures in each: one that a run lacks is undefined there."""
    every: dict[str, Figure] = {}
    for row in rows:
        for one in row:
            every.setdefault(one.name, one)
    return [
        tuple(
            next(
                (mine for mine in row if mine.name == name),
                replace(one, interval=None, of=0, void=0, valid=None, items=()),
            )
            for name, one in every.items()
        )
        for row in rows
    ]
