"""The command `synth rate`: people say which tasks of a pool are good."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def rate(
    pool: Annotated[Path, typer.Argument(metavar="POOL", help="Folder of the pool.")],
    rater: Annotated[str, typer.Option(metavar="NAME", help="Who rates; opens a local page.")] = "",
    sample: Annotated[int, typer.Option(metavar="N", help="How many tasks, drawn by the seed; 0 for all.")] = 0,
    seed: Annotated[int, typer.Option(help="Of the sample; the same for each rater.")] = 0,
    sheet: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the tasks as a sheet (CSV) to fill in."),
    ] = None,
    read: Annotated[Path | None, typer.Option(metavar="FILE", help="Read a sheet that was filled in.")] = None,
    settle: Annotated[
        bool,
        typer.Option("--settle", help="Turn ratings into reviews: tasks that most do not accept are taken out."),
    ] = False,
    port: Annotated[int, typer.Option(help="Of the page, on 127.0.0.1; 0 for a free one.")] = 0,
) -> None:
    """Rate tasks on a local page or on a sheet; without options, say what the ratings come to."""
    from omnipilot.bench.suites.pool.rate.stage import RateOptions, rate_command

    rate_command(RateOptions(pool, rater, sample, seed, sheet, read, settle, port))
