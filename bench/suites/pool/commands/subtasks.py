"""The command `synth subtasks`: what was explored becomes subtasks with open content."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench import StageModel
from omnipilot.bench.cli import with_model


@with_model
def subtasks(
    pool: Annotated[Path, typer.Argument(metavar="POOL", help="Folder of the pool.")],
    seed: Annotated[int, typer.Option(help="Seed of the content that candidates are tried on.")] = 0,
    types: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A table (TOML) that adds to the resource types.")
    ] = None,
    app: Annotated[
        list[str] | None, typer.Option(metavar="DEVICE/APP", help="Only this application; may be given again.")
    ] = None,
    hand_written: Annotated[
        bool, typer.Option("--hand-written", help="Add the hand-written templates of duet, marked as such.")
    ] = False,
    docs: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="With a model: what is told about applications, a file for each."),
    ] = None,
    propose: Annotated[
        int, typer.Option(min=0, help="Have the model propose so many subtasks for each application; each is tried.")
    ] = 0,
    *,
    helper: StageModel | None,
) -> None:
    """Turn what was explored into subtasks with open content. It goes on where it was stopped.

    With a model, subtasks get its names where they hold, and it may propose more.
    """
    from omnipilot.bench.suites.pool.pool_folder import PoolFolder
    from omnipilot.bench.suites.pool.subtasks.documentation import Documentation
    from omnipilot.bench.suites.pool.subtasks.model_stage import name_pool, propose_for_pool
    from omnipilot.bench.suites.pool.subtasks.resource_types import predefined_types
    from omnipilot.bench.suites.pool.subtasks.stage import make_subtasks, report_on
    from omnipilot.bench.suites.pool.templates import hand_written_subtasks
    from omnipilot.envs import ConfigError

    if helper is None and (docs or propose):
        raise ConfigError("--docs and --propose are for a model: name it with --model PROVIDER/NAME")
    folder, help_texts = PoolFolder(pool), Documentation(docs)
    table = predefined_types() if types is None else predefined_types().with_table(types)
    if hand_written:
        there = {one.id for one in folder.subtasks.read()}
        folder.subtasks.append(
            [one for one in hand_written_subtasks() if one.id not in there], stage="subtasks", seed=seed
        )
    if not hand_written or folder.edges.read():
        make_subtasks(folder, seed=seed, types=table, apps=app or (), say=typer.echo)
    if helper is not None:
        if propose:
            propose_for_pool(folder, helper, app or (), table, help_texts, propose, seed, say=typer.echo)
        kept = name_pool(folder, helper, table, help_texts, seed, say=typer.echo)
        typer.echo(f"{kept} subtasks have the model's names now")
    for line in report_on(folder).lines():
        typer.echo(line)
