"""The command `doctor`: what is installed, what is missing, and how to install it."""

from __future__ import annotations

from typing import Annotated

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import Many, Text


def doctor(
    suite: Annotated[
        Text, typer.Option(metavar="NAME", help="Look at what this suite's world has and lacks; it is started.")
    ] = None,
    data: opt.Data = None,
    world: opt.WorldFile = None,
    option: Annotated[
        Many, typer.Option("--option", "-o", metavar="PART.KEY=VALUE", help="Option of the suite. Repeatable.")
    ] = None,
) -> None:
    """Show what is installed, what is missing, and how to install it; or what the world of a suite lacks."""
    from omnipilot.bench.cli.commands.doctor import examine, examine_suite, render
    from omnipilot.envs import ConfigError

    if suite is None and (data or world or option):
        raise ConfigError("--data, --world and --option are of a suite: name it with --suite")
    typer.echo(render(examine() if suite is None else examine_suite(suite, option or [], data, world)))
