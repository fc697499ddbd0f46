"""The command `score`: predictions by a benchmark's own rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.cli.options import File, Many, Text


def score(
    benchmark: Annotated[str, typer.Argument(help="Benchmark whose rules apply; see `omnipilot list suites`.")],
    predictions: Annotated[Path, typer.Argument(help="File in the benchmark's own format, or a run directory.")],
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
) -> None:
    """Score predictions, made here or elsewhere, by a benchmark's own rules."""
    from omnipilot.bench.cli.commands.score import score_command

    score_command(benchmark, predictions, data, variant, out, option or [])
