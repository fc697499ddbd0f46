"""The command `synth tell`: graphs become tasks in words."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench import StageModel
from omnipilot.bench.cli import with_model
from omnipilot.bench.suites.pool.commands.job_flags import Jobs, jobs_for


class WordingKind(StrEnum):
    """Which wording an agent is told."""

    low = "low"
    high = "high"


@with_model
def tell(
    pool: Annotated[Path, typer.Argument(metavar="POOL", help="Folder of the pool.")],
    wording: Annotated[
        WordingKind, typer.Option(help="What agents are told: low says every step, high what is to be achieved.")
    ] = WordingKind.low,
    intents: Annotated[bool, typer.Option("--intents/--no-intents", help="Look for what each task is for.")] = True,
    orders: Annotated[int, typer.Option(min=0, help="Wordings in other orders, where a graph has them.")] = 3,
    seed: Annotated[int, typer.Option(help="Of sentences and orders.")] = 0,
    words: Annotated[int, typer.Option(min=20, help="Most words of an instruction that a model writes.")] = 240,
    propose: Annotated[
        int, typer.Option(min=0, help="First have the model find so many groups of subtasks with a purpose.")
    ] = 0,
    size: Annotated[int, typer.Option(min=2, help="With --propose: subtasks of a group.")] = 3,
    scenario: Annotated[str, typer.Option(help="With --propose: what the groups are about.")] = "everyday life",
    check: Annotated[
        bool,
        typer.Option("--check", help="Have what rules wrote read back at once, so that check need not make it again."),
    ] = False,
    sample: Annotated[
        int, typer.Option(min=0, help="So many of the pool's graphs, drawn at random by the seed; 0 for all.")
    ] = 0,
    jobs: Jobs = 0,
    *,
    helper: StageModel | None,
) -> None:
    """Say each graph in words: what it is for, every step, without steps, and in other orders."""
    from omnipilot.bench.suites.pool.pool_folder import PoolFolder
    from omnipilot.bench.suites.pool.tell.intents import ERRANDS
    from omnipilot.bench.suites.pool.tell.model_intents import propose_groups
    from omnipilot.bench.suites.pool.tell.model_wordings import ModelWriter
    from omnipilot.bench.suites.pool.tell.telling import TellOptions, tell_pool
    from omnipilot.envs import ConfigError

    folder = PoolFolder(pool)
    if propose:
        if helper is None:
            raise ConfigError("--propose needs a model: --model PROVIDER/NAME")
        groups = propose_groups(helper, folder.subtasks.require(), scenario, size, propose, seed)
        known = {graph.id for graph in folder.graphs.read()}
        new = [graph for graph in groups.graphs if graph.id not in known]
        folder.graphs.append(new, stage="tell", seed=seed, **helper.provenance())
        typer.echo(f"{len(groups.graphs)} of {len(groups.graphs) + len(groups.refused)} groups of the model hold")
        for intent, why in groups.refused[:5]:
            typer.echo(f"refused: {why} ({intent})")
    options = TellOptions(
        "high" if wording is WordingKind.high else "low", intents, orders, seed, check=check, sample=sample
    )
    report = tell_pool(
        folder, options, ModelWriter(helper, words) if helper else None, jobs_for(jobs, folder.graphs.path)
    )
    with_intent = report.told - report.frames[""]
    typer.echo(f"{report.told} of {report.graphs} graphs are told, {report.new} of them now")
    typer.echo(
        f"{with_intent} have an intent, {report.frames[ERRANDS]} of these are errand lists; "
        f"{len(set(report.frames) - {'', ERRANDS})} frames are used"
    )
    if report.told:
        typer.echo(
            f"words: {report.low_words / report.told:.1f} low, {report.high_words / report.told:.1f} high "
            "(OmniBench: 237.9 and 51.7)"
        )
    for why, count in report.refused.most_common(5):
        typer.echo(f"{count} not told: {why}")
    if helper:
        typer.echo(helper.describe_usage())
