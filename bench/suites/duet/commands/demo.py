"""The command `demo`: baselines side by side, on the worlds that this machine can run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the runs and the report.")] = Path("runs/demo"),
    jobs: Annotated[int, typer.Option(help="Worker processes.")] = 2,
    whisper: Annotated[
        str,
        typer.Option(
            metavar="FOLDER",
            envvar="OMNIPILOT_WHISPER",
            help="A Whisper model in CTranslate2's form: mini then plays tasks with spoken words twice, told what this "
            "model heard, and told the truth.",
        ),
    ] = "",
) -> None:
    """Run baseline agents on the embedded world and, if a Chromium is installed, on real web pages."""
    from omnipilot.bench.suites.duet.commands.run_demo import demo_command

    demo_command(out, jobs, whisper)
