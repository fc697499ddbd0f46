"""The commands `score` and `miniature`: score predictions, and make miniature data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from omnipilot.bench.cli.options import File, Level, Many, Power, Text

Names = Optional[list[str]]  # noqa: UP045


def score(
    benchmark: Annotated[str, typer.Argument(help="Benchmark whose rules apply; see `omnipilot list suites`.")],
    predictions: Annotated[
        list[Path],
        typer.Argument(help="Files in the benchmark's own format, or run directories; of several, one row each."),
    ],
    data: Annotated[
        Text, typer.Option(metavar="DIR", help="Folder of the data, or hf://OWNER/NAME. Default: the run's.")
    ] = None,
    variant: Annotated[
        Text, typer.Option(help="Variant of the rules: paper, release, … Default: see `omnipilot list suites`.")
    ] = None,
    out: Annotated[File, typer.Option(metavar="DIR", help="Folder for score.txt and score.json.")] = None,
    option: Annotated[
        Many,
        typer.Option(
            "--option", "-o", metavar="KEY=VALUE", help="Option of the benchmark, e.g. split=val. Repeatable."
        ),
    ] = None,
    figures: Annotated[
        str,
        typer.Option(metavar="NAMES", help="Figures to show, e.g. AS,SS or 'CR *'. Default: all of the benchmark."),
    ] = "",
    reference: Annotated[
        str, typer.Option(metavar="PREDICTIONS", help="Which of them the others are compared with. Default: the first.")
    ] = "",
    pointing: Annotated[
        Optional[list[Path]],  # noqa: UP045
        typer.Option(metavar="DIR", help="Run of `omnipilot ground` to show beside runs of its model. Repeatable."),
    ] = None,
    level: Level = 0.95,
    power: Power = 0.8,
) -> None:
    """Score predictions, made here or elsewhere, by a benchmark's own rules; several side by side."""
    from omnipilot.bench.cli.commands.benchmarks import ScoreOptions, score_command

    how = ScoreOptions(figures, reference, tuple(pointing or ()), level, power)
    score_command(benchmark, predictions, data, variant, out, option or [], how)


def miniature(
    out: Annotated[Path, typer.Argument(help="Folder to write to; each benchmark gets a folder of its name in it.")],
    names: Annotated[Names, typer.Argument(help="Benchmarks. Default: all.")] = None,
    predictions: Annotated[bool, typer.Option(help="Also write a file of sample predictions for each.")] = True,
) -> None:
    """Write small data sets in each benchmark's official format, to try things without a download."""
    from omnipilot.bench.cli.commands.benchmarks import miniature_command

    miniature_command(out, names or [], predictions)
