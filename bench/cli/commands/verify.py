"""What `omnipilot verify` does: plays a run again, and prints what differs."""

from __future__ import annotations

import sys
from collections.abc import Collection
from pathlib import Path

import typer

from omnipilot.bench.registry import loading_suites_once
from omnipilot.bench.run.progress import CountProgress
from omnipilot.bench.verification.verify import first_differences, verify_run

FIRST = 5
"""How many differences are printed unless all are asked for."""
DIFFERENT, IMPOSSIBLE = 1, 2
"""Exit statuses of a run that is not what its actions lead to, and of one that cannot be played again."""


@loading_suites_once()
def verify_command(folder: Path, only: Collection[str], every: bool) -> None:
    """Verify a run.

    Args:
        only: keys of episodes to play again; none for all. every: whether all differences are printed.

    Raises:
        typer.Exit: with the status that says what was found.
    """
    counted = CountProgress("attempts compared", sys.stderr)
    found = verify_run(folder, only, counted)
    for line in first_differences(found.differences, len(found.differences) if every else FIRST):
        typer.echo(line)
    for note in found.notes:
        typer.echo(f"note: {note}")
    if found.impossible:
        typer.echo(f"cannot be played again: {found.impossible}")
    else:
        played = f"{found.attempts} attempts, {found.turns} turns and {found.captures} captures derived again"
        typer.echo(f"{played}: {len(found.differences) or 'no'} difference{'s' * (len(found.differences) != 1)}")
    if found.differences:
        raise typer.Exit(DIFFERENT)
    if found.impossible:
        raise typer.Exit(IMPOSSIBLE)
