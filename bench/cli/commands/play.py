"""What `omnipilot play` and `omnipilot record` do: a run whose planner is a person, on a page of this process."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import typer

from omnipilot.agents import PartSpec
from omnipilot.bench.cli.commands.run import INTERRUPTED, run_command
from omnipilot.bench.free.task_list import tasks_in
from omnipilot.bench.play.page import PlayPage
from omnipilot.bench.run.config import part_of
from omnipilot.bench.settings import RunSettings
from omnipilot.planners import seat


@dataclass(frozen=True, slots=True)
class PlayHow:
    """How a person plays.

    Attributes:
        player: who. config: a TOML file with settings of runs; None for none. options: of parts, as PART.KEY=VALUE.
        port: of the page, on 127.0.0.1; 0 for a free one.
    """

    player: str
    config: Path | None = None
    options: tuple[str, ...] = ()
    port: int = 0


def has_tasks(settings: RunSettings) -> bool:
    """Whether the world file of these settings brings instructions of its own."""
    world = part_of(settings, "world")
    return bool(tasks_in(Path(world.name).expanduser()))


def play_command(settings: RunSettings, how: PlayHow) -> None:
    """Open the page, say where it is, play what is missing, and print the table.

    Args:
        settings: of the run; a world without a task is recorded, with an instruction that the person gives.
    """
    with PlayPage(how.port) as page, seat(page):
        typer.echo(f"Play here, in a browser on this machine: {page.url}", err=True)
        try:
            task = settings.task
            if settings.world is not None and task is None and not has_tasks(settings):
                task = page.ask_instruction()
            person = PartSpec("person", {"player": how.player})
            run_command(how.config, replace(settings, task=task, planner=person, jobs=0), how.options)
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        page.finish("That was all: everything is recorded. You may close this window.")
