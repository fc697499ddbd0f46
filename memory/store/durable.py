"""Files that outlast a power cut: their content is on the disk before their name, and their name before what refers to
them.

`fsync` of a file is a promise for its content alone. That its name is there afterwards is one for the folder that holds
it (fsync(2), "Notes").
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable
from pathlib import Path

_NOT_FOR_FOLDERS = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EBADF})


def sync_file(path: Path) -> None:
    """Return once the content of a file is on the disk.

    Raises:
        OSError: it is not.
    """
    # Windows writes back only what was opened for writing.
    handle = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_names(folders: Iterable[Path]) -> None:
    """Return once what folders list is on the disk, as far as their file systems can promise it for folders at all.

    Raises:
        OSError: it is not.
    """
    if sys.platform == "win32":
        return  # opens no folders, and promises nothing for names
    for folder in folders:
        try:
            sync_file(folder)
        except OSError as error:
            if error.errno not in _NOT_FOR_FOLDERS:
                raise


def make_folder(path: Path) -> None:
    """Make a folder with all that it is in, and return once they are on the disk.

    Raises:
        OSError: it cannot be made.
    """
    made = [one for one in (path, *path.parents) if not one.is_dir()]
    path.mkdir(parents=True, exist_ok=True)
    sync_names(one.parent for one in reversed(made))


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file that is there as a whole or not at all, also after a power cut, and return once it is on the disk.

    Raises:
        OSError: it cannot be written; what was there before still is.
    """
    new = path.with_name(f"{path.name}.new")
    with new.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)
    sync_names([path.parent])
