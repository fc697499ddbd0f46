"""What `omnipilot rerender` does: plays a run again, and writes the captures that it did not keep."""

from __future__ import annotations

import sys
from collections.abc import Collection
from pathlib import Path

import typer

from omnipilot.bench.cli.commands.verify import DIFFERENT, IMPOSSIBLE
from omnipilot.bench.registry import loading_suites_once
from omnipilot.bench.run.progress import CountProgress
from omnipilot.bench.verification.rerender import rerender_run


@loading_suites_once()
def rerender_command(folder: Path, only: Collection[str]) -> None:
    """Bring back the captures of a run.

    Args:
        only: keys of episodes; none for all.

    Raises:
        typer.Exit: with the status that says what was found.
    """
    found = rerender_run(folder, only, CountProgress("attempts played again", sys.stderr))
    if found.impossible:
        typer.echo(f"cannot be played again: {found.impossible}", err=True)
        raise typer.Exit(IMPOSSIBLE)
    for line in found.problems:
        typer.echo(f"not brought back: {line}", err=True)
    if found.attempts:
        told = f"{found.played} of {found.attempts} attempts played again"
        typer.echo(f"{told}: {found.captures:,} captures brought back")
    else:
        typer.echo("nothing to bring back: every capture that the run names is there")
    if found.problems:
        raise typer.Exit(DIFFERENT)
