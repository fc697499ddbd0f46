"""The command `synth verify`: trajectories and evaluators of the subtasks, each proved by the other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench import StageModel
from omnipilot.bench.cli import with_model


@with_model
def verify(
    pool: Annotated[Path, typer.Argument(metavar="POOL", help="Folder of the pool.")],
    rounds: Annotated[int, typer.Option(min=1, help="Most rounds of mutual feedback for a subtask.")] = 3,
    seed: Annotated[int, typer.Option(help="Of the content that the subtasks are tried on.")] = 0,
    barrier: Annotated[
        bool, typer.Option("--barrier", help="Make evaluators from the task and the world alone, from no trajectory.")
    ] = False,
    pictures: Annotated[bool, typer.Option(help="Store what the screen showed before each action.")] = True,
    compare: Annotated[
        bool, typer.Option("--compare", help="Only compare evaluators with and without the barrier, in a table.")
    ] = False,
    planted: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="Only plant a fault in each of N sound pairs, and count what is found."),
    ] = 0,
    terms: Annotated[
        str, typer.Option(metavar="paper|state", help="Checks that a model may use: OmniBench's, or the state, too.")
    ] = "state",
    *,
    helper: StageModel | None,
) -> None:
    """Demonstrate each subtask, make an evaluator for it, and keep the pairs that prove each other."""
    from omnipilot.bench.suites.pool.pool_folder import PoolFolder
    from omnipilot.bench.suites.pool.templates import templates_of
    from omnipilot.bench.suites.pool.verify.model_evaluators import check_terms

    folder = PoolFolder(pool)
    if planted:
        from omnipilot.bench.suites.pool.verify.planted import plant_faults

        typer.echo(plant_faults(list(templates_of(folder).values()), planted, seed).table())
        return
    if compare:
        from omnipilot.bench.suites.pool.verify.compare import compare_ways, comparison_table

        subtasks = {subtask.id: subtask for subtask in folder.subtasks.require()}
        typer.echo(comparison_table(compare_ways(subtasks, templates_of(folder), seed), len(subtasks)))
        return
    from omnipilot.bench.suites.pool.verify.stage import verify_pool

    count = verify_pool(
        folder, rounds=rounds, seed=seed, barrier=barrier, pictures=pictures, model=helper, terms=check_terms(terms)
    )
    typer.echo(str(count))
    if helper:
        typer.echo(helper.describe_usage())
    for subtask, reason in count.rejected.items():
        typer.echo(f"  {subtask}: {reason}")
