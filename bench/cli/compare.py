"""The commands about what numbers mean: compare two runs, and plan one that can show a difference."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from omnipilot.bench.cli.options import Number, Whole

Runs = Optional[list[Path]]  # noqa: UP045 (typer reads annotations at run time)


def compare(
    a: Annotated[Path, typer.Argument(help="Run directory.")],
    b: Annotated[Path, typer.Argument(help="Run directory of the same suite.")],
    instance: Annotated[Whole, typer.Option(help="Only this instance, from 0.")] = None,
    trial: Annotated[Whole, typer.Option(help="Only this trial, from 0.")] = None,
    level: Annotated[float, typer.Option(help="Of the intervals.")] = 0.95,
    power: Annotated[float, typer.Option(help="Of the smallest detectable difference.")] = 0.8,
    resamples: Annotated[int, typer.Option(help="Of the bootstrap.")] = 10_000,
    seed: Annotated[int, typer.Option(help="Of the bootstrap.")] = 0,
    out: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(help="Write compare.svg and report.html, with the episodes of both, into this folder."),
    ] = None,
) -> None:
    """Compare two runs by task and instance: differences with intervals, and what flipped."""
    from omnipilot.bench.cli.commands.compare import compare_command

    compare_command(a, b, instance, trial, level, power, resamples, seed, out)


def plan(
    difference: Annotated[float, typer.Option(help="Wanted difference in points: 5 for five of a hundred.")],
    pilot: Annotated[Runs, typer.Option(metavar="RUN", help="Run directory; twice for one of each system.")] = None,
    rate: Annotated[Number, typer.Option(help="Share the worse one solves, without a pilot. Default: 0.5.")] = None,
    noise: Annotated[Number, typer.Option(help="Share of variance between trials. Default: 0.3.")] = None,
    content: Annotated[Number, typer.Option(help="Share of variance between instances. Default: 0.2.")] = None,
    agreement: Annotated[Number, typer.Option(help="Correlation of the two systems' success. Default: 0.5.")] = None,
    cost: Annotated[Number, typer.Option(help="Dollars an episode. Default: the pilot's.")] = None,
    seconds: Annotated[Number, typer.Option(help="Seconds an episode. Default: the pilot's.")] = None,
    tasks: Annotated[Whole, typer.Option(help="How many tasks there are.")] = None,
    comparisons: Annotated[int, typer.Option(help="How many are made at once (Holm).")] = 1,
    jobs: Annotated[int, typer.Option(help="Episodes under way at once.")] = 1,
    level: Annotated[float, typer.Option(help="1 − α.")] = 0.95,
    power: Annotated[float, typer.Option(help="Chance to show the difference.")] = 0.8,
) -> None:
    """Say how many tasks and trials, dollars and hours a wanted difference needs."""
    from omnipilot.bench.cli.commands.compare import plan_command

    stated = {"rate": rate, "noise": noise, "content": content, "agreement": agreement, "cost": cost}
    known = {key: value for key, value in (stated | {"seconds": seconds}).items() if value is not None}
    plan_command(difference, pilot or [], known, tasks, comparisons, jobs, level, power)
