"""The command `calibrate`: whether a grounder points where it should."""

from __future__ import annotations

from typing import Annotated

import typer

from omnipilot.bench.cli.options import Many


def calibrate_(
    grounder: Annotated[str, typer.Argument(help="Grounder; see `omnipilot list grounders`.")],
    option: Annotated[
        Many,
        typer.Option(
            "--option", "-o", metavar="PART.KEY=VALUE", help="Option of the grounder, as KEY=VALUE. Repeatable."
        ),
    ] = None,
) -> None:
    """Check with five known targets that a grounder points where it should; exit status 1 if it does not."""
    from omnipilot.bench.cli.commands.calibrate import calibrate_command

    calibrate_command(grounder, option or [])
