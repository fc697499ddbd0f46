"""A figure of the benchmark by the values of tags: as points with intervals, or around a circle."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.bench.report.figure_kinds.kind import FigureRequest, RunFigure, figure_kind
from omnipilot.bench.report.figures.records import (
    Dot,
    FigureSpec,
    Forest,
    MapCell,
    MapColumn,
    MapRow,
    Panel,
    Radar,
    ValueMap,
)
from omnipilot.bench.report.paper.build import TableRequest, paper_table
from omnipilot.bench.report.paper.plain import csv_table
from omnipilot.bench.report.paper.record import PaperCell, PaperTable
from omnipilot.envs import ConfigError

MOST = 8
"""Colours and shapes that are told apart."""
LEVEL, CAPABILITY, RATE = "level", "capability", "sr"
FEWEST = 3
"""Axes of a radar."""


@figure_kind("column", "by")
def levels(request: FigureRequest) -> RunFigure:
    """Success, or another figure, by the values of a tag such as level: one panel a tag, every number with its n.

    Raises:
        ConfigError: as `paper_table`; or there are more than eight runs.
    """
    tags = request.by or (LEVEL,)
    table = table_by(request, tags)
    panels = []
    for tag in tags:
        columns = [
            at for at, column in enumerate(table.columns) if column.partial and column.group.endswith(f" by {tag}")
        ]
        counted = [_counts(table, at) for at in columns]
        several = len(table.rows) > 1
        dots = [
            _dot(table, row, at, several, table.columns[at].head if not several else "", count)
            for at, count in zip(columns, counted, strict=True)
            for row in range(len(table.rows))
        ]
        panels.append(_panel(f"{_figure(table)} by {tag}", dots, table, columns))
    whole = [at for at, column in enumerate(table.columns) if not column.partial]
    overall = [_dot(table, row, at, False, "", _counts(table, at)) for at in whole for row in range(len(table.rows))]
    if overall:
        panels.append(_panel(f"{_figure(table)} over all tasks", overall, table, whole))
    return RunFigure(FigureSpec(((Forest(panels),),)), csv_table(table), caption_of(table))


@figure_kind("column", "by")
def radar(request: FigureRequest) -> RunFigure:
    """Success, or another figure, by capability (or another tag) around a circle, with the numbers below.

    Raises:
        ConfigError: as `paper_table`; there are more than eight runs, two tags, or fewer than three values.
    """
    tags = request.by or (CAPABILITY,)
    if len(tags) > 1:
        raise ConfigError("a radar shows one tag: give --by once, or draw `omnipilot figure levels`")
    table = table_by(request, tags)
    columns = [at for at, column in enumerate(table.columns) if column.partial]
    if len(columns) < FEWEST:
        raise ConfigError(
            f"a radar needs at least {FEWEST} values, and {tags[0]} has {len(columns)} here; draw `omnipilot figure "
            f"levels --by {tags[0]}`"
        )
    scale = 100 if table.columns[columns[0]].unit == "%" else 1
    values = [[None if (v := line[at].estimate) is None else v / scale for at in columns] for line in table.cells]
    if scale == 1 and any(v is not None and not 0 <= v <= 1 for line in values for v in line):
        raise ConfigError(f"a radar shows shares, and {_figure(table)} is none; draw `omnipilot figure levels`")
    title = f"{_figure(table)} by {tags[0]}, %"
    heads = [table.columns[at].head for at in columns]
    below = ValueMap(
        "",
        [MapColumn("", series=row) for row in range(len(table.rows))],
        [
            MapRow(table.columns[at].head if at in columns else "All tasks", note=_counts(table, at))
            for at in [*columns, *_whole(table)]
        ],
        [[cell_of(line[at], 100 / scale) for line in table.cells] for at in [*columns, *_whole(table)]],
        shaded=False,
        names=[row.label for row in table.rows],
    )
    return RunFigure(FigureSpec(((Radar(title, heads, values),), (below,))), csv_table(table), caption_of(table))


def table_by(request: FigureRequest, tags: Sequence[str]) -> PaperTable:
    """One figure by some tags and over all tasks: what `omnipilot table --columns FIGURE/TAG,FIGURE` shows.

    Raises:
        ConfigError: as `paper_table`; or there are more than eight runs.
    """
    column = request.column or RATE
    columns = (*(f"{column}/{tag}" for tag in tags), column)
    table = paper_table(TableRequest(request.runs, columns, reference="none", settings=request.settings))
    check_count(len(table.rows))
    return table


def check_count(rows: int) -> None:
    """Refuse more runs than colours and shapes tell apart."""
    if rows > MOST:
        raise ConfigError(f"a figure tells {MOST} runs apart, and these are {rows}; name fewer of them")


def caption_of(*tables: PaperTable) -> tuple[str, ...]:
    """What a caption has to say of some tables, once."""
    said = [sentence for table in tables for sentence in (table.about, *table.sentences(bold="none")) if sentence]
    # "n = 40" is no word that begins a sentence.
    return tuple(dict.fromkeys(one[:1].upper() + one[1:] if one[1:2] != " " or one[0] == "a" else one for one in said))


def cell_of(cell: PaperCell, scale: float = 1.0) -> MapCell:
    """A cell as a map shows it; `scale` makes a share percent."""
    values = (None if value is None else scale * value for value in (cell.estimate, cell.low, cell.high))
    return MapCell(*values)


def counts_of(cells: Sequence[PaperCell]) -> str:
    """How many units some cells are of: "n = 22", or "n = 20–22" where they differ; "" where there is none."""
    counts = sorted({cell.count for cell in cells if cell.count})
    if not counts:
        return ""
    return f"n = {counts[0]:,}" if len(counts) == 1 else f"n = {counts[0]:,}–{counts[-1]:,}"


def _counts(table: PaperTable, at: int) -> str:
    return counts_of([line[at] for line in table.cells])


def _whole(table: PaperTable) -> list[int]:
    return [at for at, column in enumerate(table.columns) if not column.partial]


def _figure(table: PaperTable) -> str:
    return table.columns[0].figure


def _panel(title: str, dots: Sequence[Dot], table: PaperTable, columns: Sequence[int]) -> Panel:
    unit = table.columns[columns[0]].unit if columns else "%"
    return Panel(f"{title}, {100 * table.level:g} % intervals", dots, scale=1.0, unit=unit)


def _dot(table: PaperTable, row: int, at: int, grouped: bool, label: str, counts: str) -> Dot:
    cell, column = table.cells[row][at], table.columns[at]
    group = f"{column.head} ({counts})" if grouped else ""
    note = "" if (grouped and "–" not in counts) or not cell.count else f"n = {cell.count:,}"
    name = label or table.rows[row].label
    return Dot(name, cell.estimate, cell.low, cell.high, group, note, row if len(table.rows) > 1 else None)
