"""Temporary folders that do not outlive a killed process for long: the next one of their kind clears them away."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from omnipilot.envs.file_lock import lock_file

_held: dict[Path, int] = {}
"""Our folders, each with an open file that holds its lock until we remove it, or end."""


def make_folder(kind: str) -> Path:
    """A new temporary folder, "omnipilot-KIND-…"; those of the kind whose processes were killed are removed.

    The folder is locked (flock(2)) for as long as this process lives: a folder that can be locked belongs to nobody.
    """
    _remove_left(kind)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=f"omnipilot-{kind}-"))
        number = lock(folder)
        if number is not None and folder.exists():
            _held[folder] = number
            return folder
        if number is None and not _can_lock():
            return folder
        # Another process took it for left behind, in the moment before it was locked.
        if number is not None:
            os.close(number)


def remove_folder(folder: Path) -> None:
    """Delete a folder, also while a dying program still writes into it."""
    for _ in range(20):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            break
    number = _held.pop(folder, None)
    if number is not None:
        os.close(number)


def _can_lock() -> bool:
    """Whether folders can be locked: Windows opens only files."""
    return hasattr(os, "O_NOFOLLOW")


def lock(path: Path) -> int | None:
    """Lock a folder or file (flock(2)) until it is closed, or this process ends.

    Returns:
        The number of the open file that holds the lock; None if another process has it, or it cannot be opened.
    """
    if not _can_lock():
        return None
    try:
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        alone = lock_file(number)
    except OSError:
        alone = False
    if not alone:
        os.close(number)
    return number if alone else None


def _remove_left(kind: str) -> None:
    """Remove what killed processes of this user have left of a kind."""
    if not _can_lock():
        return
    for folder in Path(tempfile.gettempdir()).glob(f"omnipilot-{kind}-*"):
        with suppress(OSError):
            if folder in _held or folder.lstat().st_uid != os.geteuid():
                continue
            number = lock(folder)
            if number is not None:
                shutil.rmtree(folder, ignore_errors=True)
                os.close(number)
