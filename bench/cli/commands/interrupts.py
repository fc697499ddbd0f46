"""How commands that run until they are told to end are told so."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def sigterm_as_interrupt() -> Iterator[None]:
    """A SIGTERM, or the end of the terminal (SIGHUP), raises KeyboardInterrupt, as Ctrl-C does, so that what was
    started is ended in order. A SIGHUP that is ignored, as under nohup, stays so."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    numbers = [signal.SIGTERM]
    hung_up = getattr(signal, "SIGHUP", None)  # Windows has none
    if hung_up is not None and signal.getsignal(hung_up) is not signal.SIG_IGN:
        numbers.append(hung_up)
    before = {number: signal.signal(number, interrupt) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
