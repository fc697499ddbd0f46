"""A full disk, told as what it is: the user's to mend, and no bug."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from omnipilot.envs import ConfigError

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""No space left, a user's share used up, a file larger than is allowed."""


@contextmanager
def telling_full_disk(path: Path) -> Iterator[None]:
    """Around writing below `path`.

    Raises:
        ConfigError: the disk is full. Any other error is raised as it is.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        try:
            free = f", {shutil.disk_usage(path).free // 1000} kB are free"
        except OSError:
            free = ""
        raise ConfigError(
            f"{path} cannot be written: {error.strerror}{free}; make room there and run the same command again: "
            "episodes that have ended are kept"
        ) from error
