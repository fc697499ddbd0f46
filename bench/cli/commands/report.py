"""What `omnipilot report` does: the tables of runs, and a page to step through their episodes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import typer

from omnipilot.bench.journal.kept_media import not_kept_note
from omnipilot.bench.journal.load_runs import find_runs, load_checked
from omnipilot.bench.report.evaluation.runs import tables_of_runs
from omnipilot.bench.report.main_table import brief_table
from omnipilot.bench.report.results.formats import check_format, format_tables
from omnipilot.bench.report.run_sentences import count_sentences, failure_lines, run_sentences
from omnipilot.bench.report.terminal_tables import render_tables, render_text
from omnipilot.bench.run.progress import CountProgress
from omnipilot.bench.tasks.figures import Variant
from omnipilot.envs import ConfigError


def report_command(
    folders: Sequence[Path],
    out: Path | None,
    variant: str,
    intervals: bool = True,
    columns: str = "",
    by: Sequence[str] = (),
    form: str = "table",
    brief: bool = False,
) -> None:
    """Print the tables of runs and write their page.

    Args:
        folders: run directories, or folders of them. out: the page; None for report.html in the first folder.
        variant: of CRAB's figures. intervals: whether to print the table of intervals too.
        columns: names of columns, comma-separated; "" for the usual ones. by: what further tables have rows for.
        form: the format of the tables; others than "table" hold the main table alone, or those that `by` asks for.
        brief: whether to print one line, how many each agent solved, and a narrow table; the page has the others.

    Raises:
        ConfigError: no such variant, column, tag or format, or there is no run in a folder.
    """
    if variant not in get_args(Variant):
        raise ConfigError(f"unknown variant {variant!r}; choose {' or '.join(get_args(Variant))}")
    check_format(form)
    paths = find_runs(folders)
    looked = CountProgress("captures checked", sys.stderr)
    runs = [load_checked(path, looked) for path in paths]
    found = tables_of_runs(runs, variant, intervals, columns, by)  # type: ignore[arg-type]
    if brief:
        typer.echo(f"{' '.join(count_sentences(runs))}\n\n{render_tables((brief_table(runs),))}\n")
    elif form == "table":
        typer.echo(f"\n{render_text([*run_sentences(runs), *failure_lines(runs)])}\n\n{render_tables(found.printed)}\n")
    else:
        typer.echo(format_tables(tuple(found.parted.values()) or (found.main,), form))
    page = found.write(paths, out or folders[0] / "report.html", brief)
    # To the side of a table that another program reads.
    typer.echo(f"report: {page}", err=form != "table")
    for note in filter(None, map(not_kept_note, paths)):
        typer.echo(note, err=True)
