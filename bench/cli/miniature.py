"""The command `miniature`: small data in the formats of benchmarks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.cli.options import Many


def miniature(
    out: Annotated[Path, typer.Argument(help="Folder to write to; each benchmark gets a folder of its name in it.")],
    names: Annotated[Many, typer.Argument(help="Benchmarks. Default: all.")] = None,
    predictions: Annotated[bool, typer.Option(help="Also write a file of sample predictions for each.")] = True,
) -> None:
    """Write small data sets in each benchmark's official format, to try things without a download."""
    from omnipilot.bench.cli.commands.miniature import miniature_command

    miniature_command(out, names or [], predictions)
