"""The command `synth subtasks`: what was explored becomes subtasks with open content."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def subtasks(
    pool: Annotated[Path, typer.Argument(metavar="POOL", help="Folder of the pool.")],
    seed: Annotated[int, typer.Option(help="Seed of the content that candidates are tried on.")] = 0,
    types: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A table (TOML) that adds to the resource types.")
    ] = None,
    app: Annotated[
        list[str] | None, typer.Option(metavar="DEVICE/APP", help="Only this application; may be given again.")
    ] = None,
    hand_written: Annotated[
        bool, typer.Option("--hand-written", help="Add the hand-written templates of duet, marked as such.")
    ] = False,
) -> None:
    """Turn what was explored into subtasks with open content. It goes on where it was stopped."""
    from omnipilot.bench.suites.pool.pool_folder import PoolFolder
    from omnipilot.bench.suites.pool.subtasks.resource_types import predefined_types
    from omnipilot.bench.suites.pool.subtasks.stage import make_subtasks, report_on
    from omnipilot.bench.suites.pool.templates import hand_written_subtasks

    folder = PoolFolder(pool)
    table = predefined_types() if types is None else predefined_types().with_table(types)
    if hand_written:
        there = {one.id for one in folder.subtasks.read()}
        folder.subtasks.append(
            [one for one in hand_written_subtasks() if one.id not in there], stage="subtasks", seed=seed
        )
    if not hand_written or folder.edges.read():
        make_subtasks(folder, seed=seed, types=table, apps=app or (), say=typer.echo)
    for line in report_on(folder).lines():
        typer.echo(line)
