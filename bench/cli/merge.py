"""The command `merge`: one run out of its shards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def merge(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="DIR…", help="Run directories of one specification, or folders of a sweep's shards."),
    ],
    out: Annotated[
        Path,
        typer.Option(metavar="RUN", help="Directory of the merged run; one that holds a part gets what it lacks."),
    ],
    mixed_versions: Annotated[
        bool,
        typer.Option(
            "--mixed-versions", help="Merge runs that were made with different versions, too; tables then say so."
        ),
    ] = False,
) -> None:
    """Make one run directory out of those of its shards: nothing twice, nothing lost; what is missing is told."""
    from omnipilot.bench.cli.commands.merge import merge_command

    merge_command(folders, out, mixed_versions)
