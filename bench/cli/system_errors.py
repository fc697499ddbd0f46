"""What the system refused, in one line with its cure."""

from __future__ import annotations

import errno

_CURES = {
    errno.ENOSPC: "make room there and run the same command again: episodes that have ended are kept",
    errno.EDQUOT: "your quota is used up: make room and run the same command again: episodes that have ended are kept",
    errno.EMFILE: "allow more open files (ulimit -n 4096), or fewer --jobs",
    errno.ENFILE: "the whole machine has too many files open: close programs, or fewer --jobs",
    errno.EROFS: "the disk is mounted read-only: choose another --out",
    errno.EACCES: "this user may not: choose another place, or change its permissions",
    errno.EPERM: "this user may not: choose another place, or change its permissions",
    errno.ENOENT: "check the path",
    errno.ENOTDIR: "a part of the path is a file: choose another place",
    errno.EEXIST: "there is a file of this name: choose another place",
    errno.EISDIR: "it is a folder: name a file",
    errno.ENOMEM: "too little memory: fewer --jobs, or close programs",
    errno.ENOLCK: "this file system has no locks: choose a local folder for --out",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.EAGAIN: "the system allows no more processes or threads: fewer --jobs, or raise ulimit -u",
    errno.ESTALE: "the network file system has lost the folder: mount it again, and run the same command again",
    errno.EIO: "the disk fails: look at the system's log before trusting anything on it",
}


def explain(error: OSError | MemoryError) -> str:
    """The error in one line: what could not be done with which file, why, and what to do."""
    if isinstance(error, MemoryError):
        return f"out of memory{f' ({error})' if str(error) else ''}; fewer --jobs, or close programs"
    names = " and ".join(repr(str(name)) for name in (error.filename, error.filename2) if name is not None)
    cure = _CURES.get(error.errno or 0, "set OMNIPILOT_TRACEBACK=1 to see where this comes from")
    return f"{f'{names}: ' if names else ''}{error.strerror or error}; {cure}"
