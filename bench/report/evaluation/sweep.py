"""What a sweep came to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from omnipilot.bench.experiments.sweep import Sweep
from omnipilot.bench.experiments.sweep_results import SweepRow
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.conclusions import conclude_sweep
from omnipilot.bench.report.evaluation.evaluation import DrawnSection, Evaluation
from omnipilot.bench.report.figures_table import further_tables
from omnipilot.bench.report.headline_table import interval_table
from omnipilot.bench.report.run_sentences import suite_words
from omnipilot.bench.report.sweep_figure import sweep_figure
from omnipilot.bench.report.sweep_table import sweep_table
from omnipilot.bench.run.task_selection import tasks_available

FIGURE = "sweep.svg"


def evaluate_sweep(
    sweep: Sweep, runs: Sequence[Run], rows: Sequence[SweepRow], level: float, power: float, most: int | None = None
) -> Evaluation:
    """What a sweep came to.

    Args:
        runs: of its cells, in order. rows: its results. level, power: as for the rows.
        most: rows besides the reference that are printed; None for all.
    """
    table, few = (sweep_table(rows, sweep.axes, level, power, count) for count in (None, most))
    said = conclude_sweep(rows, level, power, tasks_available(runs[0].spec))
    labels = tuple(cell.label for cell in sweep.cells)
    more = further_tables(labels, [row.figures for row in rows], sweep.reference, level, "cell")
    others = interval_table(runs, level)
    others = replace(others, notes=(*others.notes, "CR, EE and CE: CRAB, variant paper"))
    figure = sweep_figure(rows, sweep.axes, suite_words(runs[0].spec.suite.name), level)
    section = DrawnSection("Sweep", (table, *more, others), said.sentences, figure, FIGURE)
    return Evaluation(said, (few, *more), (section,), tuple(cell.folder for cell in sweep.cells), labels)
