"""The commands about benchmarks from data: score predictions, and make miniature data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from omnipilot.bench.cli.options import File, Many, Text

Names = Optional[list[str]]  # noqa: UP045


def score(
    benchmark: Annotated[str, typer.Argument(help="Whose rules: `omnipilot list suites`.")],
    predictions: Annotated[Path, typer.Argument(help="In the benchmark's own format, or a run directory.")],
    data: Annotated[Text, typer.Option(help="Folder of the data, or hf://OWNER/NAME. Default: the run's.")] = None,
    variant: Annotated[Text, typer.Option(help="paper, release, … Default: what `omnipilot list suites` says.")] = None,
    out: Annotated[File, typer.Option(help="Folder for score.txt and score.json.")] = None,
    option: Annotated[
        Many, typer.Option("--option", "-o", metavar="KEY=VALUE", help="Of the benchmark: split=val. Repeatable.")
    ] = None,
) -> None:
    """Score predictions by a benchmark's own rules, made here or elsewhere."""
    from omnipilot.bench.cli.commands.benchmarks import score_command

    score_command(benchmark, predictions, data, variant, out, option or [])


def miniature(
    out: Annotated[Path, typer.Argument(help="Where: each benchmark gets a folder of its name there.")],
    names: Annotated[Names, typer.Argument(help="Of which benchmarks. Default: all.")] = None,
    predictions: Annotated[bool, typer.Option(help="With a file of sample predictions each.")] = True,
) -> None:
    """Make small data in each benchmark's official format from the embedded world: to try things without a download."""
    from omnipilot.bench.cli.commands.benchmarks import miniature_command

    miniature_command(out, names or [], predictions)
