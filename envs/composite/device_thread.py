"""A thread on which everything of one device happens."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class DeviceThread:
    """Runs calls one after another, in the order in which they were given.

    Playwright's objects work only on the thread that made them, a connection to an X server must not be written to by
    two at once, and a process that is to die with its parent dies with the thread that started it: so a device has one
    thread from its start to its end. It is a daemon: a device that never answers does not keep the program from ending.
    """

    def __init__(self, name: str) -> None:
        self._calls: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name=f"device-{name}", daemon=True)
        self._thread.start()

    def call(self, function: Callable[[], T]) -> Future[T]:
        """Run a function there; the result is waited for by whoever wants it."""
        future: Future[T] = Future()
        self._calls.put((future, function))
        return future

    def end(self, timeout: float) -> bool:
        """Let the thread end after the calls that were given; whether it did within `timeout` seconds."""
        self._calls.put(None)
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _work(self) -> None:
        while (item := self._calls.get()) is not None:
            future, function = item
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(function())
            except BaseException as error:
                future.set_exception(error)
            # The result must not be kept until the next call comes.
            del item, future, function
