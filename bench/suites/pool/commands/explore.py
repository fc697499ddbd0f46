"""The command `synth explore`: what can be done in a world's applications, and what it changes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

TABLE = ("application", "views", "pages", "situations", "controls", "used", "effects", "kept", "tried", "seconds")


def explore(
    pool: Annotated[Path, typer.Argument(metavar="POOL", help="Folder of the pool.")],
    world: Annotated[str, typer.Option(help="The world to explore: sim.")] = "sim",
    app: Annotated[
        list[str] | None, typer.Option(metavar="APP", help="Only this application; may be given several times.")
    ] = None,
    transitions: Annotated[int, typer.Option(min=1, help="Operations tried in each application, at most.")] = 6000,
    seconds: Annotated[float, typer.Option(min=0.1, help="Processor time for each application, at most.")] = 15.0,
    seed: Annotated[int, typer.Option(help="Of the content, and of the order in which things are tried.")] = 0,
    ignore: Annotated[
        list[str] | None,
        typer.Option(metavar="CHANGE", help="Count a change such as ~mails.read as bookkeeping, not as an effect."),
    ] = None,
    effect: Annotated[
        list[str] | None,
        typer.Option(metavar="CHANGE", help="Count a change as an effect, although it looks like bookkeeping."),
    ] = None,
) -> None:
    """Explore what can be done in a world, and what it changes; goes on where it was stopped."""
    from omnipilot.bench.suites.pool.explore.search import Budget
    from omnipilot.bench.suites.pool.explore.stage import coverage, explore_apps, read_bookkeeping
    from omnipilot.bench.suites.pool.explore.worlds import open_explorable
    from omnipilot.bench.suites.pool.pool_folder import PoolFolder

    folder, explorable = PoolFolder(pool), open_explorable(world)
    explore_apps(
        folder,
        explorable,
        app or (),
        Budget(transitions, seconds),
        seed,
        ignore or (),
        effect or (),
        tell=lambda line: typer.echo(line, err=True),
    )
    found = coverage(folder, explorable)
    rows = [
        (
            one.app,
            f"{one.views} of {one.of_views}" if one.of_views else f"{one.views}",
            *map(str, (one.pages, one.situations, one.controls, one.used, one.effects, one.kept, one.tried)),
            f"{one.seconds:.1f}",
        )
        for one in found
    ]
    widths = [max(len(row[i]) for row in (TABLE, *rows)) for i in range(len(TABLE))]
    for row in (TABLE, *rows):
        typer.echo("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
    noise = ", ".join(f"{name} ({why})" for name, why in read_bookkeeping(folder).items())
    typer.echo(f"bookkeeping, which counts as no effect: {noise or 'none'}")
    typer.echo(f"{sum(one.kept for one in found)} edges of {sum(one.tried for one in found)} operations in {pool}")
