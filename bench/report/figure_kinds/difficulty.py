"""A map of difficulty, from questions about a screen to tasks over several devices (MMBench-GUI, figure 6)."""

from __future__ import annotations

from dataclasses import dataclass

from omnipilot.bench.report.figure_kinds.by_tag import caption_of, cell_of, counts_of
from omnipilot.bench.report.figure_kinds.kind import FigureRequest, RunFigure, figure_kind
from omnipilot.bench.report.figures.records import FigureSpec, MapCell, MapColumn, MapRow, ValueMap
from omnipilot.bench.report.paper.build import TableRequest, paper_table
from omnipilot.bench.report.paper.plain import csv_table
from omnipilot.bench.report.paper.record import OVERALL, PaperTable
from omnipilot.bench.report.paper.sources import TableSource, find_sources
from omnipilot.bench.report.paper.values import HIT, SCOPE, ValueSettings, values_of_tag
from omnipilot.bench.scoring.run_figures import benchmark_of, scored_run
from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class _Level:
    """A part of the map: its name, the tag whose values are its columns, and what it can be told by.

    Attributes:
        units: what the benchmark's figure counts there; "" where that is not asked.
    """

    name: str
    tag: str
    units: str = ""


QUESTIONS = _Level("L1: questions", "difficulty", "questions")
POINTING = _Level("L2: pointing", "mode")
TASKS = _Level("L3, L4: tasks", SCOPE)


@figure_kind("column")
def difficulty(request: FigureRequest) -> RunFigure:
    """All levels of difficulty in one map, from questions and pointing to tasks in one and several apps, by one hue.

    Runs that are called alike (NAME=RUN) stand in one row. Questions about screens are told by their difficulty,
    pointing by basic and advanced instructions, and tasks by how many applications and devices they span.

    Raises:
        ConfigError: as `find_sources` and `paper_table`.
    """
    sources = find_sources(request.runs)
    suites = sorted(dict.fromkeys(one.suite for one in sources), key=lambda suite: _level(suite, sources, request).name)
    rows = {(one.section, one.label): MapRow(one.label, one.section) for one in sources}
    columns: list[MapColumn] = []
    cells: dict[tuple[str, str], list[MapCell]] = {key: [] for key in rows}
    tables: list[PaperTable] = []
    levels = [_level(suite, sources, request) for suite in suites]
    for suite, level in zip(suites, levels, strict=True):
        own = [one for one in sources if one.suite == suite]
        table = _table(own, level, request)
        tables.append(table)
        group = level.name if levels.count(level) == 1 else f"{level.name}, {suite}"
        told = {(row.section, row.label): line for row, line in zip(table.rows, table.cells, strict=True)}
        for at, column in enumerate(table.columns):
            head = OVERALL if len(table.columns) == 1 else column.head
            columns.append(MapColumn(head.lower(), group, counts_of([line[at] for line in table.cells])))
            for key, line in cells.items():
                line.append(cell_of(told[key][at]) if key in told else MapCell())
    drawn = ValueMap("Score by level of difficulty, %", columns, list(rows.values()), list(cells.values()))
    if strange := [column.head for table in tables for column in table.columns if column.unit != "%"]:
        raise ConfigError(f"a map of difficulty shows shares, and {strange[0]} is none; choose another --column")
    heads, lines = "", []
    for table in tables:
        heads, *more = csv_table(table).split("\n")
        lines += more
    return RunFigure(FigureSpec(((drawn,),)), "\n".join([heads, *lines]), caption_of(*tables))


def _level(suite: str, sources: list[TableSource], request: FigureRequest) -> _Level:
    first = next(one for one in sources if one.suite == suite)
    if first.run is None:
        return POINTING
    return QUESTIONS if _headline(first, request.settings)[1] == QUESTIONS.units else TASKS


def _table(sources: list[TableSource], level: _Level, request: FigureRequest) -> PaperTable:
    column = request.column or _headline(sources[0], request.settings)[0]
    try:
        values = values_of_tag(sources, level.tag)
    except ConfigError:
        values = []
    # Where the benchmark has a figure for each value, such as "basic", its own rules count.
    named = {name.casefold() for name in _names(sources[0], request.settings)} & set(values)
    columns = [column] if not values else [f"{column}/{level.tag}"]
    if values and not request.column and named == set(values):
        columns = values
    return paper_table(TableRequest(request.runs, tuple(columns), reference="none", settings=request.settings), sources)


def _names(source: TableSource, settings: ValueSettings) -> list[str]:
    """The names of the benchmark's figures."""
    run = source.folder if source.run is None else source.run
    name = benchmark_of(run)
    return [one.short or one.name for one in scored_run(source.folder, name, settings.variant).figures] if name else []


def _headline(source: TableSource, settings: ValueSettings) -> tuple[str, str]:
    """The benchmark's figure over the most units, with what these are; without one, that of every run."""
    run = source.folder if source.run is None else source.run
    if not (name := benchmark_of(run)):
        return (HIT, "instructions") if source.run is None else ("sr", "episodes")
    figures = scored_run(source.folder, name, settings.variant).figures
    most = max(figures, key=lambda one: one.of)
    return most.short or most.name, most.unit
