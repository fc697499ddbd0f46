"""What `omnipilot report` does: the tables of runs, and a page to step through their episodes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

import typer

from omnipilot.bench.journal.kept_media import not_kept_note
from omnipilot.bench.journal.load_runs import find_runs, load_checked
from omnipilot.bench.report.headline_table import interval_table
from omnipilot.bench.report.main_table import column_names, main_table, task_table
from omnipilot.bench.report.page import Section, write_report
from omnipilot.bench.report.pointing_table import pointing_table
from omnipilot.bench.report.results.columns import chosen_columns, table_by, usual_columns
from omnipilot.bench.report.results.formats import check_format, format_tables
from omnipilot.bench.report.run_sentences import count_sentences, run_sentences
from omnipilot.bench.report.scope_table import scope_table
from omnipilot.bench.report.terminal_tables import render_tables
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
        brief: whether to print one line, how many each agent solved, and the main table; the page has all others.

    Raises:
        ConfigError: no such variant, column, tag or format, or there is no run in a folder.
    """
    if variant not in get_args(Variant):
        raise ConfigError(f"unknown variant {variant!r}; choose {' or '.join(get_args(Variant))}")
    check_format(form)
    paths = find_runs(folders)
    looked = CountProgress("captures checked", sys.stderr)
    runs = [load_checked(path, looked) for path in paths]
    chosen = chosen_columns(columns) if columns else usual_columns(runs)
    main = main_table(runs, variant, chosen)  # type: ignore[arg-type]
    names = column_names(runs)
    parted = tuple(table_by(runs, one, chosen, names, variant) for one in by)  # type: ignore[arg-type]
    # Below the first table, too, runs have the shortest names that tell them apart.
    named = [replace(run, name=name) for run, name in zip(runs, names, strict=True)] if runs[1:] else runs
    scopes = scope_table(named)
    among = (scopes,) if scopes else ()
    sure = (interval_table(named),) if intervals else ()
    misses = pointing_table(named)
    missed = (misses,) if misses else ()
    tasks = task_table(runs)
    if brief:
        typer.echo(f"{' '.join(count_sentences(runs))}\n\n{render_tables((main,))}\n")
    elif form == "table":
        typer.echo(f"\n{render_tables((main, *parted, tasks, *among, *sure, *missed))}\n")
    else:
        typer.echo(format_tables(parted or (main,), form))
    sections = [Section(f"By {one}", (table,)) for one, table in zip(by, parted, strict=True)]
    sections += [Section("By task", (tasks,))] if brief else []
    sections += [Section("By applications and devices", among)] if among else []
    sections += [Section("Intervals", sure)] if sure else []
    sections += [Section("Misses and outcomes", missed)] if missed else []
    page = write_report(
        paths,
        out or folders[0] / "report.html",
        main,
        sections,
        conclusion=count_sentences(runs) if brief else run_sentences(runs),
    )
    # To the side of a table that another program reads.
    typer.echo(f"report: {page}", err=form != "table")
    for note in filter(None, map(not_kept_note, paths)):
        typer.echo(note, err=True)
