"""One writer per run directory: a lock that the kernel releases when the process holding it dies, however it dies.

Uses `flock` directly rather than the package filelock: without `flock`, filelock falls back to the mere existence of a
file, which a killed process leaves behind, and it does not record the holder either.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
from pathlib import Path
from types import TracebackType

from omnipilot.envs import ConfigError
from omnipilot.envs.schema.parse_json import parse_json

FILE = "lock"


class RunLock:
    """Locks a run directory from construction to `release`, or as a context manager.

    Raises:
        ConfigError: another process, or another lock in this process, holds it (the message names process and host), or
            the file system has no locks, as some network file systems.
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
        except OSError as error:
            os.close(self._handle)
            raise ConfigError(
                f"{folder} cannot be locked ({error.strerror}), so two runs could write it at once; choose an --out on "
                "a local disk"
            ) from None
        os.ftruncate(self._handle, 0)
        os.pwrite(self._handle, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode(), 0)

    def release(self) -> None:
        """Release the lock; further calls do nothing. The file stays: removing it would race with the next holder."""
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
        holder = parse_json(content)
        return f"process {holder['pid']} on {holder['host']}"
    except (ValueError, KeyError, TypeError):
        return "another process"
