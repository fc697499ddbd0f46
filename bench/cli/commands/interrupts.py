"""How commands are told to end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from omnipilot.bench.run.interrupts import ending_signals, signals_to


@contextmanager
def sigterm_as_interrupt() -> Iterator[None]:
    """A SIGTERM, or the end of the terminal (SIGHUP), raises KeyboardInterrupt, as Ctrl-C does, so that what was
    started is ended in order. A SIGHUP that is ignored, as under nohup, stays so."""

    def interrupt() -> None:
        raise KeyboardInterrupt

    with signals_to(ending_signals(), interrupt):
        yield
