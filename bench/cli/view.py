"""The command `view`: the pages of a folder's runs, followed while they go on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def view(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Run directory, or a folder with some below it.")],
    port: Annotated[int, typer.Option(help="Port to listen on, on this machine alone; 0 for a free one.")] = 0,
) -> None:
    """Show runs in a browser on this machine, and follow those that go on, until Ctrl-C.

    They can be paused, an episode cancelled, a void one played again, and a limit raised; the run records who did it.
    """
    from omnipilot.bench.cli.commands.view import view_command

    view_command(folder, port)
