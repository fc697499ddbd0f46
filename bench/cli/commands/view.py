"""What `omnipilot view` does: serve the pages of a folder's runs until it is interrupted."""

from __future__ import annotations

from pathlib import Path

import typer

from omnipilot.bench.live import LivePage
from omnipilot.envs import ConfigError


def view_command(folder: Path, port: int) -> None:
    """Serve, and say where.

    Raises:
        ConfigError: there is no such folder, or the port is taken.
    """
    try:
        page = LivePage(folder, port)
    except OSError as error:
        raise ConfigError(f"port {port} cannot be listened on ({error.strerror}); choose another --port") from None
    with page:
        typer.echo(f"open {page.opened}  (whoever has this address can control the runs; Ctrl-C ends)")
        try:
            page.wait()
        except KeyboardInterrupt:
            return
