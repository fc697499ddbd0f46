"""The command `synth crab`: tasks composed as CRAB composes them, and what of a folder of its files can be played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def crab(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of CRAB's task files.")],
    check: Annotated[bool, typer.Option("--check", help="Say of each file there whether it can be played.")] = False,
    pool: Annotated[
        Path | None, typer.Option(metavar="POOL", help="With --check: the pool that the files were exported from.")
    ] = None,
    tasks: Annotated[int, typer.Option(help="How many are made.", min=1)] = 123,
    shapes: Annotated[
        str, typer.Option(help="Shares of the shapes single, chain2, chain3 and join.")
    ] = "single=68,chain2=55",
    values: Annotated[
        Path | None, typer.Option(help='JSON file with values by type or attribute: {"contact": ["Nina Rossi"]}.')
    ] = None,
    seed: Annotated[int, typer.Option(help="Of shapes, walks and values.")] = 0,
) -> None:
    """Make tasks for CRAB's suite from the embedded world's sub-tasks, each proved by its demonstration.

    Every file is a draft: somebody has to read it and to fill in reviewed_by and verdict.
    """
    from omnipilot.bench.suites.pool.export.crab import crab_table
    from omnipilot.bench.suites.pool.export.crab_generator import (
        VALUES,
        check_files,
        generate,
        read_shapes,
        read_values,
    )
    from omnipilot.bench.suites.pool.pool_folder import PoolFolder
    from omnipilot.bench.suites.pool.templates import templates_of
    from omnipilot.bench.suites.subtasks.duet_pool import POOL

    if check:
        found = check_files(folder, POOL if pool is None else crab_table(templates_of(PoolFolder(pool))))
        for file, why in found:
            typer.echo(f"{file}: {why or 'playable'}")
        typer.echo(f"{sum(not why for _, why in found)} of {len(found)} can be played")
        return
    table = VALUES if values is None else read_values(values)
    made = generate(folder, tasks, read_shapes(shapes), table, seed)
    shapes_made = ", ".join(f"{count} {shape}" for shape, count in made.shapes.items())
    typer.echo(f"{sum(made.shapes.values())} drafts in {folder}: {shapes_made}")
    for why, count in made.dropped.most_common():
        typer.echo(f"dropped: {count}, {why}")
