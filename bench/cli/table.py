"""The command `table`: a table or a figure of runs that goes into a paper as it is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import File, Many, Text


def table(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN",
            help="Run directories, folders of them (of a sweep, grid, ablation or comparison), or runs of `ground`; "
            "NAME=RUN or SECTION/NAME=RUN gives a row a name.",
        ),
    ],
    columns: Annotated[
        Text,
        typer.Option(
            metavar="LIST",
            help="Figures, comma-separated: the benchmark's (AS, EM, …), sr, eqa, turns, …; FIGURE/TAG for one by the "
            "values of a tag. Default: the benchmark's.",
        ),
    ] = None,
    by: Annotated[
        Many,
        typer.Option(
            metavar="TAG", help="Tag of tasks (platform, level, …) whose values become columns; two make two heads."
        ),
    ] = None,
    rows: Annotated[
        Text, typer.Option(metavar="TAG", help="Tag of tasks whose values become sections of rows.")
    ] = None,
    turns: Annotated[
        Text,
        typer.Option(metavar="A,B", help="Budgets of turns (15,50 or 50%,100%) that become sections of rows."),
    ] = None,
    overall: Annotated[
        bool, typer.Option("--overall/--no-overall", help="Beside figures by a tag, show those over all tasks.")
    ] = True,
    reference: Annotated[
        Text,
        typer.Option(
            metavar="RUN",
            help="Row that the others are compared with, by name or directory; none for no comparison. Default: that "
            "of the sweep or ablation.",
        ),
    ] = None,
    printed: Annotated[
        bool,
        typer.Option("--printed", help="Add the rows that the benchmark's paper prints, marked as printed."),
    ] = False,
    variant: Annotated[Text, typer.Option(help="Variant of the benchmark's rules: paper, release, …")] = None,
    intervals: Annotated[bool, typer.Option("--intervals/--no-intervals", help="Show intervals.")] = True,
    bold: Annotated[
        str,
        typer.Option(
            metavar="WHAT", help="What stands out: best, second (the second best is underlined, too) or none."
        ),
    ] = "best",
    form: Annotated[
        str, typer.Option("--format", metavar="NAME", help="table, latex, markdown, csv or csv-wide.")
    ] = "table",
    width: Annotated[
        str,
        typer.Option(
            metavar="LENGTH", help="Width in the paper: column (3.25 in), page (6.75 in) or a length such as 5.5in."
        ),
    ] = "column",
    caption: Annotated[Text, typer.Option(metavar="TEXT", help="First words of the caption; text, not LaTeX.")] = None,
    label: Annotated[Text, typer.Option(metavar="NAME", help="Label for \\ref in LaTeX, such as tab:main.")] = None,
    standalone: Annotated[
        bool, typer.Option("--standalone", help="With --format latex: a whole document, to look at.")
    ] = False,
    out: Annotated[File, typer.Option(metavar="FILE", help="File to write to. Default: print.")] = None,
    figure: Annotated[
        Optional[list[Path]],  # noqa: UP045
        typer.Option("--figure", metavar="FILE", help="Draw it to this .pdf, .svg or .png file, too. Repeatable."),
    ] = None,
    level: opt.Level = 0.95,
    resamples: Annotated[int, typer.Option(help="Number of bootstrap resamples.")] = 10_000,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
) -> None:
    """Make a table or a figure of runs that goes into a paper as it is: LaTeX, Markdown, CSV, or PDF."""
    from omnipilot.bench.cli.commands.table import TableOptions, names_in, table_command, tags_in
    from omnipilot.bench.report.paper.build import TableRequest
    from omnipilot.bench.report.paper.values import ValueSettings

    request = TableRequest(
        tuple(runs),
        names_in(columns),
        tags_in(by or []),
        rows or "",
        turns or "",
        reference or "",
        overall,
        caption or "",
        ValueSettings(variant, level, resamples, seed),
        printed,
    )
    table_command(
        request,
        TableOptions(form, width, intervals, bold, label or "", standalone, out, tuple(figure or ())),
    )
