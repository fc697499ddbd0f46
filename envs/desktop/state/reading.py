"""Reads the state of a desktop that was started here."""

from __future__ import annotations

import hashlib
import os
import shlex
import stat
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from omnipilot.envs.desktop.address import DesktopAddress
from omnipilot.envs.desktop.state.answers import PLAYER_FORMAT, output_from, players_from, sheet_from, streams_from
from omnipilot.envs.desktop.state.record import DesktopState, PlayerState, PlayingStream, Sheet, WindowState
from omnipilot.envs.desktop.x11.connection import XConnection
from omnipilot.envs.desktop.x11.windows import Windows
from omnipilot.envs.types.errors import EnvLost

LARGEST = 4 * 1024 * 1024
"""Bytes of a file whose content is part of the state."""
UNREAD = frozenset({".cache", ".dbus", ".npm", "GPUCache", "Cache", "Code Cache"})
"""Folders of which nothing is read: they tell nothing of what was done."""
SHEETS = (".gnumeric", ".xlsx", ".ods", ".csv")
PARTS = "\x1e"
PATIENCE = 30.0
"""Seconds after which a desktop that does not answer is given up."""
BRIEF = "timeout -s KILL 3"
"""The start of commands that ask other programs: one that is stopped never answers, and is not told of."""


class RunningProgram(Protocol):
    """A running process, by its command line."""

    @property
    def command(self) -> Sequence[str]: ...


class Files(Protocol):
    """The files of a home; see `omnipilot.envs.desktop.private.HomeFolder`."""

    @property
    def path(self) -> Path: ...

    def read_file(self, path: str) -> bytes: ...


class ReadableDesktop(Protocol):
    """What is needed of a desktop; see `omnipilot.envs.desktop.private.PrivateDesktop`."""

    @property
    def address(self) -> DesktopAddress: ...
    @property
    def home(self) -> Files: ...

    def processes(self) -> Sequence[RunningProgram]: ...

    def shell(self, command: str, timeout: float) -> str: ...


class StateReader:
    """Reads the state of one desktop, again and again; what has not changed is not read twice.

    Windows are asked of the X server over a connection of its own, players and streams by `playerctl` and `pactl` as
    the desktop's user, and spreadsheets are computed by gnumeric's `ssconvert`, as the user too: programs may have
    written anything into them.
    """

    def __init__(self, desktop: ReadableDesktop) -> None:
        self._desktop = desktop
        self._x: XConnection | None = None
        self._known: dict[str, tuple[tuple[int, int, int], bytes]] = {}
        self._computed: dict[tuple[str, bytes], Sheet | None] = {}

    def read(self) -> DesktopState:
        """The state now.

        Raises:
            EnvLost: the desktop is gone.
        """
        files, folders = self._files()
        commands = tuple(tuple(process.command) for process in self._desktop.processes())
        players, streams, muted, volume = self._sound()
        sheets = {path: sheet for path in files if (sheet := self._sheet(path, files[path])) is not None}
        return DesktopState(
            self._windows(),
            commands,
            players,
            streams,
            muted,
            volume,
            MappingProxyType(files),
            folders,
            MappingProxyType(sheets),
        )

    def close(self) -> None:
        """Close the connection to the X server. May be called twice."""
        if self._x is not None:
            self._x.close()
            self._x = None

    def _windows(self) -> tuple[WindowState, ...]:
        if self._x is None:
            self._x = XConnection(self._desktop.address)
        with self._x.talking():
            windows = Windows(self._x)
            front = windows.front()
            return tuple(
                WindowState(one.title, one.program, one.pid, one.inner, front is not None and front.id == one.id)
                for one in windows.stack()
                if not one.popup
            )

    def _sound(self) -> tuple[tuple[PlayerState, ...], tuple[PlayingStream, ...], bool, float]:
        """All that is asked by commands, in one call of a shell."""
        asked = [
            f"{BRIEF} playerctl --all-players metadata --format {shlex.quote(PLAYER_FORMAT)} 2>/dev/null",
            f"{BRIEF} pactl --format=json list sink-inputs 2>/dev/null",
            f"{BRIEF} pactl --format=json list sinks 2>/dev/null",
        ]
        answer = self._ask("; printf '\\036'; ".join([*asked, "true"]))
        players, streams, sinks, _ = (*answer.split(PARTS), "", "", "", "")[:4]
        return players_from(players), streams_from(streams), *output_from(sinks, self._desktop.address.sink)

    def _ask(self, command: str) -> str:
        try:
            return self._desktop.shell(command, PATIENCE)
        except TimeoutError as error:
            raise EnvLost(f"the state of the desktop cannot be read: {error}") from error

    def _files(self) -> tuple[dict[str, bytes], frozenset[str]]:
        """Contents by path, and the folders."""
        found: dict[str, bytes] = {}
        folders: set[str] = set()
        root = self._desktop.home.path
        for folder, inner, names in os.walk(root):
            inner[:] = sorted(name for name in inner if name not in UNREAD)
            place = Path(folder).relative_to(root)
            folders |= {(place / name).as_posix() for name in inner}
            for name in sorted(names):
                path = (place / name).as_posix()
                try:
                    status = os.lstat(Path(folder) / name)
                    if stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST:
                        found[path] = self._content(path, status)
                except OSError:
                    continue  # it went, or was replaced by something else, while we looked
        self._known = {path: self._known[path] for path in found}
        return found, frozenset(folders)

    def _content(self, path: str, status: os.stat_result) -> bytes:
        mark = (status.st_ino, status.st_mtime_ns, status.st_size)
        known = self._known.get(path)
        if known is None or known[0] != mark:
            known = self._known[path] = (mark, self._desktop.home.read_file(path))
        return known[1]

    def _sheet(self, path: str, data: bytes) -> Sheet | None:
        """A spreadsheet, computed; None for a file that is none."""
        if not path.endswith(SHEETS) or path.startswith("."):
            return None
        if path.endswith(".csv"):
            return sheet_from(data.decode("utf-8", "replace"))
        key = path, hashlib.sha256(data).digest()
        if key not in self._computed:
            # From "./", so that no name of a file is taken for an option.
            file = shlex.quote(f"./{path}")
            command = f"timeout -s KILL 10 ssconvert --export-type=Gnumeric_stf:stf_csv {file} fd://1 2>/dev/null"
            answer = self._ask(f"{command}; true")
            self._computed[key] = sheet_from(answer) if answer else None
        return self._computed[key]
