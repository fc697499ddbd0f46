"""The command `synth all`: every stage in order."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.suites.pool.commands.job_flags import Jobs


def all_stages(
    world: Annotated[str, typer.Option(help="The world that is explored: sim, the embedded one.")] = "sim",
    graphs: Annotated[int, typer.Option(min=1, help="How many task graphs.")] = 1000,
    out: Annotated[Path, typer.Option(metavar="POOL", help="Folder of the pool.")] = Path("pool"),
    play: Annotated[int, typer.Option(min=0, help="Graphs that are played to learn what does not go together.")] = 40,
    sample: Annotated[
        int,
        typer.Option(min=0, help="How many of the graphs get wordings that are checked, drawn at random; 0 for all."),
    ] = 1000,
    solvable: Annotated[
        bool,
        typer.Option("--solvable/--no-solvable", help="Play each graph, and replace one that no content solves."),
    ] = True,
    jobs: Jobs = 0,
    hand_written: Annotated[
        bool, typer.Option("--hand-written", help="Add the hand-written templates of duet, marked as such.")
    ] = False,
    since: Annotated[str, typer.Option(help="Begin with this stage, on what the folder holds.", metavar="STAGE")] = "",
    until: Annotated[str, typer.Option(help="End with this stage.", metavar="STAGE")] = "",
    seed: Annotated[int, typer.Option(help="Of all choices.")] = 0,
) -> None:
    """Make a pool: explore, subtasks, verify, compose, tell, check, report."""
    from omnipilot.bench.suites.pool.commands.stages import run_stages

    given = {
        "world": world,
        "graphs": graphs,
        "play": play,
        "sample": sample,
        "solvable": solvable,
        "jobs": jobs,
        "hand_written": hand_written,
        "seed": seed,
        "check": True,
    }
    run_stages(out, given, since, typer.echo, until)
