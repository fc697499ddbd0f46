"""The command `list`: parts, suites, presets and tasks by name."""

from __future__ import annotations

from typing import Annotated

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import Many, Text


def list_(
    what: Annotated[
        str, typer.Argument(help="agents, planners, grounders, memories, critics, suites, presets, tasks, stats, …")
    ],
    suite: Annotated[
        Text,
        typer.Option(
            metavar="NAME", help="Suite whose tasks are listed; with `list suites`, the suite to show in full."
        ),
    ] = None,
    data: opt.Data = None,
    world: opt.WorldFile = None,
    where: opt.Where = None,
    option: Annotated[
        Many,
        typer.Option(
            "--option", "-o", metavar="PART.KEY=VALUE", help="Option of the suite, e.g. suite.split=test. Repeatable."
        ),
    ] = None,
) -> None:
    """List available parts, suites, presets or tasks, including those of plug-ins; or statistics of a suite's tasks."""
    from omnipilot.bench.cli.commands.list import list_command

    list_command(what, suite, where or [], option or [], data, world)
