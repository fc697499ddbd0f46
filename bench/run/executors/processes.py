"""Where worker processes come from: each is started by itself, or they are forked from one that is warmed up."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from omnipilot.envs.logs import logger_of
from omnipilot.envs.schema import parse_json

ANSWERS = 30.0
"""Seconds in which a warmed process has to answer, before it is asked no more and workers are started by themselves."""
DYING = 1.0
"""Seconds in which a process is seen to be dead whose workers died with it."""
WARMING = 300.0
"""Seconds in which a process has to be warm, before workers are started by themselves."""
_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from omnipilot.bench.run.executors.{module} import main; main(sys.argv[2:])"
)
_LOG = logger_of("run")


class ChildProcess(ABC):
    """A worker's process, as its run sees it."""

    @abstractmethod
    def kill(self) -> None:
        """End it by force, if it has not ended."""

    @abstractmethod
    def ended(self, seconds: float) -> bool:
        """Whether it has ended, waiting up to `seconds`."""

    @abstractmethod
    def bury(self) -> int | None:
        """Kill it, and release what the system keeps of it; its exit code as in `subprocess`, None if nobody knows."""

    @property
    def cut_off(self) -> bool:
        """Whether the process that it was forked from is dead, with which it died."""
        return False


class StartedProcess(ChildProcess):
    """A process that was started by itself; it can import everything this process can.

    Args:
        module: of this package, whose `main` it runs. arguments: given to `main`. handles: file descriptors it keeps.
    """

    def __init__(self, module: str, arguments: list[str], handles: tuple[int, ...]) -> None:
        path = json.dumps([entry or os.getcwd() for entry in sys.path])
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _BOOT.format(module=module), path, *arguments],
            stdin=subprocess.DEVNULL,
            # What foreign code prints is for people and must not end in a table that somebody reads from a pipe.
            stdout=2,
            pass_fds=handles,
            # Out of reach of the terminal's Ctrl-C: the parent stops it in order.
            start_new_session=True,
        )

    def kill(self) -> None:
        """See `ChildProcess`."""
        self._process.kill()

    def ended(self, seconds: float) -> bool:
        """See `ChildProcess`."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self._process.returncode is not None

    def bury(self) -> int:
        """See `ChildProcess`."""
        self._process.kill()
        return self._process.wait()


class WarmProcess:
    """The run's side of the process that workers are forked from.

    Args:
        start: the first order to each worker.

    Attributes:
        messages: readable once it has said whether it is warm, and when it dies.
    """

    def __init__(self, start: Mapping[str, Any]) -> None:
        self.messages, theirs = socket.socketpair()
        self._warm: bool | None = None
        self._mute = False
        self._began = time.monotonic()
        with theirs:
            arguments = [str(theirs.fileno()), str(os.getpid())]
            self._process = StartedProcess("warm_process", arguments, (theirs.fileno(),))
        self._order({"start": None, **start})

    @property
    def ready(self) -> bool:
        """Whether it is known by now how workers begin; one that takes too long is given up."""
        if self._warm is None and time.monotonic() - self._began > WARMING:
            self._warm = False
            self._process.kill()
        return self._warm is not None

    @property
    def warm(self) -> bool:
        """Whether workers are forked from it."""
        return bool(self._warm)

    def hear(self) -> None:
        """Take what it says of itself, or that it is dead. Call when `messages` is readable."""
        said = self._answer()
        self._warm = bool(said and said.get("warm"))
        if not self._warm:
            _LOG.info("workers are started by themselves: %s", said.get("why") if said else "the warmed process died")

    def fork(self, handles: tuple[int, int]) -> ChildProcess | None:
        """A new worker with these pipes; None if there can be none, and workers have to be started by themselves.

        A worker that comes too late may still take these pipes; others are to be used for the next.
        """
        said: dict[str, Any] | None = None
        with contextlib.suppress(OSError):
            socket.send_fds(self.messages, [b'{"do": "fork"}'], list(handles))
            said = self._answer()
        if said is None or "process" not in said:
            self._warm = False
            why = said["error"] if said else "the warmed process is silent" if self._mute else "the warmed process died"
            _LOG.warning("no worker could be forked, the next are started by themselves: %s", why)
            return None
        return ForkedProcess(self, said["process"])

    @property
    def dead(self) -> bool:
        """Whether it has ended, and all workers that it forked with it; call once one of them has."""
        # Its workers may be seen to die a moment before it.
        return self._process.ended(DYING)

    def bury(self, process: int) -> int | None:
        """The exit code of a worker that has ended, as in `subprocess`; None if it does not say."""
        with contextlib.suppress(OSError):
            if not self._mute:
                self._order({"do": "bury", "process": process})
                if (said := self._answer()) is not None:
                    return int(said["code"])
        self._warm = False
        return None

    def close(self) -> None:
        """End it; workers that still run die with it."""
        self.messages.close()
        self._process.bury()

    def _order(self, order: Mapping[str, Any]) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.messages.sendall(json.dumps(order).encode() + b"\n")

    def _answer(self) -> dict[str, Any] | None:
        """Its next answer; None if it is dead, or does not answer.

        One that does not answer in time is asked nothing more, as a late answer would be taken for another's, but it is
        not killed: its workers would die with it.
        """
        said = b""
        while not said.endswith(b"\n"):
            if not _readable(self.messages.fileno(), ANSWERS):
                self._mute, self._warm = True, False
                return None
            try:
                part = self.messages.recv(1 << 12)
            except ConnectionResetError:
                return None
            if not part:
                return None
            said += part
        answer: dict[str, Any] = parse_json(said)
        return answer


class ForkedProcess(ChildProcess):
    """A worker that was forked from a warmed process, which alone may wait for it: until then, its number is its own.

    Args:
        source: that process. process: the worker's number.
    """

    def __init__(self, source: WarmProcess, process: int) -> None:
        self._source = source
        self._process = process
        self._handle: int | None = None
        self._unknown = False
        # It may have died with its source, and the number may be another's soon.
        with contextlib.suppress(ProcessLookupError):
            self._handle = os.pidfd_open(process)

    def kill(self) -> None:
        """See `ChildProcess`."""
        if self._handle is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def ended(self, seconds: float) -> bool:
        """See `ChildProcess`."""
        return self._handle is None or _readable(self._handle, seconds)

    @property
    def cut_off(self) -> bool:
        """See `ChildProcess`; call once it is buried."""
        return self._unknown and self._source.dead

    def bury(self) -> int | None:
        """See `ChildProcess`."""
        self.kill()
        self.ended(ANSWERS)
        code = self._source.bury(self._process)
        self._unknown = code is None
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
        return code


def _readable(handle: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    return bool(poll.poll(1000 * seconds))
