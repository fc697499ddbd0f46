"""What `omnipilot table` does: one table of runs, as it goes into a paper."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import typer

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.report.figures.draw import check_figure
from omnipilot.bench.report.paper.build import TableRequest, paper_table
from omnipilot.bench.report.paper.figure import TO_MILLIMETRES, save_paper_figure
from omnipilot.bench.report.paper.latex import COLUMN, PAGE, LatexOptions, latex_table
from omnipilot.bench.report.paper.plain import csv_table, markdown_table, terminal_table
from omnipilot.bench.report.paper.record import Bold, PaperTable
from omnipilot.bench.report.terminal_tables import plain_tables, render_table
from omnipilot.bench.stats.intervals import check_level
from omnipilot.envs import ConfigError
from omnipilot.memory.secrets.scrub import scrub_error

FORMATS = ("table", "latex", "markdown", "csv", "csv-wide")
POINTS = {"pt": 1.0, "in": 72.27, "mm": 72.27 / 25.4, "cm": 72.27 / 2.54}
"""Of a unit of length, in TeX points."""


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How a table is written.

    Attributes:
        form: one of `FORMATS`. width: "column", "page", or a length such as "219pt". intervals: whether they are shown.
        bold: what stands out. label: for references in LaTeX. standalone: a whole document in LaTeX.
        out: a file; None for the terminal. figures: files to draw to.
    """

    form: str = "table"
    width: str = "column"
    intervals: bool = True
    bold: str = "best"
    label: str = ""
    standalone: bool = False
    out: Path | None = None
    figures: tuple[Path, ...] = ()


def table_command(request: TableRequest, options: TableOptions | None = None) -> None:
    """Make a table, write it and draw it.

    Raises:
        ConfigError: as `paper_table` and `latex_table`; no such format or width; or a label that LaTeX could not read.
        MissingExtra: a figure is asked for, and matplotlib is not installed.
    """
    options = options or TableOptions()
    if options.form not in FORMATS:
        raise ConfigError(describe_unknown("format", options.form, FORMATS))
    if options.bold not in get_args(Bold):
        raise ConfigError(describe_unknown("value of --bold", options.bold, get_args(Bold)))
    if not re.fullmatch(r"[\w:./+-]*", options.label):
        raise ConfigError(f"--label {options.label!r}: it takes letters, digits and : . / + - alone, such as tab:main")
    check_level(request.settings.level)
    points = read_length(options.width)
    for path in options.figures:
        check_figure(path, points * TO_MILLIMETRES)
    table = paper_table(request)
    text = table_text(table, options, request.about)
    if options.out is None:
        typer.echo(f"\n{render_table(terminal_table(table, options.intervals))}\n" if options.form == "table" else text)
    else:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(f"{text}\n", encoding="utf-8")
        typer.echo(f"table: {options.out}")
    for path in options.figures:
        save_paper_figure(table, path, points)
        typer.echo(f"figure: {path}", err=options.out is None and options.form != "table")


def table_text(table: PaperTable, options: TableOptions, caption: str = "") -> str:
    """A table in a format, without keys.

    Args:
        caption: what a user wants it to begin with; "" for what the table says of itself.
    """
    bold: Bold = next(one for one in get_args(Bold) if one == options.bold)
    if options.form == "latex":
        points = read_length(options.width)
        latex = LatexOptions(
            points, options.width == "page", options.intervals, bold, caption, options.label, options.standalone
        )
        return scrub_error(latex_table(table, latex))
    text = {
        "table": lambda: plain_tables([terminal_table(table, options.intervals)]),
        "markdown": lambda: markdown_table(table, options.intervals, bold),
        "csv": lambda: csv_table(table),
        "csv-wide": lambda: csv_table(table, wide=True),
    }[options.form]()
    return scrub_error(text)


def read_length(words: str) -> float:
    """A width in TeX points: of a column, of a page, or a length such as "3.25in" or "219pt".

    Raises:
        ConfigError: it is none of these, or not from 100 to 1500 points.
    """
    named = {"column": COLUMN, "page": PAGE}
    if words in named:
        return named[words]
    read = re.fullmatch(r"\s*([\d.]+)\s*(pt|in|mm|cm)\s*", words)
    try:
        points = float(read[1]) * POINTS[read[2]] if read else 0.0
    except ValueError:
        points = 0.0
    if not 100 <= points <= 1500:
        raise ConfigError(f"--width is column, page or a length from 100pt to 1500pt such as 5.5in, not {words!r}")
    return points


def names_in(text: str | None) -> tuple[str, ...]:
    """The names in a comma-separated list."""
    return tuple(name.strip() for name in (text or "").split(",") if name.strip())


def tags_in(texts: Sequence[str]) -> tuple[str, ...]:
    """The tags of --by, given several times or with commas between."""
    return tuple(dict.fromkeys(name for text in texts for name in names_in(text)))
