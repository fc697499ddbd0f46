"""The command `stops`: what stopping rules change, and a rule learned from a development run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from omnipilot.bench.cli import options as opt


def stops(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN", help="Run directories: the one without a rule first, then those with one."),
    ],
    turns: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(metavar="A,B", help="Two budgets of turns under which each run is compared with itself: 15,50."),
    ] = None,
    fit: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            metavar="FILE",
            help="Instead, fit the rule `learned` on these development runs, made with --stop watch --go-on, and "
            "write it to this file.",
        ),
    ] = None,
    level: opt.Level = 0.95,
    resamples: Annotated[int, typer.Option(help="Number of bootstrap resamples.")] = 10_000,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
) -> None:
    """Show what stopping rules change: turns after success, episodes ended too early, EQA, EQ1 and EQ2, paired."""
    from omnipilot.bench.cli.commands.stops import stops_command

    stops_command(runs, turns, fit, level, resamples, seed)
