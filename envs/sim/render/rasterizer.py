"""Rendering a display list to pixels, repainting only what differs from the previous list."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager

from omnipilot.envs.sim.render.display_list import Op, Rect
from omnipilot.envs.sim.render.patches import SHADOW_DROP, SHADOW_REACH
from omnipilot.envs.sim.render.surface import Canvas
from omnipilot.envs.sim.render.text import line_height, measure
from omnipilot.envs.sim.render.theme import PAGE
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import Image


class IncrementalRenderer:
    """Paints display lists: tuples of a `Canvas` method's name and its arguments, "clip" and "unclip" in pairs.

    The pixels depend only on the list. The previous list only saves work: the smallest rectangle with all differences
    is repainted, the rest is kept.
    """

    def __init__(self, size: Size, env: str) -> None:
        self.size = self._size = size
        self._env = env
        self._canvas: Canvas | None = None
        self._ops: Sequence[Op] = ()

    def paint(self, ops: Sequence[Op], time: float) -> Image:
        """The image of a display list, as a capture at `time`."""
        whole = (0, 0, self._size.width, self._size.height)
        damage = whole if self._canvas is None else damaged_area(self._ops, ops, whole)
        if self._canvas is None:
            self._canvas = Canvas(self._size, PAGE)
        canvas = self._canvas
        # Until this is done the canvas shows neither list: if it fails, the next call starts from scratch.
        self._canvas = None
        if damage is not None:
            _draw(canvas, ops, damage)
        self._canvas, self._ops = canvas, ops
        return canvas.image(self._env, time)


def damaged_area(old: Sequence[Op], new: Sequence[Op], whole: Rect) -> Rect | None:
    """A rectangle outside which two display lists look the same; None if they are equal."""
    shorter = min(len(old), len(new))
    first = 0
    while first < shorter and old[first] == new[first]:
        first += 1
    last = 0
    while last < shorter - first and old[-1 - last] == new[-1 - last]:
        last += 1
    before, after = old[first : len(old) - last], new[first : len(new) - last]
    if not before and not after:
        return None
    if not (_balanced(before) and _balanced(after)):
        return whole
    boxes = [box for op in (*before, *after) if (box := bounds(op)) is not None]
    if not boxes:
        return None
    left, top = min(b[0] for b in boxes), min(b[1] for b in boxes)
    right, bottom = max(b[2] for b in boxes), max(b[3] for b in boxes)
    return max(left, 0), max(top, 0), min(right, whole[2]), min(bottom, whole[3])


def _balanced(ops: Sequence[Op]) -> bool:
    """Whether clips start and end in pairs, so that subsequent operations are clipped as before."""
    depth = 0
    for op in ops:
        depth += (op[0] == "clip") - (op[0] == "unclip")
        if depth < 0:
            return False
    return depth == 0


def bounds(op: Op) -> Rect | None:
    """A rectangle that contains everything an operation can touch; None if that is nothing."""
    match op[0]:
        case "rect" | "clip" | "veil":
            _, x, y, w, h, *_ = op
            return x, y, x + w, y + h
        case "circle":
            _, x, y, r, _ = op
            return x - r - 1, y - r - 1, x + r + 1, y + r + 1
        case "text":
            _, x, y, text, _, size, weight, width, *zoom = op
            length, (over, under) = measure(text, size, weight), zoom[0] if zoom else (1, 1)
            wide, high = length if width is None else min(length, width), line_height(size)
            around = 4 * over // under
            right, bottom = x - -wide * over // under, y - -high * over // under
            return x - around, y - around, right + around, bottom + around
        case "icon":
            _, _, x, y, size, _ = op
            return x - 1, y - 1, x + size + 1, y + size + 1
        case "line":
            _, x0, y0, x1, y1, _, width = op
            return min(x0, x1) - width, min(y0, y1) - width, max(x0, x1) + width + 1, max(y0, y1) + width + 1
        case "shadow":
            _, x, y, w, h, _, *zoom = op
            over, under = zoom[0] if zoom else (1, 1)
            reach = (SHADOW_REACH + SHADOW_DROP) * over // under + 2
            return x - reach, y - reach, x + w + reach, y + h + reach
    return None


def _draw(canvas: Canvas, ops: Sequence[Op], damage: Rect) -> None:
    left, top, right, bottom = damage
    if left >= right or top >= bottom:
        return
    clips: list[AbstractContextManager[None]] = []
    with canvas.clip(left, top, right - left, bottom - top):
        canvas.rect(left, top, right - left, bottom - top, PAGE)
        for op in ops:
            name = op[0]
            if name == "clip":
                clip = canvas.clip(*op[1:])
                clip.__enter__()
                clips.append(clip)
            elif name == "unclip":
                clips.pop().__exit__(None, None, None)
            elif name != "rect" or (op[1] < right and op[2] < bottom and op[1] + op[3] > left and op[2] + op[4] > top):
                getattr(canvas, name)(*op[1:])
