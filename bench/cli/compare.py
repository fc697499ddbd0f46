"""The commands `compare` and `plan`: how two runs differ, and how large a run must be to show a difference."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import Number, Whole

Runs = Optional[list[Path]]  # noqa: UP045 (typer reads annotations at run time)


def compare(
    a: Annotated[Path, typer.Argument(help="Run directory.")],
    b: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Argument(help="Run directory of the same suite; left out to compare A under two budgets."),
    ] = None,
    turns: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            metavar="A,B",
            help="Count only what was solved within so many turns, in turns (15,50) or as part of each task's own "
            "limit (50%,100%). Default: the limits of the runs.",
        ),
    ] = None,
    instance: Annotated[Whole, typer.Option(metavar="N", help="Only this instance, counted from 0.")] = None,
    trial: Annotated[Whole, typer.Option(metavar="N", help="Only this trial, counted from 0.")] = None,
    level: opt.Level = 0.95,
    power: opt.Power = 0.8,
    resamples: Annotated[int, typer.Option(help="Number of bootstrap resamples.")] = 10_000,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
    out: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            metavar="DIR", help="Write compare.svg, eqa.svg and report.html, with the episodes of both, to this folder."
        ),
    ] = None,
    figure: opt.FigureFile = None,
    figure_width: opt.FigureWidth = "double",
) -> None:
    """Compare two runs, or one run under two budgets of turns: differences with intervals, and what flipped."""
    from omnipilot.bench.cli.commands.compare import compare_command
    from omnipilot.bench.report.figures.draw import figure_files

    figures = figure_files(figure or (), figure_width)
    compare_command(a, b, instance, trial, level, power, resamples, seed, out, turns, figures)


def plan(
    difference: Annotated[float, typer.Option(help="Difference to detect, in percentage points.")],
    pilot: Annotated[
        Runs, typer.Option(metavar="RUN", help="Run directory of a pilot; give it twice for one run of each system.")
    ] = None,
    rate: Annotated[
        Number,
        typer.Option(help="Assumed success rate of the weaker system (used when no --pilot is given). Default: 0.5."),
    ] = None,
    noise: Annotated[Number, typer.Option(help="Assumed share of variance between trials. Default: 0.3.")] = None,
    content: Annotated[Number, typer.Option(help="Assumed share of variance between instances. Default: 0.2.")] = None,
    agreement: Annotated[
        Number, typer.Option(help="Assumed correlation of the two systems' success. Default: 0.5.")
    ] = None,
    cost: Annotated[Number, typer.Option(metavar="USD", help="Cost per episode. Default: the pilot's.")] = None,
    seconds: Annotated[Number, typer.Option(help="Seconds per episode. Default: the pilot's.")] = None,
    tasks: Annotated[Whole, typer.Option(metavar="N", help="Number of tasks available.")] = None,
    comparisons: Annotated[int, typer.Option(help="Number of comparisons, for Holm correction.")] = 1,
    jobs: Annotated[int, typer.Option(help="Number of episodes run in parallel.")] = 1,
    level: opt.Level = 0.95,
    power: Annotated[float, typer.Option(help="Probability of detecting the difference.")] = 0.8,
) -> None:
    """Estimate how many tasks and trials, and how much money and time, it takes to detect a difference."""
    from omnipilot.bench.cli.commands.compare import plan_command

    stated = {"rate": rate, "noise": noise, "content": content, "agreement": agreement, "cost": cost}
    known = {key: value for key, value in (stated | {"seconds": seconds}).items() if value is not None}
    plan_command(difference, pilot or [], known, tasks, comparisons, jobs, level, power)
