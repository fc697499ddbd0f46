"""Draws a paper's table as panels with shared rows. Imports matplotlib: import it only where something is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, TypeAlias

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.lines import Line2D

from omnipilot.bench.report.figures.sheet import (
    GRID,
    INK,
    QUIET,
    FigureSheet,
    hue,
    round_ticks,
    shorten,
    shorten_apart,
    text_width,
    ticks_formatter,
)
from omnipilot.bench.report.paper.record import SIGNIFICANT, PaperCell, PaperColumn, PaperTable

SIZE = 7.0
"""Size of all text in points: the smallest that journals and conferences ask for."""
ROW, SECTION, HEAD, FOOT, LEGEND = 4.2, 4.6, 3.6, 7.4, 4.2
"""Heights in millimetres: of a row, a section's name, a line of a head, the axis with its numbers, and the legend."""
LEFT, RIGHT, GAP, TOP, BETWEEN = 0.6, 2.6, 6.0, 0.8, 2.6
MARK, APART = 3.2, 3.2
"""In a legend, what a mark takes, and the space between entries."""
NARROWEST = 16.0
"""Width of a panel in millimetres that is still read."""
MOST_LABELS = 0.38
"""Of the width, what labels take at most."""
USUAL, REFERENCE, UNTESTED = hue(0), QUIET, hue(3)
Kind: TypeAlias = Literal["reference", "differs", "alike", "not tested"]


@dataclass(frozen=True, slots=True)
class _Line:
    """What stands at a height: a section's name, or a row. `middle` is in millimetres from the top of the panel."""

    middle: float
    row: int | None = None
    section: str = ""


def draw_panels(table: PaperTable, width: float) -> Drawing:
    """The drawing of a table, `width` millimetres wide; call it with the settings of `sheet.STYLE`."""
    lines = list(_lines(table))
    high = lines[-1].middle + ROW / 2 if lines else ROW
    labels = [row.label for row in table.rows]
    indent = 2.0 if any(row.section for row in table.rows) else 0.0
    wide = min(max((text_width(label, SIZE) for label in labels), default=0.0) + indent, MOST_LABELS * width)
    short = shorten_apart(labels, wide - indent, SIZE)
    room = width - LEFT - wide - RIGHT
    bands = list(_bands(table, room))
    most = max(map(len, bands))
    each = room / most - GAP
    heads = [_head_lines(table, band, each) for band in bands]
    entries = list(_legend(table, width)) if table.reference else []
    legend = LEGEND * len(entries)
    total = TOP + sum(HEAD * lines_ + high + FOOT for lines_ in heads) + BETWEEN * (len(bands) - 1) + legend
    sheet = FigureSheet(width, total)
    top = TOP
    for band, count in zip(bands, heads, strict=True):
        begin = top + HEAD * count
        _draw_labels(table, sheet, lines, short, begin, indent)
        _draw_heads(table, sheet, band, top, begin, LEFT + wide, each)
        for place, at in enumerate(band):
            left = LEFT + wide + GAP + place * (each + GAP)
            axes = sheet.axes(left, begin, each, high)
            _draw_column(table, at, axes, lines, high, each)
        top = begin + high + FOOT + BETWEEN
    if legend:
        _draw_legend(entries, sheet, total - legend)
    return sheet.drawing


def _lines(table: PaperTable) -> Iterator[_Line]:
    y = 0.0
    for section, rows in table.sections():
        if section:
            yield _Line(y + SECTION / 2 + 0.4, section=section)
            y += SECTION
        for row in rows:
            yield _Line(y + ROW / 2, row)
            y += ROW


def _bands(table: PaperTable, room: float) -> Iterator[list[int]]:
    """The columns in lines of panels, about as many in each; a group stays together where it can."""
    fit = max(1, int(room // (NARROWEST + GAP)))
    count = len(table.columns)
    bands = -(-count // fit)
    groups = [members for _, members in table.groups()]
    if max(map(len, groups)) > fit:
        groups = [[at] for at in range(count)]
    while True:
        # Whole groups, in as few lines of panels as they need, and about as many panels in each.
        ends = [sum(map(len, groups[:place])) for place in range(len(groups) + 1)]
        edges = [_nearest(ends, count * part / bands) for part in range(bands + 1)]
        made = [[at for members in groups[first:last] for at in members] for first, last in pairwise(edges)]
        if max(map(len, made)) <= fit:
            yield from filter(None, made)
            return
        bands += 1


def _nearest(values: Sequence[int], wanted: float) -> int:
    """The place of the value that is nearest to one."""
    return min(range(len(values)), key=lambda place: abs(values[place] - wanted))


def _head_lines(table: PaperTable, band: Sequence[int], each: float) -> int:
    """How many lines heads take: the longest of the panels', and one for groups."""
    longest = max(len(_wrapped(_title(table.columns[at], table), each + GAP - 1.5)) for at in band)
    return longest + any(table.columns[at].group for at in band)


def _wrapped(text: str, most: float) -> list[str]:
    """A head in bold, on at most two lines; what is too long for them loses its middle."""
    if text_width(text, SIZE, bold=True) <= most:
        return [text]
    words = text.split(" ")
    splits = [[" ".join(words[:at]), " ".join(words[at:])] for at in range(1, len(words))] or [[text]]
    best = min(splits, key=lambda lines: max(text_width(line, SIZE, bold=True) for line in lines))
    return [shorten(line, most, SIZE, bold=True) for line in best]


def _draw_labels(
    table: PaperTable, sheet: FigureSheet, lines: Sequence[_Line], short: dict[str, str], begin: float, indent: float
) -> None:
    for line in lines:
        if line.row is None:
            sheet.text(LEFT, begin + line.middle, line.section, SIZE, bold=True)
        else:
            row = table.rows[line.row]
            colour = QUIET if row.reference else INK
            sheet.text(LEFT + indent, begin + line.middle, short[row.label], SIZE, colour=colour)


def _draw_heads(
    table: PaperTable, sheet: FigureSheet, band: Sequence[int], top: float, begin: float, start: float, each: float
) -> None:
    """The head of each panel, and above it that of its group with a line over all of its panels."""

    def left(place: int) -> float:
        return start + GAP + place * (each + GAP)

    for place, at in enumerate(band):
        shown = _wrapped(_title(table.columns[at], table), each + GAP - 1.5)
        for above, line in enumerate(reversed(shown)):
            sheet.text(left(place) + each / 2, begin - HEAD * (above + 0.5), line, SIZE, bold=True, align="center")
    groups: list[tuple[str, list[int]]] = []
    for place, at in enumerate(band):
        name = table.columns[at].group
        if groups and name and groups[-1][0] == name:
            groups[-1][1].append(place)
        else:
            groups.append((name, [place]))
    for name, places in groups:
        if name:
            first, last = left(places[0]), left(places[-1]) + each
            fitted = _fitting(name, last - first + GAP - 1)
            sheet.text((first + last) / 2, top + HEAD / 2 - 0.3, fitted, SIZE, align="center")
            y = 1 - (top + HEAD - 0.2) / sheet.height
            rule = Line2D(
                [first / sheet.width, last / sheet.width],
                [y, y],
                transform=sheet.drawing.transFigure,
                color=QUIET,
                linewidth=0.5,
            )
            sheet.drawing.add_artist(rule)


def _fitting(text: str, most: float) -> str:
    return shorten_apart([text], most, SIZE)[text]


def _title(column: PaperColumn, table: PaperTable) -> str:
    return column.head if table.unit_words() or not column.unit else f"{column.head} {column.unit}"


def _draw_column(table: PaperTable, at: int, axes: Axes, lines: Sequence[_Line], high: float, each: float) -> None:
    column = table.columns[at]
    # Panels of one figure have one axis.
    same = [place for place, one in enumerate(table.columns) if one.figure == column.figure]
    cells = [line[place] for line in table.cells for place in same]
    values = [value for cell in cells for value in (cell.estimate, cell.low, cell.high) if value is not None]
    ticks = round_ticks([0.0, *values], each)
    axes.set_xlim(ticks[0], ticks[-1])
    axes.set_ylim(high, 0)
    axes.set_xticks(ticks)
    axes.xaxis.set_major_formatter(ticks_formatter(ticks))
    axes.set_yticks([])
    axes.tick_params(labelsize=SIZE)
    if column.unit:
        axes.set_xlabel(column.unit, fontsize=SIZE, color=QUIET, labelpad=0.5)
    shown = [line for line in lines if line.row is not None]
    for line in shown:
        axes.vlines(ticks, line.middle - ROW / 2, line.middle + ROW / 2, color=GRID, linewidth=0.5, zorder=0.5)
    _draw_reference(table, at, axes, shown)
    for line in shown:
        assert line.row is not None
        _draw_point(table.cells[line.row][at], table.rows[line.row].reference, bool(table.reference), axes, line.middle)


def _draw_reference(table: PaperTable, at: int, axes: Axes, shown: Sequence[_Line]) -> None:
    """A line at the reference's number through the rows of its section."""
    for _, rows in table.sections():
        own = [row for row in rows if table.rows[row].reference]
        estimate = table.cells[own[0]][at].estimate if own else None
        if estimate is not None:
            middles = [line.middle for line in shown if line.row in rows]
            ends = min(middles) - ROW / 2, max(middles) + ROW / 2
            axes.vlines([estimate], *ends, color=QUIET, linewidth=0.7, linestyle=(0, (2, 1.6)), zorder=1)


def _draw_point(cell: PaperCell, reference: bool, compared: bool, axes: Axes, y: float) -> None:
    if cell.estimate is None:
        return
    colour = _mark(_kind(cell, reference, compared))["markeredgecolor"]
    if cell.low is not None and cell.high is not None:
        axes.hlines([y], cell.low, cell.high, color=colour, linewidth=1.1, clip_on=False, zorder=2)
    axes.plot([cell.estimate], [y], clip_on=False, zorder=3, **_mark(_kind(cell, reference, compared)))


def _kind(cell: PaperCell, reference: bool, compared: bool) -> Kind:
    if reference:
        return "reference"
    if cell.delta is None or cell.delta.adjusted is None:
        return "not tested" if compared else "differs"
    return "differs" if cell.delta.significant else "alike"


def _mark(kind: Kind) -> dict[str, Any]:
    """How a point is drawn. Without a reference all are drawn like those that differ."""
    colour = {"reference": REFERENCE, "not tested": UNTESTED}.get(kind, USUAL)
    return {
        "marker": "s" if kind == "reference" else "o",
        "markersize": 3.6 if kind == "reference" else 4.0,
        "markerfacecolor": "white" if kind == "alike" else colour,
        "markeredgecolor": colour,
        "markeredgewidth": 0.9,
        "linestyle": "none",
    }


def _legend(table: PaperTable, width: float) -> Iterator[list[tuple[Kind, str]]]:
    """What the marks mean, in lines that are no wider than the figure."""
    words: dict[Kind, str] = {
        "reference": f"{table.reference} (reference)",
        "differs": f"differs (p < {SIGNIFICANT:g}, Holm)".replace("0.", "."),
        "alike": "not told apart",
        "not tested": "not tested",
    }
    there = {
        _kind(cell, row.reference, True)
        for row, line in zip(table.rows, table.cells, strict=True)
        for cell in line
        if cell.estimate is not None
    }
    line: list[tuple[Kind, str]] = []
    used = LEFT
    for kind in (kind for kind in words if kind in there):
        text = shorten(words[kind], width / 2, SIZE)
        wide = MARK + text_width(text, SIZE) + APART
        if line and used + wide > width:
            yield line
            line, used = [], LEFT
        line.append((kind, text))
        used += wide
    if line:
        yield line


def _draw_legend(lines: Sequence[Sequence[tuple[Kind, str]]], sheet: FigureSheet, top: float) -> None:
    for number, line in enumerate(lines):
        x, y = LEFT, top + LEGEND * (number + 0.5)
        for kind, text in line:
            place = [(x + 1.2) / sheet.width], [1 - y / sheet.height]
            sheet.drawing.add_artist(Line2D(*place, transform=sheet.drawing.transFigure, **_mark(kind)))
            sheet.text(x + MARK, y, text, SIZE, colour=QUIET)
            x += MARK + text_width(text, SIZE) + APART
