"""Tables on a terminal that is narrower than they are: in parts below each other, with the notes wrapped."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator

from omnipilot.bench.tables import Table
from omnipilot.memory.secrets.scrub import scrub_error

GAP = 2
"""Spaces between columns."""
NARROWEST = 40


def render_table(table: Table, width: int | None = None) -> str:
    """The table as text, no line longer than `width` where that can be, and without keys.

    What does not fit stands below, with those labels once more in which the rows differ.

    Args:
        width: in characters. Default: the terminal's; without limit where the output goes elsewhere, such as a file.
    """
    if width is None:
        if not sys.stdout.isatty():
            return scrub_error(table.text())
        width = shutil.get_terminal_size().columns
    width = max(width, NARROWEST)
    parts = [part.text() for part in _parts(table, width)]
    notes = [textwrap.fill(note, width, initial_indent="  ", subsequent_indent="    ") for note in table.notes]
    return scrub_error("\n\n".join(parts)) + "".join(f"\n{scrub_error(note)}" for note in notes)


def _parts(table: Table, width: int) -> Iterator[Table]:
    """The columns after the labels, as many at a time as fit beside those, at least one."""
    widths = [max(len(row[i]) for row in (table.columns, *table.rows)) + GAP for i in range(len(table.columns))]
    labels, rest = list(range(table.labels)), list(range(table.labels, len(widths)))
    while True:
        used = sum(widths[i] for i in labels) - GAP
        taken: list[int] = []
        while rest and (not taken or used + sum(widths[i] for i in [*taken, rest[0]]) <= width):
            taken.append(rest.pop(0))
        chosen = [*labels, *taken]
        rows = tuple(tuple(row[i] for i in chosen) for row in table.rows)
        yield Table(tuple(table.columns[i] for i in chosen), rows, labels=len(labels))
        if not rest:
            return
        labels = [i for i in labels if len({row[i] for row in table.rows}) > 1] or labels[:1]
