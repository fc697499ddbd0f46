"""A grid as one picture, after figure 4 of MMBench-GUI: planners and grounders in turn held fixed, and success against
pointing accuracy."""

from __future__ import annotations

from omnipilot.bench.experiments.grid_results import GridCell, GridResults
from omnipilot.bench.report.figures.records import (
    Dot,
    FigureSpec,
    Forest,
    Missing,
    Panel,
    Scatter,
    Spot,
    drawn_intervals,
)
from omnipilot.bench.stats.intervals import Interval


def grid_figure(found: GridResults, suite: str = "") -> FigureSpec:
    """The success rate of every cell twice, and below, success against pointing accuracy.

    On the left stand the grounders of each planner, on the right the planners of each grounder. A planner has one
    colour and one shape everywhere.
    """
    left = [
        _dot(found, row, column, found.grounders[column], f"{planner}{_mean(found.row_margins[row])}")
        for row, planner in enumerate(found.planners)
        for column in range(len(found.grounders))
    ]
    right = [
        _dot(found, row, column, found.planners[row], f"{grounder}{_mean(found.column_margins[column])}")
        for column, grounder in enumerate(found.grounders)
        for row in range(len(found.planners))
    ]
    on = f" on {suite}" if suite else ""
    level = drawn_intervals(left, found.level)
    views = (
        Forest((Panel(f"Planner fixed: SR{on}, {level}", left),)),
        Forest((Panel(f"Grounder fixed: SR{on}, {level}", right),)),
    )
    return FigureSpec((views, (_scatter(found, on),)))


def _dot(found: GridResults, row: int, column: int, label: str, group: str) -> Dot:
    cell = found.cells[row][column]
    solved = None if cell.solved is None else cell.solved.all
    words = _state(cell)
    if solved is None:
        return Dot(label, None, None, None, group, words, row)
    return Dot(label, solved.estimate, solved.low, solved.high, group, words, row)


def _state(cell: GridCell) -> str:
    """What is special about a cell: unfinished or void episodes; "" for nothing."""
    if not cell.complete:
        return f"{len(cell.run.episodes)} of {cell.run.planned}"
    return f"{cell.solved.void} void" if cell.solved is not None and cell.solved.void else ""


def _mean(margin: Interval | None) -> str:
    return "" if margin is None else f", mean {margin.text()}"


def _scatter(found: GridResults, on: str) -> Scatter | Missing:
    """The plot, or why there is none: no cell is finished, or no pointing accuracy is known."""
    title = f"Success against pointing accuracy{on}"
    spots = [
        Spot(cell.accuracy.estimate, cell.solved.all.estimate, _ends(cell.accuracy), _ends(cell.solved.all), name, row)
        for row, cells in enumerate(found.cells)
        for name, cell in zip(found.grounders, cells, strict=True)
        if cell.accuracy is not None and cell.solved is not None
    ]
    if not spots:
        finished = any(cell.solved is not None for cell in found.all_cells)
        why = "the pointing accuracy of no cell is known" if finished else "no cell is finished"
        return Missing(title, f"not drawn: {why}")
    return Scatter(title, "pointed right, %", "SR, %", spots, found.planners)


def _ends(interval: Interval) -> tuple[float, float] | None:
    return None if interval.low is None or interval.high is None else (interval.low, interval.high)
