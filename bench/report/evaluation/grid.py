"""What a grid of planners and grounders came to."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.bench.experiments.grid import Grid
from omnipilot.bench.experiments.grid_results import GridResults
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.evaluation.evaluation import DrawnSection, Evaluation
from omnipilot.bench.report.figures_table import further_tables
from omnipilot.bench.report.grid_conclusion import conclude_grid
from omnipilot.bench.report.grid_figure import grid_figure
from omnipilot.bench.report.grid_table import grid_tables, main_tables
from omnipilot.bench.report.run_sentences import suite_words

FIGURE = "grid.svg"


def evaluate_grid(grid: Grid, runs: Sequence[Run], found: GridResults, every: bool = True) -> Evaluation:
    """What a grid came to.

    Args:
        runs: of its cells, in order. found: its results. every: whether all tables are printed, or the main ones.
    """
    labels = tuple(cell.label for cell in grid.cells)
    more = further_tables(labels, [cell.figures for cell in found.all_cells], level=found.level, label="cell")
    said, tables = conclude_grid(found), (*grid_tables(found), *more)
    printed = tables if every else (*main_tables(found), *more)
    section = DrawnSection(
        "Grid", tables, said.sentences, grid_figure(found, suite_words(runs[0].spec.suite.name)), FIGURE
    )
    return Evaluation(said, printed, (section,), tuple(cell.folder for cell in grid.cells), labels)
