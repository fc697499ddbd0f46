"""Tables of text, as terminals and reports show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """Text cells; `numbers` says which columns are aligned to the right."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    labels: int = 1

    def text(self) -> str:
        """The table for a terminal, its notes below."""
        widths = [max(len(row[i]) for row in (self.columns, *self.rows)) for i in range(len(self.columns))]

        def line(cells: Sequence[str]) -> str:
            padded = (
                cell.ljust(width) if i < self.labels else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
            )
            return "  ".join(padded).rstrip()

        rule = "  ".join("─" * width for width in widths)
        return "\n".join([line(self.columns), rule, *map(line, self.rows), *(f"  {note}" for note in self.notes)])
