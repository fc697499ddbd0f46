"""Tables as files for other programs: CSV, JSON, Markdown and LaTeX."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from typing import Any

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.report.terminal_tables import render_tables
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError
from omnipilot.memory.secrets.scrub import scrub_error

FORMATS = ("table", "csv", "json", "markdown", "latex")
_SIGNED = r"[+−-]?\d[\d,]*(?:\.\d+)?"
_NUMBER = re.compile(_SIGNED)
_OF = re.compile(rf"({_SIGNED})/({_SIGNED})")
_RANGE = re.compile(rf"({_SIGNED}) \[(?:—|({_SIGNED}), ({_SIGNED}))\]")
_LATEX = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "·": r"$\cdot$",
    "—": "---",
    "²": "$^2$",
    "¹": "$^1$",
    "→": r"$\rightarrow$",
}


def check_format(name: str) -> None:
    """Refuse a format that there is not.

    Raises:
        ConfigError: there is none of this name.
    """
    if name not in FORMATS:
        raise ConfigError(describe_unknown("format", name, FORMATS))


def format_tables(tables: Sequence[Table], name: str) -> str:
    """Tables in a format, without keys. CSV holds one table, so that it can be read as such: the first.

    Args:
        name: one of `FORMATS`.
    """
    if name == "table":
        return render_tables(tables)
    text = {
        "csv": lambda: csv_text(tables[0]),
        "json": lambda: json.dumps(list(map(table_json, tables)), ensure_ascii=False, indent=1),
        "markdown": lambda: "\n\n".join(map(markdown, tables)),
        "latex": lambda: "\n\n".join(map(latex, tables)),
    }[name]()
    return scrub_error(text)


def csv_text(table: Table) -> str:
    """The heading and the rows as CSV, as RFC 4180 has it, with plain newlines; without the notes."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows((table.columns, *table.rows))
    return out.getvalue().rstrip("\n")


def table_json(table: Table) -> dict[str, Any]:
    """A table as JSON values: "columns", "rows" (a list of objects by column), "text" (the same as it is printed) and
    "notes".

    In "rows", cells that hold numbers are numbers, as far as they are printed: "32/40" is 32, and 40 stands beside it
    as "total" (of the column "solved") or "COLUMN total"; "62.5 [41.0, 80.1]" is 62.5, with "COLUMN low" and
    "COLUMN high"; "—" and "·" are null.
    """
    words = table.text_columns()
    rows = [
        {
            name: value
            for column, cell, is_word in zip(table.columns, row, words, strict=True)
            for name, value in ({column: cell} if is_word else cell_numbers(column, cell)).items()
        }
        for row in table.rows
    ]
    text = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return {"columns": list(table.columns), "rows": rows, "text": text, "notes": list(table.notes)}


def cell_numbers(column: str, cell: str) -> dict[str, Any]:
    """The numbers of a printed cell by name; a cell that holds none as its text."""
    if cell in ("—", "·", "", "?"):
        return {column: None}
    if whole := _OF.fullmatch(cell):
        return {column: _number(whole[1]), "total" if column == "solved" else f"{column} total": _number(whole[2])}
    if ranged := _RANGE.fullmatch(cell):
        low, high = (_number(one) if one else None for one in (ranged[2], ranged[3]))
        return {column: _number(ranged[1]), f"{column} low": low, f"{column} high": high}
    return {column: _number(cell) if _NUMBER.fullmatch(cell) else cell}


def _number(text: str) -> int | float:
    plain = text.replace(",", "").replace("−", "-")
    return float(plain) if "." in plain else int(plain)


def markdown(table: Table) -> str:
    """A table as GitHub reads it, the notes as a list below it."""
    left = table.text_columns()
    lines = [table.columns, ["---" if is_left else "---:" for is_left in left], *table.rows]
    text = "\n".join(f"| {' | '.join(map(_markdown_cell, line))} |" for line in lines)
    return "\n".join([text, *([""] if table.notes else []), *(f"- {note}" for note in table.notes)])


def latex(table: Table) -> str:
    """A table for the package booktabs, its notes as comments above it."""
    form = "".join("l" if is_left else "r" for is_left in table.text_columns())
    heading, *rows = (" & ".join(map(_latex_cell, line)) + r" \\" for line in (table.columns, *table.rows))
    notes = [f"% {note}" for note in table.notes]
    body = [rf"\begin{{tabular}}{{{form}}}", r"\toprule", heading, r"\midrule", *rows, r"\bottomrule", r"\end{tabular}"]
    return "\n".join([*notes, *body])


def _markdown_cell(cell: str) -> str:
    return cell.replace("|", r"\|").replace("\n", " ")


def _latex_cell(cell: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in cell.replace("\n", " "))
