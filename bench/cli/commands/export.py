"""What `omnipilot export` does: write what runs hold as tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from omnipilot.bench.journal.load_runs import find_runs
from omnipilot.bench.report.results.export import export_runs
from omnipilot.envs import ConfigError


def export_command(folders: Sequence[Path], form: str, out: Path | None) -> None:
    """Write the episodes, steps and calls of runs, and print the files.

    Args:
        folders: run directories, or folders of them. form: csv or parquet. out: None for a folder in the first one.

    Raises:
        ConfigError: no such format, no run, or none that has come to an end. MissingExtra: pyarrow is not installed.
    """
    files = export_runs(find_runs(folders), form, out or folders[0] / "export")
    if not files:
        raise ConfigError("no episode of these runs has come to an end yet; there is nothing to export")
    for file in files:
        typer.echo(file)
