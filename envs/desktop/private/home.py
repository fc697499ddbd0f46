"""A folder that untrusted programs write and that we read: no path leads out of it."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

from omnipilot.envs.desktop.private.keeper import remove_trees
from omnipilot.envs.types.errors import ConfigError

LARGEST = 256 * 1024 * 1024
"""Bytes of a file that are read at most."""
LINKS = 40
"""Symbolic links that one path may lead through, as in Linux."""


class HomeFolder:
    """The files of a desktop, for those who prepare and judge tasks.

    Paths are relative to it, or absolute as the desktop's programs see them. A path that leads out of it, by `..` or by
    a symbolic link, is refused, whatever a program does meanwhile: each part is opened from the folder before it.

    Args:
        path: the folder. seen_as: where programs see it.
        uid: user that gets what is written.
    """

    def __init__(self, path: Path, seen_as: Path, uid: int) -> None:
        self.path = path
        self.seen_as = seen_as
        self.uid = uid

    def read_file(self, path: str) -> bytes:
        """Content of a file.

        Raises:
            FileNotFoundError: there is none. PermissionError: the path leads out of the folder. OSError: it is no
            ordinary file, or too large.
        """
        with self._parent(path) as (folder, name, asked):
            # Not blocking, so that a pipe cannot hold us up.
            number = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        with os.fdopen(number, "rb") as file:
            status = os.fstat(number)
            if not stat.S_ISREG(status.st_mode):
                raise OSError(f"{asked} is no ordinary file")
            # One that grows while it is read may be larger than its size says.
            data = file.read(LARGEST + 1) if status.st_size <= LARGEST else b""
        if max(status.st_size, len(data)) > LARGEST:
            raise OSError(f"{asked} is larger than {LARGEST} bytes")
        return data

    def write_file(self, path: str, data: bytes) -> None:
        """Write a file that belongs to the desktop's user, with the folders that it needs; one that exists is replaced.

        Raises:
            PermissionError: the path leads out of the folder.
        """
        with self._parent(path, make=True) as (folder, name, _):
            with suppress(FileNotFoundError):
                os.unlink(name, dir_fd=folder)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            with os.fdopen(os.open(name, flags, 0o644, dir_fd=folder), "wb") as file:
                file.write(data)
                self._give(file.fileno())

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder."""
        try:
            with self._parent(path) as (folder, name, _):
                os.stat(name, dir_fd=folder, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            return False
        return True

    def list_files(self, path: str = ".") -> tuple[str, ...]:
        """Paths of all files in a folder and below, relative to the home, in order; links are listed, not followed."""
        if not self.exists(path):
            raise FileNotFoundError(path)
        with self._parent(path) as (folder, name, asked):
            start = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
        try:
            found = []
            for at, _, names, _ in os.fwalk(".", dir_fd=start, follow_symlinks=False):
                found += [str(PurePosixPath(asked) / at / one) for one in names]
            return tuple(sorted(found))
        finally:
            os.close(start)

    def empty(self, kept: Collection[str] = ()) -> None:
        """Remove all that is in it, but the entries `kept`.

        Raises:
            OSError: something cannot be removed.
        """
        found = [self.path / name for name in os.listdir(self.path) if name not in kept]
        remove_trees(*found)
        if left := [str(path) for path in found if os.path.lexists(path)]:
            raise OSError(f"{', '.join(left[:3])} cannot be removed")

    def fill(self, template: Path) -> None:
        """Copy what is in a folder, links as links, and give it to the desktop's user; pipes and sockets are left out.

        Raises:
            ConfigError: there is no such folder, or something in it cannot be copied.
        """
        if not template.is_dir():
            raise ConfigError(f"the home's template {template} is not a folder; name one that exists")
        try:
            shutil.copytree(template, self.path, symlinks=True, ignore=_no_content, dirs_exist_ok=True)
        except shutil.Error as error:
            raise ConfigError(f"the home's template {template} cannot be copied: {error.args[0][0][2]}") from None
        if os.geteuid() == 0:
            for at, folders, names, _ in os.fwalk(self.path, follow_symlinks=False):
                for name in (".", *folders, *names):
                    os.chown(os.path.join(at, name), self.uid, self.uid, follow_symlinks=False)
        self.path.chmod(0o700)

    def _give(self, number: int) -> None:
        if os.geteuid() == 0:
            os.fchown(number, self.uid, self.uid)

    def _relative(self, path: str) -> list[str]:
        # Two slashes at the start mean something else to PurePosixPath, and not to Linux.
        pure = PurePosixPath(f"/{path.lstrip('/')}" if path.startswith("/") else path)
        if pure.is_absolute():
            for root in (self.seen_as, self.path):
                if pure.is_relative_to(root):
                    pure = pure.relative_to(root)
                    break
            else:
                raise PermissionError(f"{path} is outside the desktop's home")
        elif pure.parts[:1] == ("~",):
            pure = PurePosixPath(*pure.parts[1:])
        if "\0" in path:
            raise PermissionError("a path holds no NUL")
        return list(pure.parts)

    @contextmanager
    def _parent(self, path: str, make: bool = False) -> Iterator[tuple[int, str, str]]:
        """The open folder that a path's last part is in, that part, and the path with all links replaced."""
        due = self._relative(path)[::-1]
        at = [os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)]
        names: list[str] = []
        links = 0
        try:
            while due:
                part = due.pop()
                if part == "..":
                    if not names:
                        raise PermissionError(f"{path} leads out of the desktop's home")
                    names.pop()
                    os.close(at.pop())
                    continue
                try:
                    target = os.readlink(part, dir_fd=at[-1])
                except OSError:
                    target = ""
                if target:
                    links += 1
                    if links > LINKS:
                        raise PermissionError(f"{path} leads through too many symbolic links")
                    if target.startswith("/"):
                        while names:
                            names.pop()
                            os.close(at.pop())
                    due += self._relative(target)[::-1]
                elif due:
                    if make:
                        with suppress(FileExistsError):
                            os.mkdir(part, 0o755, dir_fd=at[-1])
                    at.append(os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=at[-1]))
                    if make:
                        self._give(at[-1])
                    names.append(part)
                else:
                    yield at[-1], part, str(PurePosixPath(*names, part))
                    return
            yield at[-1], ".", str(PurePosixPath(*names))
        finally:
            for number in at:
                os.close(number)


def _no_content(folder: str, names: list[str]) -> set[str]:
    """Those names of a folder that are neither files, folders nor links: reading a pipe would never end."""
    modes = {name: os.lstat(os.path.join(folder, name)).st_mode for name in names}
    return {
        name for name, mode in modes.items() if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))
    }
