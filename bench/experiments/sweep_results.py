"""Results of a sweep: each run's success rate and its difference from the reference, corrected for all comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from omnipilot.bench.journal.run import Run
from omnipilot.bench.scoring.compared_figures import ComparedFigure, compare_runs
from omnipilot.bench.stats.correction import holm
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.stats.paired import POWER, Difference, difference, pair
from omnipilot.bench.stats.summary import Headline, headline


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One run of a sweep.

    Attributes:
        solved: the success rate; None where no episode is finished.
        reference: whether the others are compared with this one.
        difference: this minus the reference, over the pairs (task and instance) that both have; None without common
            pairs and for the reference itself. pairs, tasks: their numbers. left_out: pairs that only one of them has.
        adjusted: Holm's p over all comparisons of the sweep.
        figures: further figures, those that were asked for or the headline of the benchmark; the same in every row.
    """

    run: Run
    solved: Headline | None
    reference: bool = False
    difference: Difference | None = None
    pairs: int = 0
    tasks: int = 0
    left_out: int = 0
    adjusted: float | None = None
    figures: tuple[ComparedFigure, ...] = ()


def rows_of(
    runs: Sequence[Run],
    reference: int = 0,
    level: float = LEVEL,
    power: float = POWER,
    resamples: int = RESAMPLES,
    seed: int = 0,
    figures: Sequence[str] = (),
) -> tuple[SweepRow, ...]:
    """One row per run, in order.

    Args:
        reference: index of the run that the others are compared with.
        figures: names of further figures; by default the headline of the benchmark (`compare_runs`).
    """
    more = compare_runs(runs, figures, reference, level, power, resamples, seed)
    theirs = outcomes(runs[reference].episodes)
    rows = []
    for number, run in enumerate(runs):
        ours = outcomes(run.episodes)
        row = SweepRow(run, headline(ours, level, resamples, seed) if ours else None, number == reference)
        if number != reference:
            pairs, only_a, only_b = pair(theirs, ours)
            found = difference(pairs, level, power, resamples, seed) if pairs else None
            tasks = len({one.task for one in pairs})
            row = replace(row, difference=found, pairs=len(pairs), tasks=tasks, left_out=len(only_a) + len(only_b))
        rows.append(replace(row, figures=more[number]))
    tested = [row.difference.p for row in rows if row.difference is not None and row.difference.p is not None]
    adjusted = iter(holm(tested))
    return tuple(
        replace(row, adjusted=next(adjusted)) if row.difference is not None and row.difference.p is not None else row
        for row in rows
    )
