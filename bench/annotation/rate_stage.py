"""What `omnipilot rate` does: a page, a sheet, or what the ratings come to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import typer

from omnipilot.bench.annotation.answers import FOLDER
from omnipilot.bench.annotation.rate_page import TrajectoryRatingPage
from omnipilot.bench.annotation.ratings import (
    RatingFile,
    draw_trajectories,
    rating_lines,
    write_trajectory_sheet,
)
from omnipilot.bench.experiments.studies.people import read_watched
from omnipilot.bench.journal import find_runs


@dataclass(frozen=True, slots=True)
class TrajectoryRateOptions:
    """The options of `rate`; `sheet` is written, `read` is read."""

    runs: tuple[Path, ...]
    rater: str = ""
    sample: int = 50
    seed: int = 0
    sheet: Path | None = None
    read: Path | None = None
    out: Path | None = None
    port: int = 0


def rate_trajectories(options: TrajectoryRateOptions) -> None:
    """Do what the options of `rate` say.

    Raises:
        ConfigError: there is no finished episode, a sheet cannot be read, or nobody has rated yet.
    """
    folders = find_runs(options.runs)
    drawn = draw_trajectories(folders, options.sample, options.seed)
    file = RatingFile(options.out or folders[0] / FOLDER)
    if options.sheet is not None:
        count = write_trajectory_sheet(options.sheet, drawn, options.rater)
        typer.echo(f"{count} trajectories to rate in {options.sheet}; then the same command with --read FILE")
        return
    if options.read is not None:
        found = read_watched(options.read, [one.id for one in drawn], options.rater)
        file.append(found)
        typer.echo(f"{len(found)} ratings read from {options.read}")
    elif options.rater:
        with TrajectoryRatingPage(drawn, file, options.rater, options.port) as page:
            typer.echo(f"{len(drawn)} trajectories to rate at {page.url} until Ctrl-C")
            try:
                page.wait()
            except KeyboardInterrupt:
                typer.echo(f"the ratings are in {file.path}")
        return
    for line in rating_lines(drawn, file.read()):
        typer.echo(line)
