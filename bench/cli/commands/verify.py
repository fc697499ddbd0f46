"""What `omnipilot verify` does: plays a run or a bundle again, and prints what differs."""

from __future__ import annotations

import sys
from collections.abc import Collection
from pathlib import Path

import typer

from omnipilot.bench.registry import loading_suites_once
from omnipilot.bench.run.progress import CountProgress
from omnipilot.bench.verification.bundle_checks import BundleVerification, verify_bundle
from omnipilot.bench.verification.verify import Verification, first_differences, verify_run
from omnipilot.envs import ConfigError

FIRST = 5
"""How many differences are printed unless all are asked for."""
DIFFERENT, IMPOSSIBLE = 1, 2
"""Exit statuses of a run that is not what its actions lead to, and of one that cannot be played again."""


@loading_suites_once()
def verify_command(path: Path, only: Collection[str], every: bool, root: str = "") -> None:
    """Verify a run or a bundle.

    Args:
        path: a run directory, or the file of a bundle. only: keys of episodes to play again; none for all.
        every: whether all differences are printed. root: of a bundle, the hash that was published; "" for none.

    Raises:
        ConfigError: there is nothing of that name, or a root hash is given for a run directory. BundleError: a file is
            no bundle, or was edited.
        typer.Exit: with the status that says what was found.
    """
    if not path.exists():
        raise ConfigError(f"there is neither a bundle nor a run {path}; name the file that `omnipilot pack RUN` made")
    counted = CountProgress("attempts compared", sys.stderr)
    if path.is_file():
        told = verify_bundle(path, root, only, counted)
        print_bundle(told)
        print_found(told.found, every)
        return
    if root:
        raise ConfigError(f"--root is of a bundle, and {path} is none; `omnipilot pack {path}` makes one")
    print_found(verify_run(path, only, counted), every)


def print_bundle(told: BundleVerification) -> None:
    """Print what was looked at in a bundle before anything was played."""
    said = {True: "as published", False: "not as published", None: "not compared: --root HASH does"}[told.published]
    typer.echo(f"root: {told.root} ({said})")
    typer.echo(
        f"{told.episodes} registered episodes, {told.media} captures by hash, {told.weights} weights as installed here"
    )


def print_found(found: Verification, every: bool) -> None:
    """Print what verifying came to.

    Raises:
        typer.Exit: with the status that says what was found, unless all is equal.
    """
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
