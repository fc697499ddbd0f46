"""Signals that end a command as Ctrl-C does: SIGTERM, and the end of the terminal."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


def ending_signals() -> list[signal.Signals]:
    """SIGTERM and SIGHUP, besides which there is SIGINT. A SIGHUP that is ignored, as under nohup, is none of them."""
    hung_up = getattr(signal, "SIGHUP", None)  # Windows has none
    others = [hung_up] if hung_up is not None and signal.getsignal(hung_up) is not signal.SIG_IGN else []
    return [signal.SIGTERM, *others]


@contextmanager
def signals_to(numbers: list[signal.Signals], do: Callable[[], None]) -> Iterator[None]:
    """Do something at these signals until the end of the block; outside the main thread, nothing is changed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(_number: int, _frame: FrameType | None) -> None:
        do()

    before = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)


@contextmanager
def note_ending() -> Iterator[Callable[[], bool]]:
    """Only note Ctrl-C, SIGTERM and SIGHUP in the block, which looks for them: yields whether one has come.

    For loops that wait for a process or a thread. An exception in the midst of `Popen.wait` or `Thread.join` can leave
    a lock held, or a living thread taken for one that has ended; whoever cleans up would wait for ever, or not at all.
    """
    told: list[bool] = []
    with signals_to([signal.SIGINT, *ending_signals()], lambda: told.append(True)):
        yield lambda: bool(told)
