"""The command `pack`: a run as one small file that others can verify."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.cli.options import File


def pack(
    run_: Annotated[Path, typer.Argument(metavar="RUN", help="Run directory.")],
    out: Annotated[
        File, typer.Option(metavar="BUNDLE", help="File to write. Default: RUN.tar.xz, beside the directory.")
    ] = None,
) -> None:
    """Pack a finished run into one small file without pictures and sounds, and print the hash to publish beside its
    number.

    `omnipilot verify BUNDLE --root HASH` derives it all again.
    """
    from omnipilot.bench.cli.commands.pack import pack_command

    pack_command(run_, out)
