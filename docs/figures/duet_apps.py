"""The apps of the phone and of the desktop as contact sheets."""

from __future__ import annotations

from collections.abc import Sequence

from picture_board import Board
from sim_shots import Shot, photograph, taken, window_of

from omnipilot.envs import Click, Drag, Intent, OpenApp, Point, Ref, Size, TypeText, Wait
from omnipilot.envs.sim.state.display import Look

DARK = Look("dark")
MIDDLE: Intent = Drag(Point(0.5, 0.075), Ref("window/signals/title"))
EDGE, GAP, HEAD = 20, 16, 26
SMALL_PHONE, SMALL_DESKTOP = Size(152, 338), Size(410, 256)
PHONES = (
    Shot("Home", "phone", ()),
    Shot("Messages", "phone", (OpenApp("Messages"), Click(Ref("messages/threads/lea-wong")))),
    Shot("Clock", "phone", (OpenApp("Clock"),)),
    Shot("Notes", "phone", (OpenApp("Notes"),)),
    Shot("Contacts", "phone", (OpenApp("Contacts"),)),
    Shot("Tasks", "phone", (OpenApp("Tasks"),)),
    Shot("Calendar", "phone", (OpenApp("Calendar"), Click(Ref("calendar/month/2026-03-10"))), DARK),
    Shot("Phone", "phone", (OpenApp("Phone"), Click(Ref("phone/tab/voicemail"))), DARK),
    Shot("Music", "phone", (OpenApp("Music"),), DARK),
    Shot("Gallery", "phone", (OpenApp("Gallery"),), DARK),
    Shot("Settings", "phone", (OpenApp("Settings"),), DARK),
    Shot(
        "Timer",
        "phone",
        (OpenApp("Clock"), Click(Ref("clock/tab/timer")), Click(Ref("clock/timer/start")), Wait(47.0)),
        DARK,
    ),
)


DESKTOPS = (
    Shot("Mail", "desktop", (OpenApp("Mail"), Click(Ref("mail/list/mail-3")))),
    Shot("Files", "desktop", (OpenApp("Files"), Click(Ref("files/tree/Reports")))),
    Shot("Text Editor", "desktop", (OpenApp("Text Editor"), Click(Ref("editor/files/document-8")))),
    Shot("Spreadsheet", "desktop", (OpenApp("Spreadsheet"), Click(Ref("sheets/list/sheet-1")))),
    Shot(
        "Video Player",
        "desktop",
        (OpenApp("Video Player"), Click(Ref("player/list/clip-8")), Click(Ref("player/clip/play")), Wait(5.0)),
    ),
    Shot(
        "Signals",
        "desktop",
        (
            OpenApp("Signals"),
            MIDDLE,
            Click(Ref("signals/ball/play")),
            Wait(1.2),
            Click(Ref("signals/lamp/start")),
            Wait(0.2),
        ),
    ),
    Shot(
        "Browser",
        "desktop",
        (OpenApp("Browser"), TypeText("maps.example", Ref("browser/address"), clear=True, submit=True), Wait(2.0)),
        DARK,
    ),
    Shot(
        "Terminal",
        "desktop",
        (
            OpenApp("Terminal"),
            TypeText("cat Server/log-monday", Ref("terminal/prompt"), submit=True),
            TypeText("ls Travel", Ref("terminal/prompt"), submit=True),
        ),
        DARK,
    ),
    Shot("Settings", "desktop", (OpenApp("Settings"),), DARK),
)


def phone() -> Board:
    """The phone's home screen and its apps, in both themes."""
    return _sheet(PHONES, SMALL_PHONE, 6)


def desktop() -> Board:
    """The desktop's apps, in both themes."""
    return _sheet(DESKTOPS, SMALL_DESKTOP, 3)


def _sheet(shots: Sequence[Shot], size: Size, columns: int) -> Board:
    """Shots in rows, each with its title."""
    rows = -(-len(shots) // columns)
    high = HEAD + size.height + GAP
    board = Board(2 * EDGE + columns * (size.width + GAP) - GAP, 2 * EDGE + rows * high - GAP)
    for n, shot in enumerate(shots):
        x, y = EDGE + n % columns * (size.width + GAP), EDGE + n // columns * high
        board.text(x, y, shot.title, bold=True)
        world = taken(shot)
        picture = photograph(world, shot.device)
        if shot.device == "desktop":
            picture = picture.crop(window_of(world, size))
        board.screen(x, y + HEAD, picture, size)
    return board
