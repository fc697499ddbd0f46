"""The command `doctor`: what is installed, what is missing, and how to install it."""

from __future__ import annotations

import typer


def doctor() -> None:
    """Show what is installed, what is missing, and how to install it."""
    from omnipilot.bench.cli.commands.doctor import examine, render

    typer.echo(render(examine()))
