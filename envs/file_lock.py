"""Locks on open files that the operating system releases when their process ends, however it ends.

Uses each system's own calls, `flock` or `msvcrt.locking`, rather than the package filelock: where `flock` is missing,
filelock falls back to the mere existence of a file, which a killed process leaves behind.
"""

from __future__ import annotations

import errno
import os
import sys

_FAR = 1 << 30
"""On Windows nobody else can read a byte that is locked, so one is locked that lies far behind the file's content."""


def lock_file(handle: int, shared: bool = False) -> bool:
    """Lock an open file for this process alone, without waiting, until it is closed or the process ends.

    Args:
        handle: of the file, as `os.open` returns it; on Windows it has to be open for writing.
        shared: others may hold it in the same way meanwhile, and nobody alone; on Windows they may not.

    Returns:
        False if another handle has the lock.

    Raises:
        OSError: the file system has no locks, as some network file systems.
    """
    try:
        import fcntl
    except ModuleNotFoundError:
        return _lock_on_windows(handle)
    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lock_on_windows(handle: int) -> bool:
    # Type checkers know the module on Windows only.
    if sys.platform != "win32" and "msvcrt" not in sys.modules:
        raise OSError(errno.ENOSYS, "this Python has no file locks")
    import msvcrt

    at = os.lseek(handle, 0, os.SEEK_CUR)
    os.lseek(handle, _FAR, os.SEEK_SET)
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EDEADLK):
            return False
        raise
    finally:
        os.lseek(handle, at, os.SEEK_SET)
    return True
