"""Draws maps of numbers: rows and columns, each cell with its interval, shaded in one hue where that is wanted."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from omnipilot.bench.report.figures.legend import draw_legend, legend_height
from omnipilot.bench.report.figures.records import MapCell, MapColumn, ValueMap
from omnipilot.bench.report.figures.sheet import (
    GRID,
    INK,
    MARGIN,
    QUIET,
    SIZE,
    SMALL,
    FigureSheet,
    shade,
    shorten,
    shorten_apart,
    text_width,
    title_height,
    wrap_at_most,
)

ROW, SECTION, LINE, BETWEEN = 7.6, 4.8, 3.2, 2.5
COLUMN, WIDEST = 12.4, 20.0
"""Width of a column at least and at most: an interval such as "[57, 92]" has to fit."""
MOST_LABELS = 0.44
"""Of the width, what labels take at most; if they need more, they are in smaller letters."""
GAP = 1.5
GROUPS = 1.6
"""Space between two groups of columns."""
PALE = 0.15
"""Shares whose shade is so light that the cell needs an edge."""
MISSING = "—"


@dataclass(frozen=True, slots=True)
class _Layout:
    """How wide labels and columns are, and which columns stand in each band."""

    labels: float
    size: float
    column: float
    bands: list[list[int]]


def map_height(shown: ValueMap, width: float) -> float:
    """How high a map is drawn, in millimetres."""
    layout = _layout(shown, width - 2 * MARGIN)
    bands = sum(_head_height(shown, band, layout) + _body_height(shown) for band in layout.bands)
    legend = legend_height(shown.names, width - 2 * MARGIN)
    return title_height(shown.title, width - 2 * MARGIN) + legend + bands + BETWEEN * (len(layout.bands) - 1)


def draw_map(shown: ValueMap, sheet: FigureSheet, left: float, top: float, width: float) -> None:
    """Draw a map between two places of a sheet."""
    start, wide = left + MARGIN, width - 2 * MARGIN
    layout = _layout(shown, wide)
    top = sheet.title(start, top, shown.title, wide)
    draw_legend(shown.names, sheet, start, top, wide)
    top += legend_height(shown.names, wide)
    for band in layout.bands:
        _draw_band(shown, sheet, band, layout, start, top)
        top += _head_height(shown, band, layout) + _body_height(shown) + BETWEEN


def _layout(shown: ValueMap, wide: float) -> _Layout:
    indent = 2.0 if any(row.section for row in shown.rows) else 0.0
    most = MOST_LABELS * wide - indent - GAP
    size = SIZE if all(text_width(row.label) <= most for row in shown.rows) else SMALL
    widths = [max(text_width(row.label, size), text_width(row.note, SMALL)) for row in shown.rows]
    labels = min(max(widths, default=0.0), most) + indent + GAP
    room = wide - labels
    bands = list(_bands(shown.columns, room))
    column = min((room - GROUPS * _breaks(shown, band)) / len(band) for band in bands)
    return _Layout(labels, size, min(WIDEST, column), bands)


def _breaks(shown: ValueMap, band: Sequence[int]) -> int:
    """How often a new group begins within a band."""
    return sum(shown.columns[a].group != shown.columns[b].group for a, b in itertools.pairwise(band))


def _bands(columns: Sequence[MapColumn], room: float) -> Iterator[list[int]]:
    """The columns in bands that are no wider than this; a group stays together where it can."""
    groups: list[list[int]] = []
    for at, column in enumerate(columns):
        if at and columns[at - 1].group == column.group:
            groups[-1].append(at)
        else:
            groups.append([at])
    fit = max(1, int(room // COLUMN))
    band: list[int] = []
    used = 0.0
    for group in groups:
        if band and used + GROUPS + COLUMN * len(group) > room:
            yield band
            band, used = [], 0.0
        while len(group) > fit:
            # About as many in each band.
            count = -(-len(group) // -(-len(group) // fit))
            yield group[:count]
            group = group[count:]
        used += GROUPS * bool(band) + COLUMN * len(group)
        band = [*band, *group]
    if band:
        yield band


def _head_lines(shown: ValueMap, band: Sequence[int], layout: _Layout) -> int:
    heads = [shown.columns[at] for at in band]
    return max(1 if one.series is not None else len(_wrapped(one.head, layout.column)) for one in heads)


def _wrapped(head: str, column: float) -> list[str]:
    return wrap_at_most(head, column - 0.6, 3)


def _head_height(shown: ValueMap, band: Sequence[int], layout: _Layout) -> float:
    columns = [shown.columns[at] for at in band]
    groups = LINE + 0.6 if any(one.group for one in columns) else 0.0
    notes = LINE if any(one.note for one in columns) else 0.0
    return groups + LINE * _head_lines(shown, band, layout) + notes + 0.8


def _body_height(shown: ValueMap) -> float:
    sections = len({row.section for row in shown.rows if row.section})
    return ROW * len(shown.rows) + SECTION * sections


def _draw_band(
    shown: ValueMap, sheet: FigureSheet, band: Sequence[int], layout: _Layout, start: float, top: float
) -> None:
    lefts: dict[int, float] = {}
    x = start + layout.labels
    for place, at in enumerate(band):
        if place and shown.columns[at].group != shown.columns[band[place - 1]].group:
            x += GROUPS
        lefts[at] = x
        x += layout.column
    _draw_heads(shown, sheet, band, layout, lefts, top)
    y = top + _head_height(shown, band, layout)
    indent = 2.0 if any(row.section for row in shown.rows) else 0.0
    short = shorten_apart([row.label for row in shown.rows], layout.labels - GAP - indent, layout.size)
    section = ""
    for row, line in zip(shown.rows, shown.cells, strict=True):
        if row.section and row.section != section:
            section = row.section
            sheet.text(start, y + SECTION / 2 + 0.3, shorten(section, x - start, SIZE, bold=True), bold=True)
            y += SECTION
        sheet.text(start + indent, y + ROW / 2 - (1.5 if row.note else 0), short[row.label], layout.size)
        if row.note:
            sheet.text(start + indent, y + ROW / 2 + 1.6, shorten(row.note, layout.labels, SMALL), SMALL, colour=QUIET)
        for at in band:
            _draw_cell(line[at], shown.shaded, sheet, lefts[at], y, layout.column)
        y += ROW


def _draw_heads(
    shown: ValueMap, sheet: FigureSheet, band: Sequence[int], layout: _Layout, lefts: dict[int, float], top: float
) -> None:
    if any(shown.columns[at].group for at in band):
        for name in dict.fromkeys(shown.columns[at].group for at in band):
            members = [at for at in band if shown.columns[at].group == name]
            begin, end = lefts[members[0]], lefts[members[-1]] + layout.column
            if name:
                fitted = shorten(name, end - begin, SIZE, bold=True)
                sheet.text((begin + end) / 2, top + LINE / 2, fitted, bold=True, align="center")
                sheet.line([(begin + 0.6, top + LINE + 0.2), (end - 0.6, top + LINE + 0.2)], QUIET, 0.5)
        top += LINE + 0.6
    count = _head_lines(shown, band, layout)
    for at in band:
        column, middle = shown.columns[at], lefts[at] + layout.column / 2
        if column.series is not None:
            sheet.sample(middle, top + LINE * (count - 0.5), column.series)
        else:
            lines = _wrapped(column.head, layout.column)
            for above, words in enumerate(reversed(lines)):
                sheet.text(middle, top + LINE * (count - above - 0.5), words, SMALL, align="center")
        if column.note:
            note = shorten(column.note, layout.column - 0.4, SMALL)
            sheet.text(middle, top + LINE * (count + 0.5), note, SMALL, align="center", colour=QUIET)


def _draw_cell(cell: MapCell, shaded: bool, sheet: FigureSheet, left: float, top: float, width: float) -> None:
    share = None if cell.estimate is None else min(1.0, max(0.0, cell.estimate / 100))
    fill, ink = ("white", INK) if not shaded or share is None else shade(share)
    edge = GRID if share is None or not shaded or share < PALE else "none"
    sheet.box(left + 0.25, top + 0.25, width - 0.5, ROW - 0.5, fill, edge)
    if cell.estimate is None:
        sheet.text(left + width / 2, top + ROW / 2, MISSING, align="center", colour=QUIET)
        return
    ends = None if cell.low is None or cell.high is None else f"[{cell.low:.0f}, {cell.high:.0f}]"
    words = f"{cell.estimate:.1f}".replace("-", "−")
    sheet.text(left + width / 2, top + ROW / 2 - (1.5 if ends else 0), words, align="center", colour=ink)
    if ends:
        sheet.text(left + width / 2, top + ROW / 2 + 1.6, ends.replace("-", "−"), SMALL, align="center", colour=ink)
