"""The commands `annotate` and `rate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench import StageModel
from omnipilot.bench.cli import with_model


@with_model
def annotate(
    recording: Annotated[
        Path, typer.Argument(metavar="RECORDING", help="Run directory, or a folder in OmniGUI's format.")
    ],
    rater: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Who labels; opens a local page. With --model instead, a model gives first answers."
        ),
    ] = "",
    second: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="With --rater: only N episodes, drawn by the seed, as a second rater."),
    ] = 0,
    third: Annotated[
        bool, typer.Option("--third", help="With --rater: only the episodes whose level two raters do not agree on.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Of the second rater's episodes.")] = 0,
    check: Annotated[
        bool, typer.Option("--check", help="Check the recording instead; exit status 1 if something is wrong.")
    ] = False,
    format_: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="Of what the labels come to: table, or json.")
    ] = "table",
    port: Annotated[int, typer.Option(help="Of the page, on 127.0.0.1; 0 for a free one.")] = 0,
    *,
    helper: StageModel | None = None,
) -> None:
    """Label what decided each step of a recording, in two passes; without options, say what labels come to."""
    from omnipilot.bench.annotation.annotate_stage import AnnotateOptions, annotate_command

    annotate_command(AnnotateOptions(recording, rater, second, third, seed, check, format_, port), helper)


def rate(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Run directories, or folders that contain them.")],
    rater: Annotated[str, typer.Option(metavar="NAME", help="Who rates; opens a local page.")] = "",
    sample: Annotated[int, typer.Option(min=0, metavar="N", help="How many trajectories; 0 for all.")] = 50,
    seed: Annotated[int, typer.Option(help="Of the sample; the same for each rater.")] = 0,
    sheet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the trajectories as a sheet (CSV) to fill in.")
    ] = None,
    read: Annotated[Path | None, typer.Option(metavar="FILE", help="Read a sheet that was filled in.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the ratings. Default: annotation in the first run.")
    ] = None,
    port: Annotated[int, typer.Option(help="Of the page, on 127.0.0.1; 0 for a free one.")] = 0,
) -> None:
    """Rate trajectories in steps of 10 %, on a page or a sheet; without options, say how far judges agree."""
    from omnipilot.bench.annotation.rate_stage import TrajectoryRateOptions, rate_trajectories

    rate_trajectories(TrajectoryRateOptions(tuple(runs), rater, sample, seed, sheet, read, out, port))
