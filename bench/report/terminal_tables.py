"""Tables on a terminal that is narrower than they are: in parts below each other, with the notes wrapped."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from omnipilot.bench.report.conclusions import MOST_ROWS, Conclusion
from omnipilot.bench.report.terms import with_terms
from omnipilot.bench.tables import Table
from omnipilot.memory.secrets.scrub import scrub_error

GAP = 2
"""Spaces between columns."""
NARROWEST = 40


@dataclass(frozen=True, slots=True)
class ShownRows:
    """How much of a comparison's tables a terminal shows.

    Attributes:
        every: all rows and tables, and not only the largest differences. methods: how figures were obtained.
    """

    every: bool = False
    methods: bool = False

    @property
    def most(self) -> int | None:
        """How many rows besides the reference; None for all."""
        return None if self.every else MOST_ROWS


def plain_tables(tables: Iterable[Table]) -> str:
    """Tables as plain text of any width, with their notes and without keys; for files."""
    return "\n\n".join(scrub_error(table.text()) for table in with_terms(table.with_methods() for table in tables))


def render_results(
    conclusion: Conclusion, tables: Iterable[Table], shown: ShownRows | None = None, width: int | None = None
) -> str:
    """What a comparison prints: its conclusion, then its tables (`render_tables`), then where more is to be found."""
    methods = shown is not None and shown.methods
    printed = [table.with_methods() if methods else replace(table, methods=()) for table in tables]
    hint = "" if methods else "\n  --methods says how intervals and p-values were obtained"
    return f"{render_text([conclusion.text], width)}\n\n{render_tables(printed, width)}{hint}"


def render_text(lines: Iterable[str], width: int | None = None) -> str:
    """Sentences, wrapped where the output is a terminal or `width` is given, and without keys."""
    text = list(lines)
    if width is not None or sys.stdout.isatty():
        columns = max(width or shutil.get_terminal_size().columns, NARROWEST)
        text = [part for line in text for part in _wrapped(line, columns, first="", rest="")]
    return scrub_error("\n".join(text))


def render_table(table: Table, width: int | None = None) -> str:
    """One table as `render_tables` has it."""
    return render_tables([table], width)


def render_tables(tables: Iterable[Table], width: int | None = None) -> str:
    """Tables as text, with an empty line between them, no line longer than `width` if that is possible, without keys.

    What does not fit stands below, with those labels repeated that tell the rows apart. On a terminal, headings stand
    out (unless $NO_COLOR is set or $TERM is "dumb"); anywhere else the text is plain. The glossary is named once, below
    the last table that has figures.

    Args:
        width: in terminal cells. Default: the terminal's; unlimited where the output goes elsewhere, such as a file.
    """
    on_terminal = width is None and sys.stdout.isatty()
    if width is None and not on_terminal:
        return "\n\n".join(scrub_error(table.text()) for table in with_terms(tables))
    width = max(width or shutil.get_terminal_size().columns, NARROWEST)
    styled = on_terminal and not os.environ.get("NO_COLOR")
    return "\n\n".join(_rendered(table, width, styled) for table in with_terms(tables))


def _rendered(table: Table, width: int, styled: bool) -> str:
    parts = [[scrub_error(line) for line in part.lines()] for part in _parts(table, width)]
    notes = [line for note in table.notes for line in _wrapped(scrub_error(note), width)]
    if styled:
        return _styled(parts, notes)
    return "\n\n".join("\n".join(lines) for lines in parts) + "".join(f"\n{line}" for line in notes)


def _wrapped(note: str, width: int, first: str = "  ", rest: str = "    ") -> list[str]:
    """A note in lines of at most `width` cells, indented by `first` and `rest`."""
    from rich.console import Console
    from rich.text import Text

    # Wrapped at the width of the lines after the first, which are indented further.
    lines = Text(note).wrap(Console(width=width), width - 4)
    return [f"{rest if i else first}{line.plain.rstrip()}" for i, line in enumerate(lines)]


def _styled(parts: Sequence[Sequence[str]], notes: Sequence[str]) -> str:
    """The lines with headings in bold, rules and notes dimmed. Cells are never read as markup."""
    from rich.console import Console
    from rich.text import Text

    text = Text()
    for number, (heading, rule, *rows) in enumerate(parts):
        text.append("\n\n" if number else "").append(heading, "bold").append(f"\n{rule}", "dim")
        text.append("".join(f"\n{row}" for row in rows))
    text.append("".join(f"\n{note}" for note in notes), "dim")
    console = Console(soft_wrap=True, highlight=False, markup=False, emoji=False)
    with console.capture() as captured:
        console.print(text, end="")
    return captured.get()


def _parts(table: Table, width: int) -> Iterator[Table]:
    """The columns after the labels, as many at a time as fit beside those, at least one."""
    widths = [each + GAP for each in table.widths()]
    labels, rest = list(range(table.labels)), list(range(table.labels, len(widths)))
    while True:
        used = sum(widths[i] for i in labels) - GAP
        taken: list[int] = []
        while rest and (not taken or used + sum(widths[i] for i in [*taken, rest[0]]) <= width):
            taken.append(rest.pop(0))
        chosen = [*labels, *taken]
        rows = tuple(tuple(row[i] for i in chosen) for row in table.rows)
        yield Table(tuple(table.columns[i] for i in chosen), rows, labels=len(labels), words=table.words)
        if not rest:
            return
        labels = [i for i in labels if len({row[i] for row in table.rows}) > 1] or labels[:1]
