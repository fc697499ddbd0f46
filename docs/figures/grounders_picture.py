"""`python docs/figures/grounders_picture.py docs/pictures/coordinates.png`: the picture of docs/grounders.md.

Every number in the picture is computed by the code that it explains.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import typer
from picture_board import LINE, MARK, MUTED, REACHED, Board
from sim_shots import Shot, photograph, places, taken

from omnipilot.envs import Click, OpenApp, Point, Ref, Size
from omnipilot.grounders import Abstention, Grounding
from omnipilot.grounders.families import get

SCREENSHOT, BACKEND = Size(2560, 1600), Size(1280, 800)
SENDER = get("ui-tars-1.5")
ANSWERS = {
    "ui-tars-1.5": r"click\(.*\)",
    "uground-v1": r"\(.*\)",
    "glm-v": r"left_click\(.*?\)",
    "showui": r"\[.*\]",
    "gemini": r"\[\{.*\}\]",
}
"""Families that answer differently, and the part of their replies that is shown."""
FAILURES = ("(1.1)", "(3120,990)", "(-1,-1)", "start_box='[]' … (5,5)")
SAID = ("(1.1)", "(3120,990)", "(-1,-1)", "click(start_box='[]') (5,5)")
WIDE, HIGH, GAP, EDGE = 390, 244, 50, 20
LEFT, MIDDLE, RIGHT = (EDGE + column * (WIDE + GAP) for column in range(3))
UPPER, LOWER = 158, 496
PALE, PALE_RED = (226, 236, 253), (253, 236, 226)


class Sheet(Board):
    """A board with boxes and arrows."""

    def box(
        self, x: int, y: int, width: int, height: int, fill: tuple[int, int, int], edge: tuple[int, int, int]
    ) -> None:
        """A box with round corners."""
        self._canvas.rect(x, y, width, height, fill, 8, edge, 1)

    def line(self, x0: int, y0: int, x1: int, y1: int, color: tuple[int, int, int] = LINE, width: int = 1) -> None:
        """A straight line."""
        self._canvas.line(x0, y0, x1, y1, color, width)

    def arrow(self, x0: int, y0: int, x1: int, y1: int) -> None:
        """A level or upright arrow."""
        self.line(x0, y0, x1, y1, REACHED, 3)
        along, across = ((x1 > x0) - (x1 < x0), (y1 > y0) - (y1 < y0))
        for side in (-7, 7):
            back = (x1 - 9 * along + side * (across != 0), y1 - 9 * across + side * (along != 0))
            self.line(*back, x1, y1, REACHED, 3)

    def head(self, x: int, y: int, number: str, title: str, note: str) -> None:
        """A numbered heading with a line of explanation below."""
        self.badge(x + 11, y + 9, number)
        self.text(x + 30, y, title, 15, bold=True, width=WIDE - 30)
        self.text(x, y + 24, note, 13, soft=True, width=WIDE)

    def ring(self, x: int, y: int, screen: Size, place: Point) -> None:
        """The ring around a place on a screen that is pinned at (x, y)."""
        across, down = place.to_pixels(screen)
        self.mark(x + round(across), y + round(down))


def coordinates() -> Sheet:
    """The picture: 1310 x 770 pixels."""
    world = taken(Shot("Mail", "desktop", (OpenApp("Mail"), Click(Ref("mail/list/mail-3")))))
    picture, shown = photograph(world, "desktop"), Size(WIDE, HIGH)
    target = places(world, "desktop", ("mail/list/mail-3",))[0].center
    sent = SENDER.sent_size(SCREENSHOT)
    found = SENDER.parse(SENDER.render(target, sent), sent, SCREENSHOT)
    assert isinstance(found, Grounding)

    sheet = Sheet(2 * EDGE + 3 * WIDE + 2 * GAP, 770)
    sheet.text(EDGE, 20, "How a place travels", 20, bold=True)
    about = (
        "Three frames: the screenshot (S), the image a model saw (M), the units of a backend (D). Model scales end in "
        "Family.parse, backend units begin in the environment; in between there is only Point, on the unit square."
    )
    sheet.words(EDGE, 52, about, 1270)
    sheet.head(
        LEFT, UPPER - 48, "1", f"S: the screenshot, {SCREENSHOT}", "What the planner speaks of and the log keeps"
    )
    sheet.head(
        MIDDLE, UPPER - 48, "2", f"M: what the model is sent, {sent}", f"{SENDER.name}: {SENDER.resize}, resized by us"
    )
    sheet.head(
        RIGHT, UPPER - 48, "3", "What models answer", "One place, five families: each in its own space and syntax"
    )
    for x in (LEFT, MIDDLE):
        sheet.screen(x, UPPER, picture, shown)
        sheet.ring(x, UPPER, shown, target)
    _answers(sheet, target)
    sheet.arrow(LEFT + WIDE + 8, UPPER + 122, MIDDLE - 8, UPPER + 122)
    sheet.arrow(MIDDLE + WIDE + 8, UPPER + 122, RIGHT - 8, UPPER + 122)
    sheet.arrow(RIGHT + WIDE // 2, UPPER + HIGH + 8, RIGHT + WIDE // 2, LOWER - 56)

    sheet.head(
        RIGHT,
        LOWER - 48,
        "4",
        "Family.parse(reply, sent, screenshot)",
        "A point, or an abstention; never a default place",
    )
    _failures(sheet, sent)
    point = f"Point(x={found.point.x:.4f}, y={found.point.y:.4f})"
    sheet.head(MIDDLE, LOWER - 48, "5", "The unit square", f"{point}: no pixels, no thousandths")
    _unit_square(sheet, target)
    across, down = found.point.to_pixels(BACKEND)
    sheet.head(
        LEFT,
        LOWER - 48,
        "6",
        f"D: the backend, {BACKEND} units",
        f"Only the environment knows it: click at ({across:.1f}, {down:.1f})",
    )
    sheet.screen(LEFT, LOWER, picture, shown)
    sheet.ring(LEFT, LOWER, shown, found.point)
    sheet.arrow(RIGHT - 8, LOWER + 122, MIDDLE + WIDE + 8, LOWER + 122)
    sheet.arrow(MIDDLE - 8, LOWER + 122, LEFT + WIDE + 8, LOWER + 122)
    return sheet


def _answers(sheet: Sheet, target: Point) -> None:
    for row, (name, part) in enumerate(ANSWERS.items()):
        family, y = get(name), UPPER + row * 49
        reply = re.sub(r"<\|.*?\|>", "", family.render(target, family.sent_size(SCREENSHOT)))
        match = re.search(part, reply)
        assert match is not None
        sheet.box(RIGHT, y, WIDE, 46, PALE, REACHED)
        sheet.text(RIGHT + 12, y + 5, name, 13, bold=True)
        space = family.space + (", y first" if family.order == "yx" else "")
        sheet.text(RIGHT + 130, y + 5, space, 13, soft=True)
        sheet.text(RIGHT + 12, y + 25, match[0], 13, width=WIDE - 24)


def _failures(sheet: Sheet, sent: Size) -> None:
    for row, (shown, said) in enumerate(zip(FAILURES, SAID, strict=True)):
        got, y = SENDER.parse(said, sent, SCREENSHOT), LOWER + row * 61
        assert isinstance(got, Abstention)
        sheet.box(RIGHT, y, WIDE, 54, PALE_RED, MARK)
        sheet.text(RIGHT + 12, y + 8, shown, 14)
        sheet.text(RIGHT + 12, y + 29, f"Abstention: {got.reason}", 13, bold=True)


def _unit_square(sheet: Sheet, target: Point) -> None:
    side = HIGH - 24
    left, top = MIDDLE + (WIDE - side) // 2, LOWER + 4
    sheet.box(left, top, side, side, (255, 255, 255), MUTED)
    for tick in range(1, 4):
        at = side * tick // 4
        sheet.line(left + at, top + 1, left + at, top + side - 2)
        sheet.line(left + 1, top + at, left + side - 2, top + at)
    x, y = left + round(target.x * side), top + round(target.y * side)
    sheet.line(left, y, x - 14, y, MARK, 2)
    sheet.line(x, top, x, y - 14, MARK, 2)
    sheet.mark(x, y)
    sheet.text(left - 14, top - 8, "0", 13, soft=True)
    sheet.text(left + side + 6, top - 8, "1  x", 13, soft=True)
    sheet.text(left - 28, top + side - 10, "1  y", 13, soft=True)


def main(path: Path) -> None:
    """Draw the picture into a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(coordinates().png())
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    typer.run(main)
