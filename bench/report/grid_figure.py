"""A grid as one picture, after figure 4 of MMBench-GUI: planners and grounders in turn held fixed, and success against
pointing accuracy."""

from __future__ import annotations

from omnipilot.bench.experiments.grid_results import GridCell, GridResults
from omnipilot.bench.report.figure import BETWEEN, MARGIN, Dot, Panel, cut_text, document, drawn_intervals, stack
from omnipilot.bench.report.grid_conclusion import slope_text
from omnipilot.bench.report.scatter import Entry, Scatter, Spot, Trend, scatter
from omnipilot.bench.stats.intervals import Interval

WIDTH = 1000


def grid_figure(found: GridResults, suite: str = "") -> str:
    """The text of an SVG file.

    On top, the success rate of every cell twice: on the left the grounders of each planner, on the right the planners
    of each grounder. Below, success against pointing accuracy with the line of each planner. A planner has one colour
    and one shape everywhere.
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
    titles = (f"Planner fixed: SR{on}, {level}", f"Grounder fixed: SR{on}, {level}")
    body, bottom = stack([Panel(titles[0], left, zero=False)], 0, WIDTH / 2, MARGIN / 2)
    more, other = stack([Panel(titles[1], right, zero=False)], WIDTH / 2, WIDTH, MARGIN / 2)
    top = max(bottom, other) + BETWEEN
    plot = _scatter(found, on)
    if plot is None:
        title = "Success against pointing accuracy"
        why = f"not drawn: {found.lines[-1].slope.why}" if found.lines else "not drawn: no cell is finished"
        last = [
            cut_text(title, MARGIN, top + 22, "title", WIDTH - 2 * MARGIN),
            cut_text(why, MARGIN, top + 44, "quiet", WIDTH - 2 * MARGIN),
        ]
        end = top + 54.0
    else:
        title = plot.title
        last, end = scatter(plot, 0, WIDTH, top)
    return document("; ".join((*titles, title)), [*body, *more, *last], WIDTH, end + MARGIN / 2)


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


def _scatter(found: GridResults, on: str) -> Scatter | None:
    """The plot; None where the pointing accuracy of no cell is known."""
    spots, trends, legend = [], [], []
    for row, (planner, cells) in enumerate(zip(found.planners, found.cells, strict=True)):
        for grounder, cell in zip(found.grounders, cells, strict=True):
            if cell.accuracy is not None and cell.solved is not None:
                x, y = cell.accuracy, cell.solved.all
                spots.append(Spot(x.estimate, y.estimate, _ends(x), _ends(y), grounder, row))
        legend.append(Entry(planner, "", row))
    for number, line in enumerate(found.lines):
        slope = line.slope
        told = slope.slope is not None
        words = f"slope {slope_text(slope.slope)}" if slope.slope is not None else f"no slope: {slope.why}"
        if not line.planner and len(found.planners) > 1:
            bend = "" if slope.bend is None else f"bend {slope_text(slope.bend)}"
            legend += [Entry("all planners", words, None), *([Entry("", bend, None)] if bend and told else [])]
        else:
            legend[number] = Entry(found.planners[number], words, number)
            if slope.slope is not None and slope.least is not None and slope.most is not None:
                begin, end = ((x, slope.intercepts[0] + slope.slope.estimate * x) for x in (slope.least, slope.most))
                trends.append(Trend(begin, end, number))
    if not spots:
        return None
    legend.append(Entry("", "slope: points of SR for each point of accuracy", None))
    title = f"Success against pointing accuracy{on}, one colour a planner"
    return Scatter(title, "pointed right, %", "SR, %", spots, trends, legend)


def _ends(interval: Interval) -> tuple[float, float] | None:
    return None if interval.low is None or interval.high is None else (interval.low, interval.high)
