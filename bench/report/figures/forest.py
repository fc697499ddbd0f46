"""Draws forests: estimates with their intervals, one a row, with their numbers beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from omnipilot.bench.report.figures.records import Dot, Forest, Panel, number
from omnipilot.bench.report.figures.sheet import (
    GRID,
    MARGIN,
    QUIET,
    SIZE,
    SMALL,
    FigureSheet,
    hue,
    round_ticks,
    shape,
    shorten,
    shorten_apart,
    text_width,
    ticks_formatter,
    title_height,
)

ROW, HIGH_ROW, HEADING, FOOT, BETWEEN = 4.2, 7.8, 4.8, 6.6, 3.0
"""Heights. `HIGH_ROW` is of a row whose label stands above its interval."""
GAP, INDENT = 3.0, 2.5
NOTES = 34.0
"""Maximum width of notes."""
NARROWEST = 0.3
"""Share of the width that the axis has at least."""
NARROW = 86.0
"""In a forest that is narrower, labels that would be cut stand above their intervals."""


def forest_height(forest: Forest, width: float) -> float:
    """How high a forest is drawn, in millimetres."""
    columns = _columns(forest, 0, width)
    return sum(_height(panel, columns) for panel in forest.panels) + BETWEEN * max(0, len(forest.panels) - 1)


def draw_forest(forest: Forest, sheet: FigureSheet, left: float, top: float, width: float) -> None:
    """Draw a forest between two places of a sheet."""
    columns = _columns(forest, left, left + width)
    for panel in forest.panels:
        _draw_panel(panel, columns, sheet, top)
        top += _height(panel, columns) + BETWEEN


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where labels start, where the axis starts and ends, where numbers end, and where notes end.

    Attributes:
        above: labels and notes stand above the intervals.
    """

    start: float
    left: float
    right: float
    numbers: float
    edge: float
    above: bool = False

    @property
    def row(self) -> float:
        """The height of a row."""
        return HIGH_ROW if self.above else ROW


def _columns(forest: Forest, left: float, right: float) -> _Columns:
    dots = [(dot, panel) for panel in forest.panels for dot in panel.dots]
    numbers = max((text_width(number(dot, panel)) for dot, panel in dots), default=0.0)
    notes = min(NOTES, max((text_width(dot.note, SMALL) for dot, _ in dots), default=0.0))
    labels = max((text_width(dot.label) + INDENT * bool(dot.group) for dot, _ in dots), default=0.0)
    start, edge = left + MARGIN, right - MARGIN
    end = edge - notes - (GAP if notes else 0)
    axis_end = end - numbers - GAP
    widest = axis_end - NARROWEST * (right - left)
    if right - left < NARROW and start + labels + GAP > widest:
        return _Columns(start, start + INDENT, edge - numbers - GAP, edge, edge, above=True)
    return _Columns(start, min(start + labels + GAP, widest), axis_end, end, edge)


def _groups(panel: Panel) -> Iterator[tuple[str, list[Dot]]]:
    for group in dict.fromkeys(dot.group for dot in panel.dots):
        yield group, [dot for dot in panel.dots if dot.group == group]


def _height(panel: Panel, columns: _Columns) -> float:
    headings = sum(bool(group) for group, _ in _groups(panel))
    title = title_height(panel.title, columns.edge - columns.start)
    return title + max(ROW, columns.row * len(panel.dots) + HEADING * headings) + FOOT


def _draw_panel(panel: Panel, columns: _Columns, sheet: FigureSheet, top: float) -> None:
    wide, row = columns.edge - columns.start, columns.row
    begin = sheet.title(columns.start, top, panel.title, wide)
    high = top + _height(panel, columns) - FOOT - begin
    length = columns.right - columns.left
    axes = sheet.axes(columns.left, begin, length, high)
    values = [panel.scale * v for dot in panel.dots for v in (dot.estimate, dot.low, dot.high) if v is not None]
    ticks = round_ticks([0.0, *values], length)
    axes.set_xlim(ticks[0], ticks[-1])
    axes.set_ylim(high, 0)
    axes.set_xticks(ticks)
    axes.xaxis.set_major_formatter(ticks_formatter(ticks))
    axes.set_yticks([])
    axes.set_xlabel(panel.unit, fontsize=SMALL, color=QUIET, labelpad=1)
    y, middles = 0.0, []
    for group, dots in _groups(panel):
        if group:
            sheet.text(columns.start, begin + y + HEADING / 2 + 0.4, shorten(group, wide, SIZE, bold=True), bold=True)
            y += HEADING
        room = wide / 2 if columns.above else columns.edge - columns.numbers - GAP
        told = {dot.note: shorten(dot.note, room, SMALL) for dot in dots}
        notes = max((text_width(note, SMALL) for note in told.values()), default=0.0) if columns.above else 0.0
        most = (columns.edge - notes if columns.above else columns.left) - columns.start - INDENT * bool(group) - GAP
        short = shorten_apart([dot.label for dot in dots], most)
        for dot in dots:
            middle = y + row - ROW / 2
            middles.append(middle)
            label = middle - 3.6 if columns.above else middle
            sheet.text(columns.start + INDENT * bool(group), begin + label, short[dot.label])
            _draw_dot(dot, panel, axes, middle)
            sheet.text(columns.numbers, begin + middle, number(dot, panel), align="right")
            if dot.note and columns.above:
                sheet.text(columns.edge, begin + label, told[dot.note], SMALL, align="right", colour=QUIET)
            elif dot.note:
                sheet.text(columns.numbers + GAP, begin + middle, told[dot.note], SMALL, colour=QUIET)
            y += row
    _draw_grid(axes, ticks, middles, panel.zero)


def _draw_grid(axes: Axes, ticks: Sequence[float], middles: Sequence[float], zero: bool) -> None:
    """Lines at the ticks beside each row, so that none runs through a label."""
    half = ROW / 2
    marked = [(tick, middle) for middle in middles for tick in ticks]
    for lines, colour, wide in ((marked, GRID, 0.6), ([(0.0, middle) for middle in middles if zero], QUIET, 0.8)):
        low, high = [middle - half for _, middle in lines], [middle + half for _, middle in lines]
        axes.vlines([tick for tick, _ in lines], low, high, color=colour, linewidth=wide, zorder=wide)


def _draw_dot(dot: Dot, panel: Panel, axes: Axes, y: float) -> None:
    colour = hue(dot.series)
    if dot.low is not None and dot.high is not None:
        low, high = panel.scale * dot.low, panel.scale * dot.high
        axes.hlines([y], low, high, color=colour, linewidth=1.2, clip_on=False, zorder=2)
        axes.vlines([low, high], y - 0.7, y + 0.7, color=colour, linewidth=1.2, clip_on=False, zorder=2)
    if dot.estimate is not None:
        axes.plot(
            [panel.scale * dot.estimate],
            [y],
            marker=shape(dot.series),
            markersize=4.6,
            color=colour,
            markeredgecolor="white",
            markeredgewidth=0.5,
            linestyle="none",
            clip_on=False,
            zorder=3,
        )
