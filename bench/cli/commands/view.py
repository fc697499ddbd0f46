"""What `omnipilot view` does: serve the pages of a folder's runs until it is interrupted."""

from __future__ import annotations

from pathlib import Path

import typer

from omnipilot.bench.live import LivePage


def view_command(folder: Path, port: int) -> None:
    """Serve, and say where.

    Raises:
        ConfigError: there is no such folder, or the port is taken.
    """
    with LivePage(folder, port) as page:
        typer.echo(f"open {page.opened}  (whoever has this address can control the runs; Ctrl-C ends)")
        try:
            page.wait()
        except KeyboardInterrupt:
            return
