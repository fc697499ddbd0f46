"""The command `macros`: macro-actions mined from solved runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def macros(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Run directories whose solved episodes are mined.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="TOML file that the macros are written to.")],
    support: Annotated[int, typer.Option(metavar="N", help="Fewest tasks that a macro occurs in.")] = 5,
    longest: Annotated[int, typer.Option(metavar="N", help="Most steps of a macro.")] = 6,
    most: Annotated[int, typer.Option(metavar="N", help="Most macros.")] = 40,
) -> None:
    """Mine macro-actions from solved runs: frequent sequences of moves that pay for their names."""
    from omnipilot.bench.cli.commands.macros import macros_command

    macros_command(runs, out, support, longest, most)
