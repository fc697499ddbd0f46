"""The command `rerender`: the captures that a run did not keep, made again from its actions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.cli.options import Many


def rerender(
    run_: Annotated[Path, typer.Argument(metavar="RUN", help="Run directory.")],
    only: Annotated[
        Many, typer.Option(metavar="KEY", help="Bring back this episode alone, e.g. send-message#0.0. Repeatable.")
    ] = None,
) -> None:
    """Bring back the pictures, sounds and films that a run did not keep, by playing its episodes again; no model is
    asked.

    Exit status: 0 if all are there, 1 if episodes could not be played again as they were, 2 if no episode can.
    """
    from omnipilot.bench.cli.commands.rerender import rerender_command

    rerender_command(run_, only or ())
