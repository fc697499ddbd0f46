"""Files that somebody names: opened at once or refused, because a pipe or a device would be waited for without end.

The refusal is an `OSError` whose `strerror` says why, so that whoever reports files that are not there reports these
too.
"""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader

MOST_BYTES = 2 * 2**30
"""Bytes of a file that is read as a whole, at most: no annotations of a data set come near it."""
_KINDS = (
    (stat.S_ISDIR, "it is a folder"),
    (stat.S_ISFIFO, "it is a pipe"),
    (stat.S_ISSOCK, "it is a socket"),
)


class NotAFile(OSError):
    """What lies there is no file: a folder, a pipe, a socket, a device; or more than is read."""


def check_file(path: str | os.PathLike[str]) -> None:
    """Raise for what is not there, or is no file.

    Raises:
        NotAFile: it is a folder, a pipe, a socket or a device. OSError: it cannot be looked at.
    """
    _refuse_others(os.stat(path), path)


def open_file(path: str | os.PathLike[str]) -> BufferedReader:
    """Open a file for reading.

    Raises:
        NotAFile: it is a folder, a pipe, a socket or a device. OSError: it cannot be opened.
    """
    check_file(path)
    # What lies there may have changed since: a pipe is then opened without waiting for its other end.
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        _refuse_others(os.fstat(number), path)
        return os.fdopen(number, "rb")
    except BaseException:
        os.close(number)
        raise


def read_file(path: str | os.PathLike[str], most: int = MOST_BYTES) -> bytes:
    """The content of a file.

    Raises:
        NotAFile: as in `open_file`; or it has more than `most` bytes. OSError: it cannot be read.
    """
    with open_file(path) as file:
        content = file.read(most + 1) if os.fstat(file.fileno()).st_size <= most else None
        if content is None or len(content) > most:
            told = f"it has more than {most / 1e6:,.0f} MB, too many to be read as a whole"
            raise NotAFile(errno.EOVERFLOW, told, os.fspath(path))
        return content


def read_text(path: str | os.PathLike[str], most: int = MOST_BYTES, errors: str = "strict") -> str:
    """The text of a file in UTF-8, without the byte order mark that some programs write, its lines ending in \\n.

    Raises:
        OSError: as in `read_file`. UnicodeDecodeError: it is no UTF-8; not with errors="replace".
    """
    text = read_file(path, most).decode("utf-8-sig", errors)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _refuse_others(found: os.stat_result, path: str | os.PathLike[str]) -> None:
    """Raise for what is no regular file."""
    if not stat.S_ISREG(found.st_mode):
        what = next((words for is_one, words in _KINDS if is_one(found.st_mode)), "it is a device")
        raise NotAFile(errno.EINVAL, f"{what}, not a file", os.fspath(path))
