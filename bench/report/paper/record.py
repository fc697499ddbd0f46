"""A table of a paper: rows of models or conditions, columns of figures, each cell with its interval and difference.

What stands in it, without how it is written: `latex.py`, `markdown.py`, `csv_file.py` and `terminal.py` write it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

OVERALL = "Overall"
"""The head of a figure over all tasks, where other columns of it are over some."""
Bold: TypeAlias = Literal["best", "second", "none"]
"""What stands out: the best number of each column, the second best (underlined) too, or nothing."""
SIGNIFICANT = 0.05
"""Adjusted p-values below it have a mark."""


@dataclass(frozen=True, slots=True)
class PaperColumn:
    """A column of figures.

    Attributes:
        head: such as "SR" or "Windows". group: the head above it and its neighbours of the same group; "" for none.
        unit: of the numbers as printed: "%" or "", or a word such as "tokens".
        digits: decimal places. better: which values are better, "higher" or "lower"; "" for neither.
        partial: it is about some of the tasks: those with a value of a tag.
        figure: the name of its figure, for files; "" where the head is it. suite: its group is a suite.
    """

    head: str
    group: str = ""
    unit: str = "%"
    digits: int = 1
    better: str = "higher"
    partial: bool = False
    figure: str = ""
    suite: bool = False

    @property
    def name(self) -> str:
        """Both heads in one line."""
        return f"{self.group} {self.head}" if self.group else self.head


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A row: a model or a condition.

    Attributes:
        label: as printed. section: a heading above it and its neighbours of the same section; "" for none.
        run: the run directory, for files. reference: the others are compared with it.
        unfinished: not all of its episodes are there. partial: it is about some of the tasks.
        printed: its numbers are copied from a paper; they are compared with nothing, and never the best.
    """

    label: str
    section: str = ""
    run: str = ""
    reference: bool = False
    unfinished: bool = False
    partial: bool = False
    printed: bool = False


@dataclass(frozen=True, slots=True)
class Delta:
    """How much a cell differs from the reference's, in the numbers as printed.

    Attributes:
        low, high: ends of the interval; None if there is none. p: of no difference; None if it cannot be tested.
        adjusted: Holm's p over the comparisons that the table makes; None for those of part of the tasks, which are
            exploratory.
    """

    estimate: float
    low: float | None
    high: float | None
    p: float | None
    adjusted: float | None = None

    @property
    def significant(self) -> bool:
        """Whether it is told apart from the reference, after the correction."""
        return self.adjusted is not None and self.adjusted < SIGNIFICANT


@dataclass(frozen=True, slots=True)
class PaperCell:
    """One number, as printed (in percent where the column's unit is "%").

    Attributes:
        estimate: None if it is not defined. low, high: ends of its interval; None if there is none.
        count: of the units averaged over, such as episodes; unit: what these are. clusters: independent groups of them.
        void: units that say nothing about the agent and count as wrong. level: of the interval. method: in words.
        delta: against the reference.
    """

    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    count: int = 0
    unit: str = ""
    clusters: int = 0
    void: int = 0
    level: float = 0.95
    method: str = ""
    delta: Delta | None = None


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table of a paper.

    Attributes:
        stub: the head of the labels. cells: one line of cells a row.
        about: what the caption says first. notes: what a reader must know, in sentences without a full stop.
        reference: the label of the row that the others are compared with; "" for none. comparisons: how many were
            corrected for together.
        level: of the intervals.
    """

    stub: str
    columns: tuple[PaperColumn, ...]
    rows: tuple[PaperRow, ...]
    cells: tuple[tuple[PaperCell, ...], ...]
    about: str = ""
    notes: tuple[str, ...] = ()
    reference: str = ""
    comparisons: int = 0
    level: float = 0.95

    def sections(self) -> Iterator[tuple[str, list[int]]]:
        """Each section with the numbers of its rows, in order."""
        for name in dict.fromkeys(row.section for row in self.rows):
            yield name, [at for at, row in enumerate(self.rows) if row.section == name]

    def groups(self) -> list[tuple[str, list[int]]]:
        """Neighbouring columns of one group; those without a group stand each alone."""
        found: list[tuple[str, list[int]]] = []
        for at, column in enumerate(self.columns):
            if found and column.group and found[-1][0] == column.group:
                found[-1][1].append(at)
            else:
                found.append((column.group, [at]))
        return found

    def ranks(self) -> list[list[int]]:
        """For each cell, 1 if it is the best of its column and section as printed, 2 if second best, else 0.

        Columns that are better neither way, and those whose numbers are all the same in a section, have none; nor have
        rows that are copied from a paper.
        """
        found = [[0] * len(self.columns) for _ in self.rows]
        for _, rows in self.sections():
            for at, column in enumerate(self.columns):
                values = {
                    row: round(value, column.digits)
                    for row in rows
                    if (value := self.cells[row][at].estimate) is not None and not self.rows[row].printed
                }
                if len(set(values.values())) < 2 or not column.better:
                    continue
                order = sorted(set(values.values()), reverse=column.better == "higher")
                for row, value in values.items():
                    found[row][at] = order.index(value) + 1 if value in order[:2] else 0
        return found

    @property
    def any_significant(self) -> bool:
        """Whether any cell is told apart from the reference."""
        return any(cell.delta is not None and cell.delta.significant for line in self.cells for cell in line)

    def part(self, columns: Sequence[int]) -> PaperTable:
        """The same rows with some of the columns."""
        return replace(
            self,
            columns=tuple(self.columns[at] for at in columns),
            cells=tuple(tuple(line[at] for at in columns) for line in self.cells),
        )

    def unit_words(self) -> str:
        """The one unit that all columns have; "" if they differ."""
        units = {column.unit for column in self.columns}
        return units.pop() if len(units) == 1 else ""

    def sentences(self, intervals: bool = True, bold: Bold = "best") -> list[str]:
        """What a caption says after its first words: units, intervals, marks, and the notes.

        Args:
            intervals: whether they are printed. bold: "best", "second" (best and second best) or "none".
        """
        said = []
        unit = self.unit_words()
        if unit == "%":
            said.append("Figures in %")
        if intervals and any(cell.low is not None for line in self.cells for cell in line):
            said.append(f"Brackets: {100 * self.level:g}% intervals")
        if any(rank for line in self.ranks() for rank in line) and bold != "none":
            second = ", underlined: the second" if bold == "second" else ""
            among = "a column in its section" if any(row.section for row in self.rows) else "a column"
            said.append(f"Bold: the best estimate of {among}{second}, whether or not it can be told from the others")
        if self.reference:
            said.append(self._test_words())
        if any(row.unfinished for row in self.rows):
            said.append(f"{DAGGER} not finished: episodes are missing")
        return [*said, *self.notes]

    def _test_words(self) -> str:
        if not self.comparisons:
            return f"Nothing here can be tested against {self.reference}"
        times = "one comparison" if self.comparisons == 1 else f"Holm over {self.comparisons} comparisons"
        words = f"differs from {self.reference} (paired by task, p < {SIGNIFICANT:g}, {times})"
        parts = "; columns about part of the tasks are exploratory and not tested"
        some = any(column.partial for column in self.columns) or any(row.partial for row in self.rows)
        partial = parts if some else ""
        return f"{STAR} {words}{partial}" if self.any_significant else f"Nothing {words}{partial}"


STAR, DAGGER = "*", "†"


def number(value: float, digits: int) -> str:
    """A number as printed, with a minus sign and without a negative zero: "62.5", "−3.0"."""
    shown = f"{value:,.{digits}f}" if abs(value) >= 10_000 else f"{value:.{digits}f}"
    return (shown[1:] if float(shown.replace(",", "")) == 0 and shown[0] == "-" else shown).replace("-", "−")


def ends(cell: PaperCell, digits: int) -> tuple[str, str] | None:
    """The ends of an interval as printed; None if there is none."""
    if cell.low is None or cell.high is None:
        return None
    return number(cell.low, digits), number(cell.high, digits)
