"""How commands are told to end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

from omnipilot.bench.run.interrupts import ending_signals, note_ending, signals_to

LOOK_SECONDS = 0.25
"""How long a server is waited for between two looks at whether its command was told to end."""


@contextmanager
def sigterm_as_interrupt() -> Iterator[None]:
    """A SIGTERM, or the end of the terminal (SIGHUP), raises KeyboardInterrupt, as Ctrl-C does, so that what was
    started is ended in order. A SIGHUP that is ignored, as under nohup, stays so."""

    def interrupt() -> None:
        raise KeyboardInterrupt

    with signals_to(ending_signals(), interrupt):
        yield


def serve_until_told(greeting: str, ended: Callable[[float], bool]) -> bool:
    """Print the greeting, and wait until the server has ended or the command is told to end; whether it was told.

    Args:
        ended: waits so many seconds at most, and says whether the server has ended.
    """
    with note_ending() as told:
        typer.echo(greeting)
        while not told():
            if ended(LOOK_SECONDS):
                return False
    say_ending()
    return True


def say_ending() -> None:
    """Say that the server is being ended, which may take seconds."""
    typer.echo("ending the server", err=True)
