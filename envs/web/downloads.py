"""What pages download, and what they may upload."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.envs.temporary_folders import make_folder, remove_folder
from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.web.chromium import Chromium

MOST_BYTES = 100_000_000
LISTED = 500
"""Maximum number of files that a file chooser lists."""


@dataclass(frozen=True, slots=True)
class Download:
    """One finished download.

    Attributes:
        name: of the file in the folder; differs from the suggested one where that was taken.
        size: in bytes; 0 if it failed.
        problem: why there is no file, "" otherwise.
    """

    name: str
    size: int
    problem: str = ""

    def __str__(self) -> str:
        return (
            f"Not downloaded: {self.name} ({self.problem})"
            if self.problem
            else f"Downloaded {self.name} ({self.size:,} bytes)"
        )


class Downloads:
    """The folder into which a browser context downloads, emptied at each start.

    Chromium writes under names of its own; a file gets its name when it is complete.

    Args:
        began: called when a download begins. most_bytes: a larger file is given up.
    """

    def __init__(self, chromium: Chromium, began: Callable[[], None], most_bytes: int = MOST_BYTES) -> None:
        self._began = began
        self.folder = make_folder("downloads")
        self.finished: list[Download] = []
        self._partial = make_folder("download")
        self._chromium = chromium
        self._most = most_bytes
        self._names: dict[str, str] = {}
        self._context: str | None = None

    def start(self, context: str | None) -> None:
        """Begin with an empty folder. `context`: DevTools id of the browser context; None for the default one."""
        session = self._chromium.session
        self._context = context
        session.on("Browser.downloadWillBegin", self._begin)
        session.on("Browser.downloadProgress", self._progress)
        session.send(
            "Browser.setDownloadBehavior",
            {
                "behavior": "allowAndName",
                "downloadPath": str(self._partial),
                "eventsEnabled": True,
                **self._where(),
            },
        )

    def _where(self) -> dict[str, str]:
        return {} if self._context is None else {"browserContextId": self._context}

    @property
    def running(self) -> bool:
        """Whether a file is on its way."""
        return bool(self._names)

    def _begin(self, event: dict[str, Any]) -> None:
        # The browser tells all its contexts' downloads; another's file never arrives in our folder.
        self._names[event["guid"]] = event["suggestedFilename"]
        self._began()

    def _progress(self, event: dict[str, Any]) -> None:
        guid, state = event["guid"], event["state"]
        if guid not in self._names:
            return
        if state == "inProgress":
            if max(event["receivedBytes"], event["totalBytes"]) > self._most:
                self._give_up(guid)
            return
        name, file = self._names.pop(guid), self._partial / guid
        if state == "completed" and file.exists():
            size = file.stat().st_size
            if size > self._most:
                file.unlink()
                self._fail(name, f"larger than {self._most:,} bytes")
                return
            name = free_name(self.folder, name)
            file.replace(self.folder / name)
            self.finished.append(Download(name, size))
        elif state == "canceled":
            self._fail(name, "canceled")

    def _give_up(self, guid: str) -> None:
        name = self._names.pop(guid)
        self._chromium.session.send("Browser.cancelDownload", {"guid": guid, **self._where()})
        self._fail(name, f"larger than {self._most:,} bytes")

    def _fail(self, name: str, problem: str) -> None:
        self.finished.append(Download(name, 0, problem))

    def stop(self) -> None:
        """Stop listening, and forget and delete everything."""
        self._chromium.session.remove_listener("Browser.downloadWillBegin", self._begin)
        self._chromium.session.remove_listener("Browser.downloadProgress", self._progress)
        for folder in (self.folder, self._partial):
            remove_folder(folder)


def free_name(folder: Path, suggested: str) -> str:
    """A plain file name that is not taken: "report.pdf", "report (1).pdf", …"""
    plain = suggested.replace("\\", "/").rsplit("/", 1)[-1].replace("\0", "").strip()
    plain = plain.lstrip(".") or "download"
    stem, dot, ending = plain.rpartition(".")
    if not dot or not stem:
        stem, ending = plain, ""
    stem, ending = stem[:150], f".{ending[:50]}" if ending else ""
    name, number = stem + ending, 0
    while (folder / name).exists():
        number += 1
        name = f"{stem} ({number}){ending}"
    return name


def check_folder(files: Path) -> Path:
    """The folder of files that pages may be given.

    Raises:
        ConfigError: there is none.
    """
    if not files.is_dir():
        raise ConfigError(f"there is no folder {files} of files to upload")
    return files


def list_files(folder: Path) -> list[str]:
    """Files in a folder and below, by path from it; hidden ones and links that lead out of it are left out."""
    found = []
    root = folder.resolve()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if any(part.startswith(".") for part in name.split("/")) or not path.is_file():
            continue
        if path.resolve().is_relative_to(root):
            found.append(name)
            if len(found) == LISTED:
                break
    return found


def file_in(folder: Path, name: str) -> Path | None:
    """The file of a folder with this path, or None; never one outside the folder."""
    if "\0" in name:
        return None
    path = (folder / name).resolve()
    return path if path.is_relative_to(folder.resolve()) and path.is_file() else None
