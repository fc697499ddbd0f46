"""The command `synth subtasks`: what was explored becomes subtasks with open content."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def subtasks(
    pool: Annotated[Path, typer.Argument(metavar="POOL", help="Folder of the pool.")],
    hand_written: Annotated[
        bool, typer.Option("--hand-written", help="Add the hand-written templates of duet, marked as such.")
    ] = False,
) -> None:
    """Turn what was explored into subtasks with open content."""
    from omnipilot.bench.suites.pool.pool_folder import PoolFolder
    from omnipilot.bench.suites.pool.templates import hand_written_subtasks

    folder = PoolFolder(pool)
    if hand_written:
        folder.subtasks.write(hand_written_subtasks(), stage="subtasks", seed=0)
    typer.echo(f"{len(folder.subtasks.read())} subtasks in {pool}")
