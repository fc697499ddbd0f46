"""Figures of runs as tables: a row for each run, and the differences from one of them."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.bench.report.comparison_table import p_text
from omnipilot.bench.report.method_notes import interval_words, intervals_note, p_words_of
from omnipilot.bench.scoring.compared_figures import ComparedFigure
from omnipilot.bench.scoring.score import Figure
from omnipilot.bench.stats.intervals import LEVEL, Interval
from omnipilot.bench.tables import Table

Rows = Sequence[Sequence[ComparedFigure]]


def figures_table(names: Sequence[str], rows: Rows, level: float = LEVEL, label: str = "run") -> Table:
    """A row for each run, and a column for each figure with its interval; void units where there are any.

    Args:
        names: of the runs. label: heading of their column.
    """
    figures = [[one.figure for one in row] for row in rows]
    voids = any(one.void for row in figures for one in row)
    cells = tuple(
        (name, *map(figure_text, row), *([str(max((one.void for one in row), default=0))] if voids else []))
        for name, row in zip(names, figures, strict=True)
    )
    columns = (label, *(one.heading for one in figures[0]), *(["void"] if voids else []))
    notes = [intervals_note(level)]
    if short := [f"{one.short}: {one.name[0].lower()}{one.name[1:]}" for one in figures[0] if one.short]:
        notes.append("; ".join(short))
    of: dict[str, list[str]] = {}
    for number, one in enumerate(figures[0]):
        of.setdefault(_counts(figures, number), []).append(one.heading)
    notes += [f"{', '.join(headings)}: of {counts}" for counts, headings in of.items()]
    return Table(columns, cells, tuple(notes))


def further_tables(
    names: Sequence[str], rows: Rows, reference: int = 0, level: float = LEVEL, label: str = "run"
) -> tuple[Table, ...]:
    """Both tables of the figures that rows have beside SR; none where they have none.

    Args:
        names, rows: of the runs that have figures. reference: index of the row that others are compared with.
    """
    if not rows or not rows[reference]:
        return ()
    apart = differences_table(names, rows, reference)
    return (figures_table(names, rows, level, label), *([apart] if apart else []))


def differences_table(names: Sequence[str], rows: Rows, reference: int = 0) -> Table | None:
    """A row for each run and figure: its difference from the reference, with p-values; None where nothing is paired.

    Only the headline, the first figure, is corrected for the number of runs; the others are exploratory.
    """
    cells = []
    for number in range(len(rows[reference])):
        for name, row in zip(names, rows, strict=True):
            one = row[number]
            if one.difference is not None:
                adjusted = p_text(one.adjusted) if number == 0 else ""
                least = one.difference.detectable
                cells.append(
                    (
                        one.figure.heading,
                        name,
                        difference_text(one),
                        p_text(one.difference.p),
                        adjusted,
                        "—" if least is None else f"{one.figure.scale * least:.{one.figure.digits}f}",
                        str(one.items),
                    )
                )
    if not cells:
        return None
    told = [one for row in rows for one in row if one.difference is not None]
    apart = [one.difference for one in told if one.difference is not None]
    first = rows[reference][0].figure
    notes = [
        f"difference: a run minus {names[reference]}, in the unit of the figure, paired by item; "
        + interval_words("interval", [one.interval.method for one in apart])
        + "; "
        + p_words_of([one.test for one in apart]),
    ]
    if len(rows) > 2:
        notes.append(f"p Holm: of {first.heading}, over its {len(rows) - 1} rows")
    if len(rows[reference]) > 1:
        notes.append(f"{first.heading} is the headline; the other figures are exploratory")
    if unpaired := [one.heading for one in (cell.figure for cell in rows[reference]) if not one.items]:
        notes.append(f"not paired, as no item has one part in it: {', '.join(unpaired)}")
    columns = ("figure", "run", "difference", "p", "p Holm", "detectable", "items")
    return Table(columns, tuple(cells), tuple(notes), labels=2)


def figure_text(figure: Figure) -> str:
    """A figure with its interval as a cell; "—" where it is undefined."""
    return interval_text(figure, figure.interval)


def interval_text(figure: Figure, interval: Interval | None) -> str:
    """An interval in the unit of a figure."""
    return "—" if interval is None else interval.text(figure.digits, figure.scale)


def difference_text(one: ComparedFigure) -> str:
    """A difference in the unit of its figure; "—" for none."""
    if one.difference is None:
        return "—"
    return one.difference.interval.text(one.figure.digits, one.figure.scale, signed=True)


def _counts(figures: Sequence[Sequence[Figure]], number: int) -> str:
    """The denominators of a figure over all rows: "12 steps", "10 to 12 steps"."""
    counts = sorted({row[number].of for row in figures})
    unit = figures[0][number].unit
    return f"{counts[0]} {unit}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]} {unit}"
