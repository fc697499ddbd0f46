"""What the system refused, in one line with its cure: a disk that is full is the user's to mend, and no bug."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.types.regular_files import NotAFile

_CURES = {
    errno.ENOSPC: "make room there",
    errno.EDQUOT: "your share of the disk is used up: make room there",
    errno.EFBIG: "allow larger files (ulimit -f)",
    errno.EROFS: "the disk is mounted read-only: make it writable, or choose another place",
    errno.EIO: "the disk fails: look at the system's log before trusting anything on it",
    errno.ESTALE: "the network file system has lost the folder: mount it again",
    errno.ENODEV: "the disk is gone: bring it back",
    errno.EMFILE: "allow more open files (ulimit -n 4096), or fewer --jobs",
    errno.ENFILE: "the whole machine has too many files open: close programs, or fewer --jobs",
    errno.EACCES: "this user may not: choose another place, or change its permissions",
    errno.EPERM: "this user may not: choose another place, or change its permissions",
    errno.ENOENT: "check the path",
    errno.ENOTDIR: "a part of the path is a file: choose another place",
    errno.EEXIST: "there is a file of this name: choose another place",
    errno.EISDIR: "it is a folder: name a file",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.ENOLCK: "this file system has no locks: choose a folder on a local disk",
    errno.ENOMEM: "too little memory: fewer --jobs, or close programs",
    errno.EAGAIN: "the system allows no more processes or threads: fewer --jobs, or raise ulimit -u",
}
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_WRITING = _FULL | {errno.EFBIG, errno.EROFS, errno.EIO, errno.ESTALE, errno.ENODEV, errno.EMFILE, errno.ENFILE}
"""What keeps a file from being written that could be written before: what was written until then is still there."""


def explain(error: OSError | MemoryError) -> str:
    """The error in one line: what could not be done with which file, why, and what to do."""
    if isinstance(error, MemoryError):
        return f"out of memory{f' ({error})' if str(error) else ''}; fewer --jobs, or close programs"
    names = " and ".join(repr(str(name)) for name in (error.filename, error.filename2) if name is not None)
    unknown = "name a file" if isinstance(error, NotAFile) else "set OMNIPILOT_TRACEBACK=1 to see where this comes from"
    cure = _CURES.get(error.errno or 0, unknown)
    return f"{f'{names}: ' if names else ''}{error.strerror or error}; {cure}"


@contextmanager
def telling_disk_errors(path: Path) -> Iterator[None]:
    """Around writing below `path`, which belongs to a run.

    Raises:
        ConfigError: the disk is full, or fails in a way that is the user's to mend. Any other error is raised as it is.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in _WRITING:
            raise
        told, cure = str(error.strerror), _CURES[error.errno]
        if error.errno in _FULL:
            left, cure = _left(path, cure)
            told += left
        raise ConfigError(
            f"{path} cannot be written: {told}; {cure}, and run the same command again: "
            "episodes that have ended are kept"
        ) from error


def _left(path: Path, cure: str) -> tuple[str, str]:
    """What is left on the disk of a path, in words, and the cure for that."""
    if sys.platform == "win32":
        return "", cure
    try:
        state = os.statvfs(path)
    except OSError:
        return "", cure
    if state.f_files and not state.f_favail:
        return ", it takes no more files, however small", "delete some there"
    return f", {state.f_bavail * state.f_frsize // 1000} kB are free", cure
