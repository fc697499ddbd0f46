"""One writer per run directory: a lock that the system releases when the process holding it dies, however it dies."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from pathlib import Path
from types import TracebackType

from omnipilot.envs import ConfigError, lock_file
from omnipilot.envs.schema import parse_json

FILE = "lock"
LOOK = 0.3
"""Seconds for which a lock that is held is tried again and again: whoever asks `is_locked` holds it for a moment."""
_BETWEEN = 0.01


class RunLock:
    """Locks a run directory from construction to `release`, or as a context manager.

    Raises:
        ConfigError: another process, or another lock in this process, holds it (the message names process and host), or
            the file system has no locks, as some network file systems.
    """

    def __init__(self, folder: Path) -> None:
        self._handle = os.open(folder / FILE, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
        try:
            alone = _lock_soon(self._handle)
        except OSError as error:
            self.release()
            raise ConfigError(
                f"{folder} cannot be locked ({error.strerror}), so two runs could write it at once; choose an --out on "
                "a local disk"
            ) from None
        if not alone:
            holder = _holder(os.read(self._handle, 1000))
            self.release()
            raise ConfigError(f"{folder} is being written by {holder}; wait for it, stop it, or choose another --out")
        os.ftruncate(self._handle, 0)
        os.write(self._handle, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode())

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


def _lock_soon(handle: int) -> bool:
    deadline = time.monotonic() + LOOK
    while not (alone := lock_file(handle)) and time.monotonic() < deadline:
        threading.Event().wait(_BETWEEN)
    return alone


def is_locked(folder: Path) -> bool:
    """Whether a process writes the run in a directory now; False where nobody can tell."""
    try:
        handle = os.open(folder / FILE, os.O_RDWR | getattr(os, "O_BINARY", 0))
    except OSError:
        return False
    try:
        return not lock_file(handle, shared=True)
    except OSError:
        return False
    finally:
        os.close(handle)


def _holder(content: bytes) -> str:
    try:
        holder = parse_json(content)
        return f"process {holder['pid']} on {holder['host']}"
    except (ValueError, KeyError, TypeError):
        return "another process"
