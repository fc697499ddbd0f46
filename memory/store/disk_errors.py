"""A disk that is full or fails, told as what it is: the user's to mend, and no bug."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from omnipilot.envs import ConfigError

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""No space left, a user's share used up, a file larger than is allowed."""
FAILED = {
    errno.EROFS: "the disk is mounted read-only; make it writable",
    errno.EIO: "the disk fails; look at the system's log",
    errno.ESTALE: "the network file system has lost the folder; mount it again",
    errno.ENODEV: "the disk is gone; bring it back",
    errno.EMFILE: "too many files are open; allow more (ulimit -n 4096), or ask for fewer --jobs",
    errno.ENFILE: "the whole machine has too many files open; close programs, or ask for fewer --jobs",
}
"""What else keeps a file from being written, and what to do about it."""


@contextmanager
def telling_disk_errors(path: Path) -> Iterator[None]:
    """Around writing below `path`.

    Raises:
        ConfigError: the disk is full, or fails in a way that is the user's to mend. Any other error is raised as it is.
    """
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            try:
                free = f", {shutil.disk_usage(path).free // 1000} kB are free"
            except OSError:
                free = ""
            told, cure = f"{error.strerror}{free}", "make room there"
        elif error.errno in FAILED:
            told, cure = str(error.strerror), FAILED[error.errno]
        else:
            raise
        raise ConfigError(
            f"{path} cannot be written: {told}; {cure} and run the same command again: "
            "episodes that have ended are kept"
        ) from error
