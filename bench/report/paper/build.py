"""From runs to a paper's table: its rows, its columns, and every cell with its interval and difference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

from omnipilot.bench.experiments.budget import read_budgets, under_budget
from omnipilot.bench.report.method_notes import bound_notes, bound_notes_of, harness_notes
from omnipilot.bench.report.paper.record import OVERALL, Delta, PaperCell, PaperColumn, PaperRow, PaperTable
from omnipilot.bench.report.paper.row_names import split_column
from omnipilot.bench.report.paper.sources import TableSource, find_sources, gold_grounder, head_of_labels, reference_of
from omnipilot.bench.report.paper.values import (
    Part,
    TableValue,
    ValueSettings,
    difference_of,
    expand,
    printed_beside,
    usual_names,
    value_of,
    values_of_tag,
)
from omnipilot.bench.stats.correction import holm
from omnipilot.envs import ConfigError

MOST_COLUMNS = 60


@dataclass(frozen=True, slots=True)
class TableRequest:
    """What a table shows.

    Attributes:
        runs: as for `find_sources`. columns: names of figures; FIGURE/TAG for one by the values of a tag. Empty: those
            of the benchmark. by: one tag or two, whose values are columns for each figure. rows: a tag whose values are
            sections of rows; "" for none. turns: budgets of turns that are sections of rows; "" for none.
        reference: as for `reference_of`. overall: whether figures over all tasks stand beside those by a tag.
        about: the first sentence of the caption; "" for what is known.
        printed: whether the rows that the benchmark's paper prints stand below those of the runs.
    """

    runs: tuple[str, ...]
    columns: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    rows: str = ""
    turns: str = ""
    reference: str = ""
    overall: bool = True
    about: str = ""
    settings: ValueSettings = field(default_factory=ValueSettings)
    printed: bool = False


@dataclass(frozen=True, slots=True)
class _Column:
    """A column before its cells: which figure of which suite, over which part."""

    suite: str
    figure: str
    part: Part
    group: str
    head: str
    of_suite: bool = False


@dataclass(frozen=True, slots=True)
class _Row:
    """A row before its cells: a label with the run of each suite, over which part."""

    label: str
    section: str
    part: Part
    sources: Mapping[str, TableSource]
    of: int
    """Which of the sources it is of, for the reference: rows of other sections have the same."""

    @property
    def folders(self) -> frozenset[Path]:
        """Where its runs lie."""
        return frozenset(one.folder for one in self.sources.values())


def paper_table(request: TableRequest, sources: Sequence[TableSource] | None = None) -> PaperTable:
    """The table of some runs.

    Args:
        sources: the runs, where they are known; None to find those that the request names.

    Raises:
        ConfigError: there is no run, figure, tag or reference of a name; nothing is finished; or the runs are of
            several suites and cannot stand in one table; or printed rows are asked for, and there are none.
    """
    sources = find_sources(request.runs) if sources is None else sources
    reference = reference_of(sources, request.reference)
    suites = list(dict.fromkeys(one.suite for one in sources))
    _check_suites(request, suites)
    rows = _rows(request, sources)
    columns = _columns(request, sources, suites)
    values = [[_value(row, column, request.settings) for column in columns] for row in rows]
    kept = [
        at
        for at in range(len(columns))
        if any((value := line[at]) is not None and value.figure.interval is not None for line in values)
    ]
    if not kept:
        raise ConfigError(
            "none of these runs has a figure yet: no episode has come to an end; start them again to finish them"
        )
    columns, values = [columns[at] for at in kept], [[line[at] for at in kept] for line in values]
    against = None if reference is None else _reference_rows(rows, rows_of_reference(rows, sources[reference]))
    deltas = _deltas(rows, columns, values, against, request.settings)
    shown = tuple(_shown(column, [line[at] for line in values]) for at, column in enumerate(columns))
    cells = tuple(
        tuple(_cell(value, delta) for value, delta in zip(line, apart, strict=True))
        for line, apart in zip(values, deltas, strict=True)
    )
    name = "" if reference is None else sources[reference].label
    made = PaperTable(
        head_of_labels(sources, request.runs),
        shown,
        tuple(_shown_row(row, name if against else "") for row in rows),
        cells,
        request.about or _about(request, suites, shown),
        (),
        name if against else "",
        sum(delta is not None and delta.adjusted is not None for line in deltas for delta in line),
        request.settings.level,
    )
    made = replace(made, notes=tuple(_notes(made, sources)))
    return _with_printed(made, columns, sources, request.settings) if request.printed else made


def _with_printed(
    table: PaperTable, columns: Sequence[_Column], sources: Sequence[TableSource], settings: ValueSettings
) -> PaperTable:
    """The table, and below it what the papers of its suites print of the same tasks."""
    found = {one.suite: printed for one in sources if (printed := printed_beside(one, settings)) is not None}
    if not found:
        raise ConfigError(
            "--printed: no paper's rows are known for these runs; they are of a benchmark's whole test split (omniact)"
        )
    section = "As printed" if any(row.section for row in table.rows) else ""
    rows, cells = list(table.rows), list(table.cells)
    for suite, printed in found.items():
        for name, figures in printed.rows.items():
            rows.append(PaperRow(f"{name} (as printed)", section, printed=True))
            told = {figure.casefold(): value for figure, value in figures.items()}
            cells.append(
                tuple(
                    PaperCell(told.get(shown.figure.casefold()) if (one.suite, one.part) == (suite, ()) else None)
                    for one, shown in zip(columns, table.columns, strict=True)
                )
            )
    notes = (*table.notes, *dict.fromkeys(printed.note for printed in found.values()))
    return replace(table, rows=tuple(rows), cells=tuple(cells), notes=notes)


def _check_suites(request: TableRequest, suites: Sequence[str]) -> None:
    if len(suites) > 1 and (request.by or request.rows or request.turns):
        raise ConfigError(
            f"these runs are of {len(suites)} suites ({', '.join(suites)}), which stand side by side as columns; leave "
            "out --by, --rows and --turns, or make a table of each suite"
        )
    if len(request.by) > 2:
        raise ConfigError("--by takes one tag or two: heads of columns have two levels")


def _rows(request: TableRequest, sources: Sequence[TableSource]) -> list[_Row]:
    """One row a label, in each section."""
    by_label: dict[tuple[str, str], dict[str, TableSource]] = {}
    for one in sources:
        own = by_label.setdefault((one.section, one.label), {})
        if one.suite in own:
            raise ConfigError(f"two runs of {one.suite} are called {one.label!r}; name one by NAME=RUN")
        own[one.suite] = one
    plain = [_Row(label, section, (), own, at) for at, ((section, label), own) in enumerate(by_label.items())]
    if request.turns and request.rows:
        raise ConfigError("--turns and --rows both make sections of rows; give one of them")
    if request.turns:
        budgets = list(dict.fromkeys(read_budgets(request.turns)))
        return [
            replace(row, section=f"At most {budget}", sources={name: _cut(one, budget) for name, one in own.items()})
            for budget in budgets
            for row in plain
            for own in (row.sources,)
        ]
    if not request.rows:
        return plain
    sections: list[tuple[str, Part]] = [
        (_value_words(value), ((request.rows, value),)) for value in values_of_tag(sources, request.rows)
    ]
    sections += [(OVERALL, ())] * request.overall
    return [replace(row, section=name, part=part) for name, part in sections for row in plain]


def _cut(source: TableSource, budget: object) -> TableSource:
    if source.run is None or source.cut:
        raise ConfigError(f"--turns is for runs of agents, and {source.folder} is another; leave it out")
    return replace(source, run=under_budget(source.run, budget), cut=True)  # type: ignore[arg-type]


def _columns(request: TableRequest, sources: Sequence[TableSource], suites: Sequence[str]) -> list[_Column]:
    found: list[_Column] = []
    for suite in suites:
        own = [one for one in sources if one.suite == suite]
        first = _cut(own[0], read_budgets(request.turns)[0]) if request.turns else own[0]
        named = [one for name in request.columns for one in expand(first, name.strip(), request.settings)]
        names = named or usual_names(first, request.settings)
        made = [column for name in names for column in _columns_of(request, own, suite, name)]
        if len(suites) > 1:
            made = [replace(column, group=suite, of_suite=True) for column in made]
        elif len(request.by) == 1 and len(names) > 1 and not any(split_column(name)[1] for name in names):
            made = _by_value(made)
        found += made
    if len(found) > MOST_COLUMNS:
        raise ConfigError(f"that makes {len(found)} columns; choose fewer with --columns, or another --by")
    return found


def _columns_of(request: TableRequest, sources: Sequence[TableSource], suite: str, name: str) -> Iterator[_Column]:
    """A figure over all tasks, or by the values of tags and over all."""
    figure, tag = split_column(name)
    tags = (tag,) if tag else request.by
    if not tags:
        yield _Column(suite, figure, (), "", figure)
        return
    values = [values_of_tag(sources, one) for one in tags]
    for chosen in product(*values):
        part = tuple(zip(tags, chosen, strict=True))
        if len(tags) == 2:
            yield _Column(suite, figure, part, _value_words(chosen[0]), _value_words(chosen[1]))
        else:
            yield _Column(suite, figure, part, f"{figure} by {tag}" if tag else "", _value_words(chosen[0]))
    if request.overall and not tag:
        yield _Column(suite, figure, (), "", OVERALL)


def _by_value(columns: Sequence[_Column]) -> list[_Column]:
    """Several figures by one tag: each value is a group of its figures."""
    order = list(dict.fromkeys(column.head for column in columns))
    return [
        replace(column, group=head, head=column.figure) for head in order for column in columns if column.head == head
    ]


_SPELT = ("Windows", "macOS", "Linux", "iOS", "Android", "Web")
_PLATFORMS = {name.casefold(): name for name in _SPELT} | {"mac": "macOS"}


def _value_words(value: str) -> str:
    """A value of a tag as a head: platforms as they write themselves, other words with a capital."""
    plain = value.casefold().removeprefix("os_")
    return _capital(_PLATFORMS.get(plain, value.replace("_", " ")))


def _capital(value: str) -> str:
    return value.capitalize() if value.islower() else value


def _value(row: _Row, column: _Column, settings: ValueSettings) -> TableValue | None:
    source = row.sources.get(column.suite)
    if source is None:
        return None
    if source.run is not None and not source.run.episodes:
        return None
    return value_of(source, column.figure, (*row.part, *column.part), settings)


def rows_of_reference(rows: Sequence[_Row], reference: TableSource) -> int:
    """Which rows are those of the reference: the number that all of them share."""
    return next(row.of for row in rows for one in row.sources.values() if one.folder == reference.folder
                and one.label == reference.label)  # fmt: skip


def _reference_rows(rows: Sequence[_Row], of: int) -> dict[int, int]:
    """For each row, the row that it is compared with: the reference's over the same part, in the same section."""
    found: dict[int, int] = {}
    for at, row in enumerate(rows):
        for other, candidate in enumerate(rows):
            same = candidate.part == row.part and any(
                one.cut == two.cut and (not one.cut or candidate.section == row.section)
                for one in candidate.sources.values()
                for two in row.sources.values()
            )
            if candidate.of == of and same and row.of != of:
                found[at] = other
    return found


def _deltas(
    rows: Sequence[_Row],
    columns: Sequence[_Column],
    values: Sequence[Sequence[TableValue | None]],
    against: Mapping[int, int] | None,
    settings: ValueSettings,
) -> list[list[Delta | None]]:
    """The difference of each cell from the reference's; p is adjusted over those of all tasks."""
    found: list[list[Delta | None]] = [[None] * len(columns) for _ in rows]
    for at, other in (against or {}).items():
        for place, column in enumerate(columns):
            a, b = values[other][place], values[at][place]
            if a is None or b is None:
                continue
            apart = difference_of(a, b, column.figure, settings)
            if apart is not None:
                scale, interval = b.figure.scale, apart.interval
                low, high = (None if end is None else scale * end for end in (interval.low, interval.high))
                # One run under two budgets: exchanging them means nothing, so nothing is tested.
                p = None if rows[at].folders & rows[other].folders else apart.p
                found[at][place] = Delta(scale * interval.estimate, low, high, p)
    family = [
        (at, place)
        for at, row in enumerate(rows)
        for place, column in enumerate(columns)
        if not row.part and not column.part and (delta := found[at][place]) is not None and delta.p is not None
    ]
    adjusted = holm([found[at][place].p for at, place in family])  # type: ignore[union-attr,misc]
    for (at, place), p in zip(family, adjusted, strict=True):
        delta = found[at][place]
        assert delta is not None
        found[at][place] = replace(delta, adjusted=p)
    return found


def _shown(column: _Column, values: Sequence[TableValue | None]) -> PaperColumn:
    figure = next(value.figure for value in values if value is not None)
    head, group = column.head, column.group
    title = figure.short or figure.name
    if not column.part and head == column.figure:
        head = title
    if group == column.figure or head == column.figure:
        group, head = (title if part == column.figure else part for part in (group, head))
    if column.part and group.startswith(f"{column.figure} by "):
        group = title + group.removeprefix(column.figure)
    unit = "%" if figure.scale == 100 else ""
    return PaperColumn(head, group, unit, figure.digits, figure.better, bool(column.part), title, column.of_suite)


def _shown_row(row: _Row, reference: str) -> PaperRow:
    sources = list(row.sources.values())
    return PaperRow(
        row.label,
        row.section,
        " ".join(one.folder.name for one in sources),
        bool(reference) and row.label == reference,
        any(one.unfinished for one in sources),
        bool(row.part),
    )


def _cell(value: TableValue | None, delta: Delta | None) -> PaperCell:
    if value is None or value.figure.interval is None:
        return PaperCell()
    figure, interval = value.figure, value.figure.interval
    low, high = (None if end is None else figure.scale * end for end in (interval.low, interval.high))
    return PaperCell(
        figure.scale * interval.estimate,
        low,
        high,
        figure.of,
        figure.unit,
        interval.clusters,
        figure.void,
        interval.level,
        interval.method,
        delta,
    )


def _about(request: TableRequest, suites: Sequence[str], columns: Sequence[PaperColumn]) -> str:
    by = [*request.by, *([request.rows] if request.rows else [])]
    words = f" by {' and '.join(by)}" if by else ""
    figures = list(dict.fromkeys(column.figure for column in columns))
    names = f": {figures[0]}" if len(figures) == 1 else ""
    return f"Results on {' and '.join(suites)}{words}{names}"


def _notes(table: PaperTable, sources: Sequence[TableSource]) -> Iterator[str]:
    """What a reader must know: how many, how intervals were made, what counts as wrong, what is no agent's result."""
    if counts := _counts(table):
        yield f"n = {counts}"
    if methods := _methods(table):
        yield f"Intervals by {methods}"
    voids = sum(
        cell.void for row, line in zip(table.rows, table.cells, strict=True) for cell in line[:1] if not row.partial
    )
    if voids:
        yield f"{voids} void episodes (a device or a model was lost) count as zero"
    runs = [replace(one.run, name=one.label) for one in sources if one.run is not None]
    versions: dict[str, set[str]] = {}
    for run in runs:
        versions.setdefault(run.spec.suite.name, set()).add(run.spec.suite_version)
    yield from (
        f"{suite}: runs of {len(found)} versions of its tasks, which are not the same; run them again"
        for suite, found in versions.items()
        if len(found) > 1
    )
    yield from harness_notes((run.name, run) for run in {run.name: run for run in runs}.values())
    yield from bound_notes_of({run.name: run for run in runs}.values())
    yield from bound_notes((one.label, gold_grounder(one)) for one in sources)


def _counts(table: PaperTable) -> str:
    """How many units the figures over all tasks are of, such as "69 steps (EM, TM), 10 episodes (SR, GP)"."""
    found: dict[str, list[str]] = {}
    several = len({column.group for column in table.columns if column.suite}) > 1
    rows = [line for row, line in zip(table.rows, table.cells, strict=True) if not row.partial]
    for at, column in enumerate(table.columns):
        counts = {line[at].count for line in rows if line[at].count} if not column.partial else set()
        if counts:
            unit = next(line[at].unit for line in rows if line[at].count)
            unit = unit.removesuffix("s") if counts == {1} else unit
            span = f"{min(counts):,}" if len(counts) == 1 else f"{min(counts):,} to {max(counts):,}"
            found.setdefault(f"{span} {unit}", []).append(column.group if several else column.figure or column.head)
    if len(found) == 1:
        return next(iter(found))
    return ", ".join(f"{words} ({', '.join(dict.fromkeys(names))})" for words, names in found.items())


def _methods(table: PaperTable) -> str:
    """The methods of intervals, without what differs from cell to cell."""
    said: dict[str, None] = {}
    for line in table.cells:
        for cell in line:
            if cell.low is not None:
                said.setdefault(_method_words(cell.method))
    return " or ".join(said)


def _method_words(method: str) -> str:
    """Such as "Wilson over whole screens" for "Wilson over 12 screens, all alike"."""
    name = "a bootstrap" if method.startswith("bootstrap") else "Student's t" if method.startswith("t,") else "Wilson"
    if not method.startswith(("bootstrap", "t,", "Wilson")):
        name = method.split(",")[0]
    over = [noun for noun in re.findall(r"\b\d+ ([a-z][\w ]*)", method) if not noun.startswith("degrees")]
    return f"{name} over whole {over[-1]}" if over else name
