"""The command `export`: runs as tables for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.cli.options import File


def export(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Run directories, or folders that contain them.")],
    to: Annotated[
        str,
        typer.Option(metavar="FORMAT", help="Format of the files: csv, parquet, atif, hf, inspect, or a plug-in's."),
    ] = "csv",
    out: Annotated[
        File, typer.Option(metavar="DIR", help="Folder of the files. Default: export in the first run.")
    ] = None,
) -> None:
    """Write runs for other programs: episodes, steps and model calls as tables, or trajectories in others' formats."""
    from omnipilot.bench.cli.commands.export import export_command

    export_command(runs, to, out)
