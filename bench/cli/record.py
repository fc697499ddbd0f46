"""The command `record`: what a person does on devices, without a task and a judge."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import Text


def record(
    world: Annotated[Path, typer.Argument(metavar="WORLD", help="World file: the devices to work on.")],
    player: opt.Player,
    instruction: Annotated[
        Text, typer.Option(metavar="TEXT", help="What you are going to do. Default: you say it on the page.")
    ] = None,
    out: opt.RunFolder = None,
    config: opt.Config = None,
    option: opt.PartOption = None,
    port: opt.Port = 0,
) -> None:
    """Record what you do on the devices of a world file, in a browser, with an instruction of your own and no judge.

    The record is a run of the suite `free`: omnipilot verify plays it again, report, show and export read it.
    """
    from omnipilot.bench.cli.commands.play import PlayHow, play_command
    from omnipilot.bench.settings import RunSettings

    settings = RunSettings(world=str(world), task=instruction, out=out)
    play_command(settings, PlayHow(player, config, tuple(option or ()), port))
