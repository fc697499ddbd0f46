"""The command `report`: tables of runs, and a page to step through their episodes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.cli.options import File, Many, Text


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Run directories, or folders that contain them.")],
    out: Annotated[
        File,
        typer.Option(metavar="FILE", help="Page to write. Default: report.html in the run, or above all runs."),
    ] = None,
    variant: Annotated[str, typer.Option(help="Variant of CRAB's metrics: paper or release.")] = "paper",
    columns: Annotated[
        Text,
        typer.Option(
            metavar="LIST",
            help="Comma-separated columns of the tables: solved, sr, cr, ee, ce, turns, steps, actions, calls, tokens, "
            "dollars, seconds, … or all.",
        ),
    ] = None,
    by: Annotated[
        Many,
        typer.Option(
            metavar="NAME", help="Add a table with a row for each level, device, app, task or other tag. Repeatable."
        ),
    ] = None,
    format_: Annotated[
        str,
        typer.Option("--format", metavar="NAME", help="Format of the tables: table, csv, json, markdown or latex."),
    ] = "table",
) -> None:
    """Print the tables of one or more runs, and write a page to step through their episodes."""
    from omnipilot.bench.cli.commands.report import report_command

    report_command(runs, out, variant, columns=columns or "", by=by or [], form=format_)
