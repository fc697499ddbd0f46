"""The command `synth check`: whether the words of each task say its graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.suites.pool.commands.model_flags import (
    Budget,
    CassetteFolder,
    KeyEnv,
    ModelName,
    ModelUrl,
    PriceIn,
    PriceOut,
    Replay,
)


def check(
    pool: Annotated[Path, typer.Argument(metavar="POOL", help="Folder of the pool.")],
    seed: Annotated[int, typer.Option(help="Of the order in which the reader is given the subtasks.")] = 0,
    tries: Annotated[
        int, typer.Option(min=0, help="How often a model's instruction is written anew, told what was wrong.")
    ] = 3,
    words: Annotated[int, typer.Option(min=20, help="Most words of an instruction that is written anew.")] = 240,
    planted: Annotated[
        int,
        typer.Option(
            min=0, help="Measure the reader instead: plant so many faults in rule-made texts, and count those noticed."
        ),
    ] = 0,
    model: ModelName = "",
    url: ModelUrl = "",
    key_env: KeyEnv = "",
    price_in: PriceIn = None,
    price_out: PriceOut = None,
    cassette: CassetteFolder = None,
    replay: Replay = False,
    budget: Budget = None,
) -> None:
    """Have a second reader, who is not told the graph, read it back from the words; drop tasks where it differs."""
    from omnipilot.bench.suites.pool.commands.model_flags import stage_model
    from omnipilot.bench.suites.pool.pool_folder import PoolFolder
    from omnipilot.bench.suites.pool.tell.corruptions import score_reader
    from omnipilot.bench.suites.pool.tell.model_wordings import ModelReader, ModelWriter
    from omnipilot.bench.suites.pool.tell.readers import RuleReader
    from omnipilot.bench.suites.pool.tell.telling import check_pool, told_tasks

    asked = stage_model(model, url, key_env, price_in, price_out, cassette, replay, budget)
    reader = ModelReader(asked) if asked else RuleReader()
    folder = PoolFolder(pool)
    if planted:
        score = score_reader(told_tasks(folder), reader, planted, seed)
        for kind, count in score.planted.items():
            typer.echo(f"{kind}: {score.noticed[kind]} of {count} noticed")
        typer.echo(
            f"{score.sensitivity:.1%} of the faulty texts refused (at least 95 % are wanted), "
            f"{score.false_alarms:.1%} of {score.sound} sound ones (at most 3 %)"
        )
    else:
        writer = ModelWriter(asked, words) if asked else None
        report = check_pool(folder, reader, asked.name if asked else "rule", writer, seed, tries)
        typer.echo(
            f"{report.kept} of {report.tasks} tasks say their graph, {report.same_edges} to the edge; "
            f"{report.rewritten} were written anew"
        )
        for why, count in report.refused.most_common(5):
            typer.echo(f"{count} dropped: {why}")
    if asked:
        cost = "price unknown" if asked.usage.cost is None else f"${asked.usage.cost:.4f}"
        typer.echo(f"{asked.usage.calls} calls, {cost}")
