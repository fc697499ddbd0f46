"""What `omnipilot synth rate` does: a page, a sheet, or what the ratings come to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import typer

from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.rate.agreement import acceptance, acceptance_lines, reviews_of
from omnipilot.bench.suites.pool.rate.page import STAGE, RatingPage
from omnipilot.bench.suites.pool.rate.sheet import read_sheet, write_sheet
from omnipilot.bench.suites.pool.sampling import draw_sample
from omnipilot.bench.tasks import REVIEWS, add_review


@dataclass(frozen=True, slots=True)
class RateOptions:
    """The options of `synth rate`; `sheet` is written, `read` is read."""

    pool: Path
    rater: str = ""
    sample: int = 0
    seed: int = 0
    sheet: Path | None = None
    read: Path | None = None
    settle: bool = False
    port: int = 0


def rate_command(options: RateOptions) -> None:
    """Do what the options of `synth rate` say.

    Raises:
        ConfigError: the pool has no tasks, a sheet cannot be read, or nobody has rated yet.
    """
    pool = PoolFolder(options.pool)
    every = pool.tasks.require()
    tasks = draw_sample(every, options.sample, options.seed)
    if options.sheet is not None:
        count = write_sheet(options.sheet, tasks, options.rater)
        typer.echo(f"{count} tasks to rate in {options.sheet}; then: omnipilot synth rate {options.pool} --read FILE")
        return
    if options.read is not None:
        found = read_sheet(options.read, [task.id for task in every], options.rater)
        pool.ratings.append(found, stage=STAGE, seed=options.seed, sheet=options.read.name)
        typer.echo(f"{len(found)} ratings read from {options.read}")
    elif options.rater:
        with RatingPage(pool, tasks, options.rater, options.port, options.seed) as page:
            typer.echo(f"{len(tasks)} tasks to rate at {page.url} until Ctrl-C")
            try:
                page.wait()
            except KeyboardInterrupt:
                typer.echo()
    ratings = pool.ratings.read()
    for line in acceptance_lines(acceptance(ratings)):
        typer.echo(line)
    if options.settle:
        reviews = reviews_of(ratings)
        for review in reviews:
            add_review(pool.root / f"{REVIEWS}.jsonl", review)
        out = sum(review.state == "taken out" for review in reviews)
        typer.echo(f"{len(reviews) - out} tasks accepted, {out} taken out, in {pool.root / REVIEWS}.jsonl")
