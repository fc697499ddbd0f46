"""The parent's side of a worker process: sends orders, reads lines, and ends it."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from omnipilot.bench.journal.control import RunCommand
from omnipilot.bench.journal.results import Slot
from omnipilot.bench.journal.tally import Tally
from omnipilot.bench.run.executors.processes import ChildProcess, StartedProcess, WarmProcess


class WorkerProcess:
    """One worker, begun immediately. It can import everything this process can.

    Args:
        start: the first order, which describes the run.
        warm: the process that it is forked from; None, or one that cannot, and it is started by itself.
        begin: makes its process on another machine, from the pipes for orders and events; None for this machine.

    Attributes:
        here: it can be given an episode; one on another machine may have to wait for that.
        host: name of that machine; "" on this one.
        ready: its agent exists. slot, attempt: its current episode; None while idle.
        tally: of that attempt from start to end. began: its start, on this process's clock. handed: when it was given
            to this worker, or when the worker was ready for it.
        over: the attempt has ended, but the worker is still cleaning up.
        heard: when it was last heard of, told to play or given a permit, on this process's clock.
        cancelled: why a person ends it with its episode; None if nobody does. silent: it is ended because nothing came
            any more. deadline: when it is killed for either, on this process's clock.
        raising: commands to raise a limit that it has not answered yet, by their ids.
    """

    def __init__(
        self,
        start: Mapping[str, Any],
        warm: WarmProcess | None = None,
        begin: Callable[[tuple[int, int]], ChildProcess] | None = None,
    ) -> None:
        self.here = begin is None
        self.host = ""
        self.ready = False
        self.slot: Slot | None = None
        self.attempt = 0
        self.tally: Tally | None = None
        self.began = 0.0
        self.handed = 0.0
        self.over = False
        self.heard = time.monotonic()
        self.silent = False
        self.cancelled: RunCommand | None = None
        self.deadline = float("inf")
        self.raising: dict[str, RunCommand] = {}
        self._buffer = b""
        if begin is not None:
            self._begin(begin)
        elif warm is None or not warm.warm or not self._begin(warm.fork):
            self._begin(_started)
        self._order({"do": "start", **start})

    def _begin(self, begin: Callable[[tuple[int, int]], ChildProcess | None]) -> bool:
        """Begin its process with pipes of its own; false if there is none.

        Another try gets other pipes: a fork that comes too late finds the end of its orders, and ends.
        """
        orders_in, self._orders = os.pipe()
        self.events, events_out = os.pipe()
        process: ChildProcess | None = None
        try:
            process = begin((orders_in, events_out))
        finally:
            os.close(orders_in)
            os.close(events_out)
            if process is None:
                os.close(self._orders)
                os.close(self.events)
        if process is None:
            return False
        self._process = process
        return True

    def play(self, slot: Slot, attempt: int) -> None:
        """Tell it to play one attempt."""
        self.slot, self.attempt, self.tally, self.over = slot, attempt, None, False
        self.heard = self.handed = time.monotonic()
        self._order(
            {"do": "play", "task": slot.task, "instance": slot.instance, "trial": slot.trial, "attempt": attempt}
        )

    def read(self) -> list[bytes] | None:
        """The lines received so far, including newlines; None at end of file. Call when `events` is readable."""
        chunk = os.read(self.events, 1 << 18)
        if not chunk:
            return None
        self.heard = time.monotonic()
        *lines, self._buffer = (self._buffer + chunk).split(b"\n")
        return [line + b"\n" for line in lines]

    def quit(self) -> None:
        """Tell it to close its world and exit."""
        self._order({"do": "quit"})

    def stop(self) -> None:
        """Tell it to abort its work, close its world and exit."""
        self._order({"do": "stop"})

    def raise_limit(self, command: RunCommand) -> None:
        """Tell it to raise a limit of the episode that it plays."""
        self.raising[command.id] = command
        self._order({"do": "raise", "command": command.to_json()})

    def permit(self, number: int) -> None:
        """Tell it that a call of a model may be made; until now it could do nothing."""
        self.heard = time.monotonic()
        self._order({"do": "permit", "permit": number})

    def cancel(self, command: RunCommand, seconds: float) -> None:
        """Tell it to abort its work for a person, within so many seconds."""
        self.cancelled, self.deadline = command, time.monotonic() + seconds
        self.stop()

    def give_up(self, seconds: float) -> None:
        """Tell it to abort its work because nothing comes of it, within so many seconds."""
        self.silent, self.deadline = True, time.monotonic() + seconds
        self.stop()

    @property
    def ending(self) -> bool:
        """Whether it is told to abort its work, with the episode that it plays."""
        return self.silent or self.cancelled is not None

    def is_silent(self, now: float, seconds: float) -> bool:
        """Whether it has an episode and was not heard of for so many seconds; its start may take any time."""
        return self.ready and self.slot is not None and not self.ending and now - self.heard > seconds

    def kill(self) -> None:
        """End it by force; its events end with it."""
        self._process.kill()

    def ended(self, seconds: float) -> bool:
        """Whether it has exited, waiting up to `seconds`."""
        return self._process.ended(seconds)

    @property
    def cut_off(self) -> bool:
        """Whether it died because the process did that it was forked from; call once it is buried."""
        return self._process.cut_off

    def bury(self) -> int | None:
        """Kill it if it is still running and release everything.

        Returns:
            Its exit code as in `subprocess`; None if nobody knows.
        """
        code = self._process.bury()
        for handle in (self._orders, self.events):
            os.close(handle)
        return code

    def _order(self, order: Mapping[str, Any]) -> None:
        # A dead worker is noticed where its events end.
        with contextlib.suppress(BrokenPipeError):
            os.write(self._orders, json.dumps(order).encode() + b"\n")


def _started(handles: tuple[int, int]) -> ChildProcess:
    return StartedProcess("worker", [*map(str, handles), str(os.getpid())], handles)


def stop_all(workers: Iterable[WorkerProcess], seconds: float, hurry: Callable[[], bool]) -> None:
    """Stop every worker and return when all have exited: cleanly within `seconds` if possible, otherwise by force.

    Args:
        hurry: polled repeatedly; once true, workers are killed.
    """
    workers = list(workers)
    for worker in workers:
        worker.stop()
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and not hurry() and not all(worker.ended(0.05) for worker in workers):
        pass
    for worker in workers:
        worker.bury()


def cause_of_death(code: int | None) -> str:
    """How a process ended, in words, from its exit code; None if that is not known."""
    if code is None:
        return "for a cause that is not known"
    if code >= 0:
        return f"exit code {code}"
    hint = ", which is also what running out of memory looks like" if code == -9 else ""
    return f"signal {-code}{hint}"
