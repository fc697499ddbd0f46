"""The command `status`: how runs stand that go on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def status(
    folders: Annotated[
        list[Path], typer.Argument(metavar="RUN…", help="Run directories, such as those of several shards.")
    ],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a run, each on a line.")] = False,
) -> None:
    """Say what each worker does, how many episodes are played and left, how long that takes, and what it costs.

    Only the files of the run's directory are read; the run goes on undisturbed, on whichever machine.
    """
    from omnipilot.bench.cli.commands.status import status_command

    status_command(folders, json)
