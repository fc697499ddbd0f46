"""The commands `play` and `record`: a person in the place of an agent."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import Text
from omnipilot.bench.settings import RunSettings

Player = Annotated[
    str, typer.Option(metavar="NAME", help="Who plays; names the row in tables. A script that plays says so here.")
]
Port = Annotated[int, typer.Option(help="Of the page, on 127.0.0.1; 0 for a free one.")]
Out = Annotated[Text, typer.Option(metavar="DIR", help="Directory of the run. Default: a folder in runs/.")]


def play(
    tasks: Annotated[
        list[str], typer.Argument(metavar="TASK…", help="Ids of tasks, which are played in the suite's order.")
    ],
    player: Player,
    suite: Annotated[Text, typer.Option(help="Benchmark suite. Default: that of omnipilot run.")] = None,
    instances: Annotated[int, typer.Option(help="Instances of each task, from number 0 on.")] = 1,
    out: Out = None,
    config: opt.Config = None,
    option: opt.PartOption = None,
    port: Port = 0,
) -> None:
    """Do tasks yourself, in a browser on this machine: screens, sound, mouse, keys and touches.

    It is a run like any other: the same limits, judges and tables, and the same command goes on where it was stopped.
    All settings of runs can be given in --config and --option.
    """

    _play(
        config, RunSettings(suite=suite, tasks=tuple(tasks), instances=instances, out=out), player, option or (), port
    )


def record(
    world: Annotated[Path, typer.Argument(metavar="WORLD", help="World file: the devices to work on.")],
    player: Player,
    instruction: Annotated[
        Text, typer.Option(metavar="TEXT", help="What you are going to do. Default: you say it on the page.")
    ] = None,
    out: Out = None,
    config: opt.Config = None,
    option: opt.PartOption = None,
    port: Port = 0,
) -> None:
    """Record what you do on the devices of a world file, with an instruction of your own and no judge.

    The record is a run of the suite `free`: omnipilot verify plays it again, report, show and export read it.
    """
    from omnipilot.bench.play.page import close_page, open_page

    if instruction is None:
        try:
            instruction = open_page(port).ask_instruction()
        except KeyboardInterrupt:
            close_page()
            raise typer.Exit(130) from None
    _play(config, RunSettings(world=str(world), task=instruction, out=out), player, option or (), port)


def _play(config: Path | None, settings: RunSettings, player: str, options: Sequence[str], port: int) -> None:
    """Run with a person for a planner, in this process."""
    from dataclasses import replace

    from omnipilot.agents import PartSpec
    from omnipilot.bench.cli.commands.run import run_command
    from omnipilot.bench.play.page import close_page, page_of_this_process

    page = page_of_this_process(port)
    try:
        person = PartSpec("person", {"player": player})
        run_command(config, replace(settings, planner=person, jobs=0), options)
        page.finish("That was all: everything is recorded. You may close this window.")
    finally:
        close_page()
