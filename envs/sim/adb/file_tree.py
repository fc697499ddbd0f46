"""The phone's files, in memory: they share nothing with the files of the machine that serves it."""

from __future__ import annotations

import posixpath
import stat
from dataclasses import dataclass, replace

MOST_BYTES = 256 * 1024 * 1024
MOST_FILES = 10_000
MOST_PATH = 1024
LINKS = {"/storage/emulated/0": "/sdcard", "/storage/self/primary": "/sdcard", "/mnt/sdcard": "/sdcard"}
"""Other names of folders."""
FOLDERS = (
    "/",
    "/data",
    "/data/local",
    "/data/local/tmp",
    "/sdcard",
    "/storage",
    "/storage/emulated",
    "/system",
    "/system/bin",
    "/proc",
    "/dev",
    "/sdcard/Android",
    "/sdcard/DCIM",
    "/sdcard/DCIM/Camera",
    "/sdcard/Documents",
    "/sdcard/Download",
    "/sdcard/Movies",
    "/sdcard/Music",
    "/sdcard/Pictures",
)
WRITABLE = ("/sdcard", "/data/local/tmp")


class FileError(Exception):
    """What a file operation says when it fails; `code` is its number in Linux."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


ABSENT, EXISTS, NO_FOLDER, IS_FOLDER, NOT_EMPTY, READ_ONLY, FULL, TOO_LONG = 2, 17, 20, 21, 39, 30, 28, 36
DENIED = 13
_TEXTS = {
    ABSENT: "No such file or directory",
    EXISTS: "File exists",
    NO_FOLDER: "Not a directory",
    IS_FOLDER: "Is a directory",
    NOT_EMPTY: "Directory not empty",
    READ_ONLY: "Read-only file system",
    FULL: "No space left on device",
    TOO_LONG: "File name too long",
    DENIED: "Permission denied",
}


def _fail(code: int) -> FileError:
    return FileError(code, _TEXTS[code])


@dataclass(frozen=True, slots=True)
class File:
    """A file or folder: its mode as of `stat`, the time of its last change in seconds since 1970, its content."""

    mode: int
    time: int
    data: bytes = b""

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return stat.S_ISDIR(self.mode)


class FileTree:
    """Files by absolute path.

    Args:
        most_bytes, most_files: when writing fails for lack of space.
    """

    def __init__(self, most_bytes: int = MOST_BYTES, most_files: int = MOST_FILES) -> None:
        self.most_bytes, self.most_files = most_bytes, most_files
        self._files = {path: File(0o40771, 0) for path in FOLDERS}
        self._used = self._reserved = 0

    @property
    def count(self) -> int:
        """How many files and folders there are."""
        return len(self._files)

    @staticmethod
    def resolve(path: str, folder: str = "/") -> str:
        """The absolute path without links, `.` and `..`.

        Raises:
            FileError: it is longer than 1024 characters.
        """
        whole = posixpath.normpath(posixpath.join("/", folder, path))
        whole = "/" + whole.lstrip("/")
        if len(whole) > MOST_PATH or "\0" in whole:
            raise _fail(TOO_LONG)
        for link, target in LINKS.items():
            if whole == link or whole.startswith(link + "/"):
                return target + whole[len(link) :]
        return whole

    def find(self, path: str) -> File | None:
        """The file or folder at a path, or None."""
        try:
            return self._files.get(self.resolve(path))
        except FileError:
            return None

    def get(self, path: str) -> File:
        """The file or folder at a path.

        Raises:
            FileError: there is none.
        """
        found = self._files.get(self.resolve(path))
        if found is None:
            raise _fail(ABSENT)
        return found

    def read(self, path: str) -> bytes:
        """The content of a file.

        Raises:
            FileError: there is none, or it is a folder.
        """
        found = self.get(path)
        if found.is_folder:
            raise _fail(IS_FOLDER)
        return found.data

    def names(self, path: str) -> list[str]:
        """Names of what a folder contains, sorted.

        Raises:
            FileError: it is no folder.
        """
        if not self.get(path).is_folder:
            raise _fail(NO_FOLDER)
        whole = self.resolve(path).rstrip("/") + "/"
        return sorted(
            p[len(whole) :] for p in self._files if p.startswith(whole) and "/" not in p[len(whole) :] and p != "/"
        )

    def check_write(self, path: str) -> str:
        """The resolved path of a file that may be written.

        Raises:
            FileError: its folder is missing or read-only, or it is a folder itself.
        """
        whole = self.resolve(path)
        parent = self._files.get(posixpath.dirname(whole))
        if not whole.startswith(tuple(f"{folder}/" for folder in WRITABLE)):
            raise _fail(READ_ONLY if not whole.startswith("/data") else DENIED)
        if parent is None:
            raise _fail(ABSENT)
        if not parent.is_folder:
            raise _fail(NO_FOLDER)
        found = self._files.get(whole)
        if found is not None and found.is_folder:
            raise _fail(IS_FOLDER)
        return whole

    def write(self, path: str, data: bytes, time: int, mode: int = 0o644, append: bool = False) -> None:
        """Write a file, in place of one that is there.

        Raises:
            FileError: it cannot be written there, or there is no space left.
        """
        whole = self.check_write(path)
        old = self._files.get(whole)
        if append and old is not None:
            data = old.data + data
        used = self._used - (len(old.data) if old else 0) + len(data)
        if used + self._reserved > self.most_bytes or (old is None and len(self._files) >= self.most_files):
            raise _fail(FULL)
        self._used = used
        self._files[whole] = File(stat.S_IFREG | (mode & 0o777), time, data)

    def reserve(self, count: int) -> None:
        """Set bytes aside for a file that is still coming; a negative number gives them back.

        Raises:
            FileError: there is no space left for them.
        """
        if count > 0 and self._used + self._reserved + count > self.most_bytes:
            raise _fail(FULL)
        self._reserved += count

    def make_folder(self, path: str, time: int, parents: bool = False) -> None:
        """Make a folder; with `parents` those above it too, and one that is there is no error.

        Raises:
            FileError: it cannot be made.
        """
        whole = self.resolve(path)
        found = self._files.get(whole)
        if found is not None:
            if parents and found.is_folder:
                return
            raise _fail(EXISTS)
        if parents and posixpath.dirname(whole) not in self._files:
            self.make_folder(posixpath.dirname(whole), time, True)
        self.check_write(whole)
        if len(self._files) >= self.most_files:
            raise _fail(FULL)
        self._files[whole] = File(0o40771, time)

    def remove(self, path: str, tree: bool = False) -> None:
        """Remove a file; with `tree` a folder with all it contains.

        Raises:
            FileError: it is missing, a folder (without `tree`), or may not be removed.
        """
        whole = self.resolve(path)
        found = self.get(whole)
        if not whole.startswith(tuple(f"{folder}/" for folder in WRITABLE)):
            raise _fail(READ_ONLY if not whole.startswith("/data") else DENIED)
        if found.is_folder and not tree:
            raise _fail(IS_FOLDER)
        for one in [p for p in self._files if p == whole or p.startswith(whole + "/")]:
            self._used -= len(self._files.pop(one).data)

    def change(self, path: str, mode: int | None = None, time: int | None = None) -> None:
        """Change the permissions or the time of a file.

        Raises:
            FileError: there is none.
        """
        found = self.get(path)
        kind = stat.S_IFMT(found.mode)
        self._files[self.resolve(path)] = replace(
            found,
            mode=found.mode if mode is None else kind | (mode & 0o777),
            time=found.time if time is None else time,
        )

    def walk(self, path: str) -> list[str]:
        """All paths from a folder down, itself included, sorted."""
        whole = self.resolve(path)
        return sorted(p for p in self._files if p == whole or p.startswith(whole.rstrip("/") + "/"))
