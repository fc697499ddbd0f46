"""The command `synth check`: whether the words of each task say its graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench import StageModel
from omnipilot.bench.cli import with_model
from omnipilot.bench.suites.pool.commands.job_flags import Jobs, jobs_for


@with_model
def check(
    pool: Annotated[Path, typer.Argument(metavar="POOL", help="Folder of the pool.")],
    seed: Annotated[
        int,
        typer.Option(help="Of the order in which the reader is given the subtasks, and of the graphs of --planted."),
    ] = 0,
    tries: Annotated[
        int, typer.Option(min=0, help="How often a model's instruction is written anew, told what was wrong.")
    ] = 3,
    words: Annotated[int, typer.Option(min=20, help="Most words of an instruction that is written anew.")] = 240,
    planted: Annotated[
        int,
        typer.Option(
            min=0,
            help="Measure the reader instead: plant so many faults in rule-made texts of graphs drawn at random, and "
            "count those noticed.",
        ),
    ] = 0,
    jobs: Jobs = 0,
    *,
    helper: StageModel | None,
) -> None:
    """Have a second reader, who is not told the graph, read it back from the words; drop tasks where it differs."""
    from omnipilot.bench.suites.pool.pool_folder import PoolFolder
    from omnipilot.bench.suites.pool.tell.corruptions import score_reader
    from omnipilot.bench.suites.pool.tell.model_wordings import ModelReader, ModelWriter
    from omnipilot.bench.suites.pool.tell.readers import RuleReader
    from omnipilot.bench.suites.pool.tell.telling import check_pool, told_tasks

    reader = ModelReader(helper) if helper else RuleReader()
    folder = PoolFolder(pool)
    if planted:
        score = score_reader(told_tasks(folder, seed), reader, planted, seed)
        for kind, count in score.planted.items():
            typer.echo(f"{kind}: {score.noticed[kind]} of {count} noticed")
        typer.echo(
            f"{score.sensitivity:.1%} of the faulty texts refused (at least 95 % are wanted), "
            f"{score.false_alarms:.1%} of {score.sound} sound ones (at most 3 %)"
        )
    else:
        writer = ModelWriter(helper, words) if helper else None
        report = check_pool(folder, reader, helper, writer, seed, tries, jobs_for(jobs, folder.graphs.path))
        typer.echo(
            f"{report.kept} of {report.tasks} tasks say their graph, {report.same_edges} to the edge; "
            f"{report.rewritten} were written anew"
        )
        for why, count in report.refused.most_common(5):
            typer.echo(f"{count} dropped: {why}")
    if helper:
        typer.echo(helper.describe_usage())
