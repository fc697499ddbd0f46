"""A paper's table for other readers: Markdown as GitHub has it, CSV with every number, and the terminal."""

from __future__ import annotations

import csv
import io

from omnipilot.bench.report.paper.record import DAGGER, STAR, Bold, PaperCell, PaperColumn, PaperTable, ends, number
from omnipilot.bench.report.results.formats import markdown
from omnipilot.bench.tables import Table

NUMBERS = (
    "estimate",
    "low",
    "high",
    "level",
    "n",
    "unit",
    "clusters",
    "void",
    "interval_by",
    "difference",
    "difference_low",
    "difference_high",
    "p",
    "p_holm",
)
"""What the CSV says of each cell; figures are as printed, in percent where their scale is."""


def terminal_table(table: PaperTable, intervals: bool = True) -> Table:
    """The table for a terminal: sections in a column of their own, marks behind numbers, notes below."""
    return _plain(table, intervals, "none", escaped=False)


def markdown_table(table: PaperTable, intervals: bool = True, bold: Bold = "best") -> str:
    """The table in Markdown, its caption above it and what a reader must know below it."""
    shown = _plain(table, intervals, bold, escaped=True)
    return "\n\n".join([f"**{table.about}**", markdown(shown)]) if table.about else markdown(shown)


def csv_table(table: PaperTable, wide: bool = False) -> str:
    """Every number of the table, unrounded.

    Args:
        wide: a line for each row, its columns named COLUMN.estimate, COLUMN.low, …; otherwise a line for each cell.
    """
    if wide:
        head = ["section", "row", "run", *(f"{one.name}.{name}" for one in table.columns for name in NUMBERS)]
        lines = [
            [row.section, row.label, row.run, *(value for cell in line for value in _numbers(cell))]
            for row, line in zip(table.rows, table.cells, strict=True)
        ]
    else:
        head = ["section", "row", "run", "figure", "group", "column", *NUMBERS]
        lines = [
            [row.section, row.label, row.run, column.figure or column.head, column.group, column.head, *_numbers(cell)]
            for row, line in zip(table.rows, table.cells, strict=True)
            for column, cell in zip(table.columns, line, strict=True)
        ]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([head, *lines])
    return out.getvalue().rstrip("\n")


def _numbers(cell: PaperCell) -> list[object]:
    """The values of `NUMBERS`; nothing where there is none."""
    delta = cell.delta
    given = cell.count > 0
    values: list[object] = [cell.estimate, cell.low, cell.high]
    values += [cell.level, cell.count, cell.unit, cell.clusters, cell.void, cell.method] if given else [None] * 6
    values += [None] * 5 if delta is None else [delta.estimate, delta.low, delta.high, delta.p, delta.adjusted]
    return ["" if value is None else value for value in values]


def _plain(table: PaperTable, intervals: bool, bold: Bold, escaped: bool) -> Table:
    ranks = table.ranks()
    sections = any(row.section for row in table.rows)
    unit = table.unit_words()
    heads = [f"{column.name} {column.unit}".strip() if not unit else column.name for column in table.columns]
    rows = []
    for at, (row, line) in enumerate(zip(table.rows, table.cells, strict=True)):
        label = row.label + DAGGER * row.unfinished
        cells = [
            _text(cell, column, rank, intervals, bold, escaped)
            for cell, column, rank in zip(line, table.columns, ranks[at], strict=True)
        ]
        rows.append((*([row.section] if sections else []), label, *cells))
    columns = (*([" "] if sections else []), table.stub, *heads)
    notes = tuple(_sentence(text) for text in table.sentences(intervals, bold))
    return Table(columns, tuple(rows), notes, labels=2 if sections else 1)


def _sentence(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _text(cell: PaperCell, column: PaperColumn, rank: int, intervals: bool, bold: Bold, escaped: bool) -> str:
    if cell.estimate is None:
        return "—"
    shown = number(cell.estimate, column.digits)
    if bold != "none" and rank == 1:
        shown = f"**{shown}**"
    elif bold == "second" and rank == 2:
        shown = f"<ins>{shown}</ins>"
    star = STAR if cell.delta is not None and cell.delta.significant else ""
    shown += f"\\{star}" if star and escaped else star
    both = ends(cell, column.digits) if intervals else None
    return shown if both is None else f"{shown} [{both[0]}, {both[1]}]"
