"""The command `synth ablate`: what mutual verification, intents and the validator are worth, on proxies."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer


def ablate(
    pool: Annotated[Path, typer.Argument(metavar="POOL", help="Folder of the pool.")],
    sample: Annotated[int, typer.Option(min=1, help="Tasks that are played, drawn at random.")] = 100,
    orders: Annotated[int, typer.Option(min=1, help="Orders in which each of them is played, at most.")] = 3,
    seed: Annotated[int, typer.Option(help="Of the sample.")] = 0,
    run: Annotated[
        Optional[list[Path]],  # noqa: UP045
        typer.Option(metavar="DIR", help="A run of a baseline on this pool, such as random. Repeatable."),
    ] = None,
) -> None:
    """Compare tasks made with and without mutual verification, intents and the validator, without asking anybody."""
    from random import Random

    from omnipilot.bench.journal import load_run
    from omnipilot.bench.suites.pool.compose.playing import play_graph
    from omnipilot.bench.suites.pool.pool_folder import PoolFolder
    from omnipilot.bench.suites.pool.tell.ablation import ablation, ablation_table, task_proxies
    from omnipilot.bench.suites.pool.tell.intent_measures import measure_intents
    from omnipilot.bench.suites.pool.templates import templates_of

    folder = PoolFolder(pool)
    tasks, graphs = folder.tasks.require(), folder.graphs.require()
    told = {task.graph for task in tasks}
    drawn = [graph for graph in graphs if graph.id in told]
    drawn = Random(seed).sample(drawn, min(sample, len(drawn)))
    templates = templates_of(folder)
    plays = [play_graph(graph, templates, orders=orders, blame=False) for graph in drawn]
    played = {result.graph: result for result in plays}
    solved: dict[str, bool] = {}
    for folder_of_run in run or []:
        for episode in load_run(folder_of_run).episodes:
            solved[episode.task] = solved.get(episode.task, False) or episode.success
    table = ablation_table(ablation(task_proxies(folder, played, solved)))
    typer.echo(table.text())
    fail = [result.failed for result in played.values() if result.failed]
    typer.echo(f"{len(played) - len(fail)} of {len(played)} played tasks can be done as shown" + _why(fail))
    found = measure_intents(tasks, graphs, seed)
    typer.echo(
        f"{found.connected:.1%} of {found.tasks} tasks hang together; {found.with_intent:.1%} have an intent "
        f"({found.errands:.1%} of these errand lists), {found.sentences} sentences, {found.intents} of them differ"
    )
    typer.echo(
        f"mutual information of two subtasks of a task: {found.information:.2f} bits; {found.by_chance:.2f} where they "
        "are dealt out at random"
    )


def _why(failed: list[str]) -> str:
    return f"; the first that cannot: {failed[0]}" if failed else ""
