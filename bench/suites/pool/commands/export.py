"""The command `synth export`: a pool in the formats of benchmarks, and as data to train on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def export(
    pool: Annotated[Path, typer.Argument(metavar="POOL", help="Folder of the pool.")],
    to: Annotated[
        str, typer.Option("--format", help="omnibench, crab, omnigui, sft, grounding or pairs.", metavar="FORMAT")
    ],
    out: Annotated[Path, typer.Option("--out", help="Folder to write to.", metavar="DIR")],
    sample: Annotated[int, typer.Option(help="So many tasks, drawn at random; 0 for all.", min=0)] = 0,
    orders: Annotated[int, typer.Option(help="Topological orders of each task that are played.", min=1)] = 2,
    cap: Annotated[int, typer.Option(help="omnibench: most orders that a task lists.", min=1)] = 100,
    family: Annotated[
        str, typer.Option(help="sft: syntax of the targets, such as ui-tars; grounding: of the answers.")
    ] = "",
    intent: Annotated[bool, typer.Option(help="sft: tell the intent beside the instruction.")] = False,
    history: Annotated[int, typer.Option(help="sft: earlier turns that a sample shows with their screens.", min=0)] = 2,
    levels: Annotated[
        str, typer.Option(help="Only tasks with a subtask of these levels, such as AV-critical,AV-supportive.")
    ] = "",
    runs: Annotated[
        list[Path] | None, typer.Option(help="pairs: run directories of the suite pool; may be repeated.")
    ] = None,
    cost: Annotated[float, typer.Option(help="pairs: c in reward = solved - c * steps / limit.", min=0, max=1)] = 0.5,
    licence: Annotated[str, typer.Option(help="Licence that the card states.")] = "apache-2.0",
    seed: Annotated[int, typer.Option(help="Of drawn tasks and orders.")] = 0,
) -> None:
    """Write a pool's tasks for other benchmarks (omnibench, crab, omnigui), or as data to train on.

    Demonstrations are played and judged; what is not solved is left out and counted.
    """
    from omnipilot.bench.suites.pool.export.formats import export_pool
    from omnipilot.bench.suites.pool.export.options import ExportOptions

    options = ExportOptions(
        sample=sample,
        orders=orders,
        cap=cap,
        family=family,
        intent=intent,
        history=history,
        levels=tuple(level.strip() for level in levels.split(",") if level.strip()),
        runs=tuple(runs or ()),
        cost=cost,
        licence=licence,
        seed=seed,
    )
    for line in export_pool(pool, to, out, options):
        typer.echo(line)
