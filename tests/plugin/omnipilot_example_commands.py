"""A command of the plug-in, and its rows for `omnipilot doctor`; imported when they are used."""

from __future__ import annotations

import shutil
from typing import Annotated

import typer

from omnipilot.bench import Finding


def count(folder: Annotated[str, typer.Argument(metavar="DIR", help="Folder with errands.json.")]) -> None:
    """Count the errands of a folder."""
    from omnipilot_errands import Data

    typer.echo(f"{len(Data(folder).errands)} errands")


def rows() -> list[Finding]:
    """Whether there is a program that the package would use."""
    path = shutil.which("example-lamp-driver")
    return [Finding("lamp driver", path or "not found", "real lamps", "" if path else "solder one")]
