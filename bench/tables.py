"""Tables of text, as terminals and reports show them."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text cells under column headings.

    Attributes:
        notes: lines below the table: what its reader needs at once.
        methods: further lines, on how its figures were obtained; they stand in files and on pages, and in a terminal
            where they are asked for.
        labels: how many columns, from the left, say what a row is of.
        words: headings of further columns that hold words. These and the labels are aligned to the left, all other
            columns to the right.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    labels: int = 1
    words: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()

    def with_methods(self) -> Table:
        """The table with its methods among its notes."""
        return replace(self, notes=(*self.notes, *self.methods), methods=())

    def text(self) -> str:
        """The table as plain text, its notes below."""
        return "\n".join([*self.lines(), *(f"  {note}" for note in self.notes)])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(one)}</th>" for one in self.columns)
        body = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in self.rows)
        notes = "<br>".join(map(html.escape, self.notes))
        return f"<table><tr>{head}</tr>{body}</table><small>{notes}</small>"

    def lines(self) -> Iterator[str]:
        """The heading, the rule below it, and a line for each row; wide characters count as the two cells they take."""
        widths = self.widths()
        yield self._line(self.columns, widths)
        yield "  ".join("─" * width for width in widths)
        for row in self.rows:
            yield self._line(row, widths)

    def widths(self) -> list[int]:
        """The width of each column in terminal cells."""
        from rich.cells import cell_len

        return [max(cell_len(row[i]) for row in (self.columns, *self.rows)) for i in range(len(self.columns))]

    def text_columns(self) -> list[bool]:
        """For each column, whether it is aligned to the left."""
        return [i < self.labels or name in self.words for i, name in enumerate(self.columns)]

    def _line(self, cells: tuple[str, ...], widths: list[int]) -> str:
        from rich.cells import cell_len

        padded = []
        for cell, width, left in zip(cells, widths, self.text_columns(), strict=True):
            padding = " " * (width - cell_len(cell))
            padded.append(cell + padding if left else padding + cell)
        return "  ".join(padded).rstrip()
