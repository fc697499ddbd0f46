"""What is written and drawn on a screen, from its display list: what is drawn, and what cuts it off or covers it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from omnipilot.envs.sim.render.display_list import Op, Rect
from omnipilot.envs.sim.render.text import line_height, measure, shorten
from omnipilot.envs.types.geometry import Box, Size
from omnipilot.envs.types.observation import Element, Elements

INSIDE, COVERED = 0.97, 0.1
"""Share of a text's area that must lie inside the clips around it, and that may be covered."""


def written_texts(ops: Iterable[Op], size: Size) -> Elements:
    """The texts of a display list that nothing cuts off or covers, as elements of role `text` in reading order.

    Args:
        size: of the screen that `ops` draw, in their pixels.
    """
    found = [(_words(op), rect) for op, rect in uncovered_shapes(ops, size, ("text",))]
    placed = [(text, Box.clipped(*rect, size)) for text, rect in _reading_order(found) if text.strip()]
    return Elements(tuple(Element("text", text, box) for text, box in placed if box is not None))


def drawn_icons(ops: Iterable[Op], size: Size) -> Elements:
    """The icons of a display list that nothing cuts off or covers, as elements of role `image` with their names.

    Args:
        size: of the screen that `ops` draw, in their pixels.
    """
    placed = [(str(op[1]), Box.clipped(*rect, size)) for op, rect in uncovered_shapes(ops, size, ("icon",))]
    return Elements(tuple(Element("image", name, box) for name, box in placed if box is not None))


def uncovered_shapes(
    ops: Iterable[Op], size: Size, kinds: Collection[str], covered: float = COVERED
) -> list[tuple[Op, Rect]]:
    """The operations of these kinds of which nothing is cut off, and later ones cover little, with their rectangles.

    Args:
        kinds: of text, icon, rect.
        covered: greatest share that one later shape may cover.
    """
    clips: list[Rect] = [(0, 0, size.width, size.height)]
    found: list[tuple[Op, Rect]] = []
    for op in ops:
        if op[0] == "clip":
            clips.append(_common(clips[-1], (op[1], op[2], op[1] + op[3], op[2] + op[4])))
        elif op[0] == "unclip":
            clips.pop()
        elif op[0] in ("rect", "circle"):
            x, y, w = op[1:4]
            over = _common((x, y, x + w, y + op[4]) if op[0] == "rect" else (x - w, y - w, x + w, y + w), clips[-1])
            found = [(one, rect) for one, rect in found if _area(_common(rect, over)) <= covered * _area(rect)]
        if op[0] in kinds:
            rect = _rectangle(op)
            if _area(_common(rect, clips[-1])) >= INSIDE * _area(rect):
                found.append((op, rect))
    return found


def _rectangle(op: Op) -> Rect:
    if op[0] == "text":
        _, x, y, _, _, points, weight, _ = op
        return x, y + 2, x + measure(_words(op), points, weight), y + line_height(points) - 2
    if op[0] == "icon":
        _, _, x, y, side, _ = op
        return x, y, x + side, y + side
    _, x, y, w, h, *_ = op
    return x, y, x + w, y + h


def _words(op: Op) -> str:
    """The text of an operation as it is drawn: one with a width may end in an ellipsis."""
    _, _, _, text, _, points, weight, width = op
    return str(text) if width is None else shorten(text, points, weight, width)


def _reading_order(found: Sequence[tuple[str, Rect]]) -> list[tuple[str, Rect]]:
    """From top to bottom, and from left to right within a row: texts whose middles are within half a line."""
    rows: list[list[tuple[str, Rect]]] = []
    for text, rect in sorted(found, key=lambda one: (one[1][1] + one[1][3], one[1][0])):
        top, bottom = (rows[-1][0][1][1], rows[-1][0][1][3]) if rows else (0, 0)
        if rows and abs(rect[1] + rect[3] - top - bottom) <= bottom - top:
            rows[-1].append((text, rect))
        else:
            rows.append([(text, rect)])
    return [one for row in rows for one in sorted(row, key=lambda one: one[1][0])]


def _common(one: Rect, other: Rect) -> Rect:
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def _area(rect: Rect) -> int:
    return max(0, rect[2] - rect[0]) * max(0, rect[3] - rect[1])
