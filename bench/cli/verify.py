"""The command `verify`: a run or a bundle, derived again from its actions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.cli.options import Many, Text


def verify(
    run_: Annotated[Path, typer.Argument(metavar="RUN", help="Run directory, or a bundle that `pack` made.")],
    only: Annotated[
        Many, typer.Option(metavar="KEY", help="Play only this episode again, e.g. send-message#0.0. Repeatable.")
    ] = None,
    root: Annotated[
        Text, typer.Option(metavar="HASH", help="Of a bundle: the root hash that was published beside its number.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Print all differences, and not only the first five.")] = False,
) -> None:
    """Derive a run's pictures, verdicts and table again from its actions, and name every difference.

    Of a bundle, its hashes, its list of episodes and the weights that are installed are looked at first. Nothing in it
    is believed, and nothing that it names outside of it is followed.

    Exit status: 0 if all is equal, 1 if something differs, 2 if the worlds of the run cannot be played again.
    """
    from omnipilot.bench.cli.commands.verify import verify_command

    verify_command(run_, only or (), every, root or "")
