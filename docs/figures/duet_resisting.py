"""Screens that resist, as one picture with numbers on what makes them hard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from picture_board import Board
from sim_shots import Shot, photograph, places, taken

from omnipilot.envs import Box, Click, MouseMove, OpenApp, Ref, Size, Swipe, Wait
from omnipilot.envs.sim.shell.arrivals import NoticeArrives, PopupArrives
from omnipilot.envs.sim.state.display import Look

WIDE, TALL = Size(740, 462), Size(208, 462)
EDGE, GAP, LINE, ROWS = 20, 20, 28, 4
BANNER = NoticeArrives("desktop", "mail", "Jon Peters", "Lunch? I could be at the harbour at one.")
UPDATE = PopupArrives("phone", "Update", "Install version 12 now? The phone restarts.", ("Later", "Install"))


@dataclass(frozen=True, slots=True)
class Hard:
    """What makes a screen hard: the elements that show it, in words, and on which side of them the number stands."""

    ids: tuple[str, ...]
    words: str
    side: Literal["left", "right", "above"] = "left"


@dataclass(frozen=True, slots=True)
class Scene:
    """A screen that resists: how it comes about, how large it is shown, and what is hard about it."""

    shot: Shot
    size: Size
    hard: tuple[Hard, ...]


SCENES = (
    Scene(
        Shot(
            "",
            "desktop",
            (OpenApp("Files"), Click(Ref("files/tree/Reports")), MouseMove(Ref("files/paste")), Wait(1.5)),
            change=lambda state: state.later(1.5, BANNER),
        ),
        WIDE,
        (
            Hard(("tooltip",), "Icons have no words: the pointer rests on one to learn its name", "right"),
            Hard(("files/cut",), "Disabled until something is chosen that it could work on", "above"),
            Hard(
                ("files/list/document-14", "files/list/document-15"),
                "A file and its draft; in the folder 2024 lies another “Sales March”",
            ),
            Hard(("banner",), "A mail announces itself and covers for some seconds what lies there"),
        ),
    ),
    Scene(
        Shot("", "phone", (OpenApp("Clock"), Swipe("up"), Swipe("up")), Look("dark")),
        TALL,
        (
            Hard(
                ("clock/alarms/alarm-11", "clock/alarms/alarm-12"),
                "Two alarms of one name: only the time tells them apart",
            ),
            Hard(("clock/alarms/new",), "A floating button lies over the switch of another row"),
        ),
    ),
    Scene(
        Shot("", "phone", (OpenApp("Contacts"), Wait(1.0)), change=lambda state: state.later(1.0, UPDATE)),
        TALL,
        (Hard(("alert/update/later",), "A dialog comes up in mid-task: nothing behind it reacts"),),
    ),
)


def resisting() -> Board:
    """The scenes side by side; below, by numbers, what is hard about them."""
    width = 2 * EDGE + WIDE.width + 2 * (GAP + TALL.width)
    board = Board(width, 2 * EDGE + WIDE.height + 12 + ROWS * LINE)
    x, number = EDGE, 0
    for scene in SCENES:
        world, device = taken(scene.shot), scene.shot.device
        board.screen(x, EDGE, photograph(world, device), scene.size)
        for hard in scene.hard:
            number += 1
            for box in places(world, device, hard.ids):
                board.badge(*_beside(box, hard.side, x, scene.size), f"{number}")
            left = EDGE + (number - 1) // ROWS * width // 2
            top = EDGE + WIDE.height + 24 + (number - 1) % ROWS * LINE
            board.badge(left + 11, top + 9, f"{number}")
            board.text(left + 30, top, hard.words, soft=True)
        x += scene.size.width + GAP
    return board


def _beside(box: Box, side: str, x: int, size: Size) -> tuple[int, int]:
    """The centre of a number beside an element of a screen that stands at `x`."""
    left, right = x + round(box.left * size.width), x + round(box.right * size.width)
    top, middle = EDGE + round(box.top * size.height), EDGE + round(box.center.y * size.height)
    if side == "above":
        return (left + right) // 2, top - 6
    return (left - 6, middle) if side == "left" else (right + 14, middle)
