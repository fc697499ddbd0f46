"""What `omnipilot export` does: write what runs hold as tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from omnipilot.bench.journal.kept_media import not_kept_note
from omnipilot.bench.journal.load_runs import find_runs
from omnipilot.bench.report.results.export import FORMATS, export_runs
from omnipilot.bench.tasks import describe_unknown
from omnipilot.envs import ConfigError
from omnipilot.envs.installed_plugins import broken_note, choose_declared, installed_plugins, load_declared


def export_command(folders: Sequence[Path], form: str, out: Path | None) -> None:
    """Write the episodes, steps and calls of runs, and print the files.

    Args:
        folders: run directories, or folders of them. form: csv, parquet, or a format of a plug-in. out: None for a
            folder in the first one.

    Raises:
        ConfigError: no such format, no run, or none that has come to an end. MissingExtra: pyarrow is not installed.
    """
    found, out = find_runs(folders), out or folders[0] / "export"
    declared = installed_plugins().declared("exports")
    one = None if form in FORMATS else choose_declared("format", form, declared)
    if one is None and form not in FORMATS:
        known = (*FORMATS, *dict.fromkeys(other.name for other in declared))
        raise ConfigError(describe_unknown("format", form, known) + broken_note())
    files = export_runs(found, form, out) if one is None else load_declared("format", one)(found, out)
    if not files:
        raise ConfigError("no episode of these runs has come to an end yet; there is nothing to export")
    for file in files:
        typer.echo(file)
    for note in filter(None, map(not_kept_note, found)):
        typer.echo(note, err=True)
