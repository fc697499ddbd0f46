"""The gallery's pictures, drawn at any size: several objects of one kind and colour in a landscape."""

from __future__ import annotations

from collections.abc import Callable

from omnipilot.envs.sim.ui.layout_pass import Painter

Color = tuple[int, int, int]
COLORS: dict[str, Color] = {
    "red": (206, 52, 52),
    "blue": (40, 92, 200),
    "yellow": (240, 196, 40),
    "white": (250, 250, 250),
    "purple": (134, 70, 170),
}
"""Colours of the objects in pictures, by name."""
Draw = Callable[[Painter, int, int, int, Color], None]


def _balloon(p: Painter, x: int, y: int, u: int, color: Color) -> None:
    p.line(x, y, x, y + 5 * u, (90, 90, 90), max(1, u // 4))
    p.circle(x, y, 2 * u, color)


def _boat(p: Painter, x: int, y: int, u: int, color: Color) -> None:
    p.rect(x - u // 4, y - 2 * u, max(1, u // 2), 5 * u, (110, 84, 60))
    p.rect(x + u // 4, y - 2 * u, 2 * u, 3 * u, color)
    p.rect(x - 3 * u, y + 2 * u, 6 * u, 2 * u, (96, 62, 40), u)


def _tree(p: Painter, x: int, y: int, u: int, color: Color) -> None:
    p.rect(x - u // 2, y, u, 5 * u, (112, 78, 48))
    p.circle(x, y - u // 2, 5 * u // 2, (52, 128, 66))
    p.circle(x - u, y - u, max(1, u // 2), color)
    p.circle(x + u, y, max(1, u // 2), color)


def _house(p: Painter, x: int, y: int, u: int, color: Color) -> None:
    p.rect(x - 2 * u, y, 4 * u, 4 * u, (236, 226, 208))
    p.rect(x - 5 * u // 2, y - u, 5 * u, 2 * u, color, u // 2)
    p.rect(x - u // 2, y + 2 * u, u, 2 * u, (96, 70, 50))


def _flower(p: Painter, x: int, y: int, u: int, color: Color) -> None:
    p.line(x, y, x, y + 4 * u, (52, 128, 66), max(1, u // 2))
    for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        p.circle(x + dx * u, y + dy * u, u, color)
    p.circle(x, y, max(1, 3 * u // 4), (120, 84, 20))


def _peak(p: Painter, x: int, y: int, u: int, color: Color) -> None:
    for step in range(5):
        p.rect(x - u * (step + 1) // 2, y + (step - 1) * u, u * (step + 1), u, color if step < 2 else (122, 118, 126))


SCENES: dict[str, tuple[Draw, Color, Color]] = {
    "balloons": (_balloon, (176, 214, 242), (122, 176, 96)),
    "boats": (_boat, (196, 222, 240), (58, 124, 172)),
    "trees": (_tree, (206, 226, 236), (140, 188, 104)),
    "houses": (_house, (232, 214, 196), (150, 176, 110)),
    "flowers": (_flower, (214, 234, 246), (108, 164, 84)),
    "peaks": (_peak, (204, 214, 236), (150, 168, 146)),
}
"""Object, sky and ground, by the scene's name."""


def draw_photo(p: Painter, x: int, y: int, w: int, h: int, scene: str, count: int, color: str) -> None:
    """Draw the picture in a rectangle; its `count` objects are in two staggered rows of three, in reading order."""
    draw, sky, ground = SCENES[scene]
    u = max(1, min(w // 22, h // 18))
    p.rect(x, y, w, h, sky)
    p.rect(x, y + h * 3 // 5, w, h - h * 3 // 5, ground)
    if scene != "balloons":
        p.circle(x + w * 7 // 8, y + h // 8, u, (250, 226, 130))
    for n in range(count):
        row, column = divmod(n, 3)
        draw(p, x + w * (3 + 5 * column + row) // 18, y + h * (5 + 8 * row) // 20, u, COLORS[color])
