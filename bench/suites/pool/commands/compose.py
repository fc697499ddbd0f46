"""The command `synth compose`: subtasks become task graphs of a chosen difficulty."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.suites.pool.commands.job_flags import Jobs, jobs_for


def compose(
    pool: Annotated[Path, typer.Argument(metavar="POOL", help="Folder of the pool.")],
    graphs: Annotated[
        int, typer.Option(min=0, help="How many graphs; spread over all cells if nothing is asked.")
    ] = 1000,
    cell: Annotated[
        str, typer.Option(help="Five grades: dependency, instruction, hierarchy, branch, knowledge; such as hhmee.")
    ] = "",
    capability: Annotated[str, typer.Option(help="One of OmniBench's ten capabilities.")] = "",
    figures: Annotated[
        str, typer.Option(help="Of edges, nodes, depth, width and categories: nodes=5-6,depth=3.", metavar="FIGURES")
    ] = "",
    most_nodes: Annotated[int, typer.Option(min=1, max=12, help="Nodes of the largest graphs.")] = 9,
    play: Annotated[
        int, typer.Option(min=0, help="First play so many other graphs, to learn which subtasks do not go together.")
    ] = 0,
    solvable: Annotated[
        bool,
        typer.Option(
            "--solvable/--no-solvable",
            help="Play each graph, some tenths of a second of one core each, and replace one that no content solves.",
        ),
    ] = True,
    prove: Annotated[
        int, typer.Option(min=0, help="At the end play so many of the graphs, drawn at random, each in three orders.")
    ] = 0,
    pairs: Annotated[int, typer.Option(min=0, help="Add so many pairs of a chain and a graph.")] = 0,
    pair_nodes: Annotated[int, typer.Option(min=4, max=12, help="Nodes of each of a pair.")] = 4,
    dose: Annotated[
        list[str] | None,
        typer.Option(
            help="Add a series in which one complexity alone changes, so many graphs a value.", metavar="NAME=N"
        ),
    ] = None,
    floor: Annotated[
        list[str] | None,
        typer.Option(help="Refuse graphs of less diversity, such as entropy=0.9. Repeatable.", metavar="NAME=NUMBER"),
    ] = None,
    scenarios: Annotated[Path | None, typer.Option(help="Your own table of scenarios.", metavar="FILE")] = None,
    content: Annotated[
        bool, typer.Option(help="Drop graphs for which no world holds enough items, and draw others.")
    ] = True,
    add: Annotated[bool, typer.Option("--add", help="Keep the graphs that are there.")] = False,
    seed: Annotated[int, typer.Option(help="Of all choices.")] = 0,
    jobs: Jobs = 0,
    json: Annotated[bool, typer.Option("--json", help="Print what became of the attempts as JSON.")] = False,
) -> None:
    """Compose task graphs from subtasks, aimed at figures, a cell, or a capability."""
    import json as coding

    from omnipilot.bench.suites.pool.compose.scenarios import SHIPPED
    from omnipilot.bench.suites.pool.compose.stage import ComposeOptions, compose_pool, summary_text
    from omnipilot.bench.suites.pool.pool_folder import PoolFolder

    options = ComposeOptions(
        graphs,
        cell,
        capability,
        figures,
        most_nodes,
        seed,
        play,
        solvable,
        prove,
        pairs,
        pair_nodes,
        {name: int(value) for name, value in _pairs("--dose", dose).items()},
        add,
        scenarios or SHIPPED,
        _pairs("--floor", floor),
        content,
        jobs_for(jobs, graphs + prove),
    )
    summary = compose_pool(PoolFolder(pool), options, lambda line: typer.echo(line, err=True))
    typer.echo(coding.dumps(summary, indent=2, ensure_ascii=False) if json else summary_text(summary))


def _pairs(flag: str, given: list[str] | None) -> dict[str, float]:
    from omnipilot.envs import ConfigError

    found = {}
    for part in given or []:
        name, _, value = part.partition("=")
        try:
            found[name] = float(value)
        except ValueError:
            raise ConfigError(f"{flag} expects NAME=NUMBER, not {part!r}") from None
    return found
