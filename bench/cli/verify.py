"""The command `verify`: a run, derived again from its actions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.cli.options import Many


def verify(
    run_: Annotated[Path, typer.Argument(metavar="RUN", help="Run directory.")],
    only: Annotated[
        Many, typer.Option(metavar="KEY", help="Play only this episode again, e.g. send-message#0.0. Repeatable.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Print all differences, and not only the first five.")] = False,
) -> None:
    """Derive a run's pictures, verdicts and table again from its actions, and name every difference.

    Exit status: 0 if all is equal, 1 if something differs, 2 if the worlds of the run cannot be played again.
    """
    from omnipilot.bench.cli.commands.verify import verify_command

    verify_command(run_, only or (), every)
