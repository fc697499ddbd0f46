"""The command `figure`: a figure of runs that goes into a paper as it is, with its numbers beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import Many, Text, Whole


def figure(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="levels, radar, eqa, difficulty, termination, graph or strip; `omnipilot list figures` tells of them.",
        ),
    ],
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN",
            help="Run directories, folders of them, or runs of `ground`, as for `omnipilot table`; NAME=RUN names one.",
        ),
    ],
    out: Annotated[
        list[Path],
        typer.Option(
            "--out",
            metavar="FILE",
            help="File to draw to: .svg, .pdf or .png; its numbers go to a .csv file beside it. Repeatable.",
        ),
    ],
    column: Annotated[
        Text,
        typer.Option(metavar="NAME", help="Figure that is shown (levels, radar, difficulty): sr, EM, … Default: sr."),
    ] = None,
    by: Annotated[
        Many,
        typer.Option(
            metavar="TAG",
            help="Tag of tasks to tell apart by (levels, radar, termination): level, app, …; levels takes several.",
        ),
    ] = None,
    turns: Annotated[
        Text, typer.Option(metavar="A,B", help="Budgets of turns (eqa), a panel each: 15,50 or 50%,100%.")
    ] = None,
    task: Annotated[Text, typer.Option(metavar="ID", help="Task that is shown (graph, strip).")] = None,
    instance: Annotated[Whole, typer.Option(help="Only this instance of the task (graph, strip).")] = None,
    trial: Annotated[Whole, typer.Option(help="Only this trial (graph, strip).")] = None,
    steps: Annotated[
        Text,
        typer.Option(metavar="A,B", help="Steps that are shown (strip), by number from 1. Default: eight of them."),
    ] = None,
    width: Annotated[
        str,
        typer.Option(
            metavar="LENGTH", help="Width in the paper: column (3.25 in), page (6.75 in) or a length such as 5.5in."
        ),
    ] = "column",
    title: Annotated[
        bool, typer.Option("--title/--no-title", help="Write the title into the figure; a paper has it in the caption.")
    ] = True,
    variant: Annotated[Text, typer.Option(help="Variant of the benchmark's rules: paper, release, …")] = None,
    level: opt.Level = 0.95,
    resamples: Annotated[int, typer.Option(help="Number of bootstrap resamples.")] = 10_000,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
) -> None:
    """Draw a figure of runs that goes into a paper as it is: SVG, PDF or PNG, with its numbers as CSV beside it."""
    from omnipilot.bench.cli.commands.figure import figure_command, read_steps
    from omnipilot.bench.cli.commands.table import names_in, tags_in
    from omnipilot.bench.report.figure_kinds.kind import FigureRequest
    from omnipilot.bench.report.paper.values import ValueSettings

    request = FigureRequest(
        tuple(runs),
        column or "",
        tags_in(by or []),
        turns or "",
        task or "",
        instance,
        trial,
        read_steps(names_in(steps)),
        ValueSettings(variant, level, resamples, seed),
    )
    figure_command(kind, request, tuple(out), width, title)
