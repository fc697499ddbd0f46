"""The command `compare`: how two runs differ, or one run under two budgets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import Whole


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
    fail_if: Annotated[
        opt.Many,
        typer.Option(
            metavar="GATE",
            help="Exit with status 5 if B is worse than A beyond chance, and a drop beyond so many points is not "
            "ruled out: 'SR < -5'. Also CR, pass^k and pass@k; > for a rise. Repeatable.",
        ),
    ] = None,
    junit: Annotated[
        opt.File, typer.Option(metavar="FILE", help="Write JUnit XML to this file: a test case for each task and gate.")
    ] = None,
    markdown: Annotated[
        opt.File,
        typer.Option(
            metavar="FILE", help="Write a summary for a pull request to this file, with the first step that differs."
        ),
    ] = None,
    all_rows: opt.AllRows = False,
    methods: opt.Methods = False,
    figures: opt.ShownFigures = "",
    figure: opt.FigureFile = None,
    figure_width: opt.FigureWidth = "double",
) -> None:
    """Compare two runs, or one run under two budgets of turns: differences with intervals, and what flipped."""
    from omnipilot.agents.assembly.part_names import split_list
    from omnipilot.bench.cli.commands.compare import CompareOptions, compare_command
    from omnipilot.bench.gates.rule import read_gate
    from omnipilot.bench.report.figures.draw import figure_files
    from omnipilot.bench.report.terminal_tables import ShownRows

    drawn, shown = figure_files(figure or (), figure_width), ShownRows(all_rows, methods)
    further, gates = tuple(split_list(figures)), tuple(read_gate(one) for one in fail_if or ())
    how = CompareOptions(
        instance, trial, turns, level, power, resamples, seed, out, drawn, shown, further, gates, junit, markdown
    )
    compare_command(a, b, how)
