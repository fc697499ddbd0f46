"""One writer a run directory: a lock that the kernel releases when its holder dies, however it dies."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from pathlib import Path
from types import TracebackType

from omnipilot.envs import ConfigError

FILE = "lock"


class RunLock:
    """Holds a run directory from its making to `release`, or as a context.

    Raises:
        ConfigError: another process, or another lock of this one, holds it; the message names process and host.
    """

    def __init__(self, folder: Path) -> None:
        self._handle = os.open(folder / FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _holder(os.pread(self._handle, 1000, 0))
            os.close(self._handle)
            raise ConfigError(
                f"{folder} is being written by {holder}; wait for it, stop it, or choose another --out"
            ) from None
        os.ftruncate(self._handle, 0)
        os.pwrite(self._handle, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode(), 0)

    def release(self) -> None:
        """Let others write. May be called twice. The file stays: removing it would race with the next holder."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def __enter__(self) -> RunLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def _holder(content: bytes) -> str:
    try:
        told = json.loads(content)
        return f"process {told['pid']} on {told['host']}"
    except (ValueError, KeyError, TypeError):
        return "another process that has not yet said which"
