"""The command `play`: a person in the place of an agent."""

from __future__ import annotations

from typing import Annotated

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import Text


def play(
    tasks: Annotated[
        list[str], typer.Argument(metavar="TASK…", help="Ids of tasks, which are played in the suite's order.")
    ],
    player: opt.Player,
    suite: Annotated[Text, typer.Option(help="Benchmark suite. Default: that of omnipilot run.")] = None,
    instances: Annotated[int, typer.Option(help="Instances of each task, from number 0 on.")] = 1,
    out: opt.RunFolder = None,
    config: opt.Config = None,
    option: opt.PartOption = None,
    port: opt.Port = 0,
) -> None:
    """Do tasks yourself, in a browser on this machine: screens, sound, mouse, keys and touches.

    It is a run like any other: the same limits, judges and tables, and the same command goes on where it was stopped.
    All settings of runs can be given in --config and --option.
    """
    from omnipilot.bench.cli.commands.play import PlayHow, play_command
    from omnipilot.bench.settings import RunSettings

    settings = RunSettings(suite=suite, tasks=tasks, instances=instances, out=out)
    play_command(settings, PlayHow(player, config, tuple(option or ()), port))
