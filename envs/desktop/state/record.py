"""The state of a desktop as an immutable record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TypeAlias

Sheet: TypeAlias = tuple[tuple[str, ...], ...]
"""The cells of a spreadsheet by row, as they are shown; rows and columns may be of different length."""


@dataclass(frozen=True, slots=True)
class WindowState:
    """A window on the screen.

    Attributes:
        title: as its title bar shows it. program: its WM_CLASS, such as "Mousepad".
        pid: of its program, as the desktop numbers it; 0 if unknown.
        place: left, top, right and bottom in pixels, without its frame.
        active: whether it is worked in.
    """

    title: str
    program: str
    pid: int
    place: tuple[int, int, int, int]
    active: bool = False


@dataclass(frozen=True, slots=True)
class PlayerState:
    """A player, as it says over MPRIS 2.2.

    Attributes:
        name: such as "mpv". status: "Playing", "Paused" or "Stopped".
        url: of what it plays, "" for nothing. position, length: in seconds, 0 if unknown. volume: 1 is full.
    """

    name: str
    status: str
    url: str = ""
    position: float = 0.0
    length: float = 0.0
    volume: float = 1.0


@dataclass(frozen=True, slots=True)
class PlayingStream:
    """A stream of sound into the desktop's output.

    Attributes:
        program: name of its program. corked: held by its program, so that it is silent.
        muted: by the mixer. volume: 1 is full.
    """

    program: str
    corked: bool
    muted: bool
    volume: float


@dataclass(frozen=True, eq=False)
class DesktopState:
    """What is true of a desktop at one moment.

    Attributes:
        windows: on the screen, the lowest first, without menus.
        commands: command lines of all running programs.
        players: those that are on the session bus and have something to play.
        streams: of sound. muted, volume: of the desktop's output.
        files: content of the files of its home by path, but for caches and what is larger than `LARGEST`.
        folders: paths of all its folders.
        sheets: the spreadsheets among the files, by path, the first sheet of each, computed.
    """

    windows: tuple[WindowState, ...] = ()
    commands: tuple[tuple[str, ...], ...] = ()
    players: tuple[PlayerState, ...] = ()
    streams: tuple[PlayingStream, ...] = ()
    muted: bool = False
    volume: float = 1.0
    files: Mapping[str, bytes] = field(default_factory=dict)
    folders: frozenset[str] = frozenset()
    sheets: Mapping[str, Sheet] = field(default_factory=dict)

    @property
    def front(self) -> WindowState | None:
        """The window that is worked in, if there is one."""
        return next((window for window in self.windows if window.active), None)

    def text(self, path: str) -> str | None:
        """A file as text, its bytes that are no UTF-8 replaced; None if there is none."""
        data = self.files.get(path)
        return None if data is None else data.decode("utf-8", "replace")

    def below(self, folder: str) -> tuple[str, ...]:
        """Paths of the files in a folder and below, sorted."""
        return tuple(sorted(path for path in self.files if path.startswith(f"{folder}/")))

    def cell(self, path: str, name: str) -> str | None:
        """What a cell of a spreadsheet shows, by its name such as "B12"; "" for an empty cell, None without a sheet."""
        sheet = self.sheets.get(path)
        if sheet is None:
            return None
        row, column = cell_position(name)
        cells: Sequence[str] = sheet[row] if row < len(sheet) else ()
        return cells[column] if column < len(cells) else ""

    def runs(self, program: str) -> bool:
        """Whether a program of this name runs."""
        return any(command and PurePosixPath(command[0]).name == program for command in self.commands)


def cell_position(name: str) -> tuple[int, int]:
    """Row and column of a cell, from 0, by its name: (11, 1) for "B12".

    Raises:
        ValueError: it is no cell's name.
    """
    letters = name.rstrip("0123456789")
    digits = name[len(letters) :]
    if not (letters.isascii() and letters.isalpha() and letters.isupper() and digits and int(digits) > 0):
        raise ValueError(f"a cell is named such as B12, not {name!r}")
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(digits) - 1, column - 1
