"""Scaling a display list for a denser screen: the same layout, with edges on that screen's pixels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from omnipilot.envs.sim.render.display_list import Op
from omnipilot.envs.sim.state.display import DeviceScreen

HAIR = 2
"""Rectangles up to this many layout pixels thin have the same thickness everywhere."""


@lru_cache(maxsize=16384)
def zoomed_op(op: Op, screen: DeviceScreen) -> Op:
    """One operation in image pixels."""
    wide, across = screen.pixels.width, screen.layout.width
    high, down = screen.pixels.height, screen.layout.height
    zoom = screen.zoom

    def at(x: int, y: int) -> tuple[int, int]:
        return (2 * x * wide + across) // (2 * across), (2 * y * high + down) // (2 * down)

    def box(x: int, y: int, w: int, h: int) -> tuple[int, int, int, int]:
        (left, top), (right, bottom) = at(x, y), at(x + w, y + h)
        return left, top, length(w, zoom) if w <= HAIR else right - left, length(h, zoom) if h <= HAIR else bottom - top

    match op:
        case ("rect", x, y, w, h, color, radius, border):
            return ("rect", *box(x, y, w, h), color, length(radius, zoom), border, length(1, zoom))
        case ("clip", x, y, w, h):
            (left, top), (right, bottom) = at(x, y), at(x + w, y + h)
            return ("clip", left, top, right - left, bottom - top)
        case ("veil", x, y, w, h, share):
            return ("veil", *box(x, y, w, h), share)
        case ("circle", x, y, r, color):
            return ("circle", *at(x, y), length(r, zoom), color)
        case ("line", x0, y0, x1, y1, color, width):
            return ("line", *at(x0, y0), *at(x1, y1), color, length(width, zoom))
        case ("text", x, y, text, color, size, weight, width):
            return ("text", *at(x, y), text, color, size, weight, width, zoom)
        case ("icon", name, x, y, size, color):
            return ("icon", name, *at(x, y), length(size, zoom), color)
        case ("shadow", x, y, w, h, radius):
            return ("shadow", *box(x, y, w, h), length(radius, zoom), zoom)
        case ("unclip",):
            return op
    raise ValueError(f"unknown canvas operation {op[0]!r}")


def zoom_ops(ops: Sequence[Op], screen: DeviceScreen) -> Sequence[Op]:
    """A display list in image pixels; unchanged at normal density."""
    return ops if screen.zoom == (1, 1) else tuple([zoomed_op(op, screen) for op in ops])


def length(size: int, zoom: tuple[int, int]) -> int:
    """A length in image pixels; at least 1 if it is not 0."""
    return max((2 * size * zoom[0] + zoom[1]) // (2 * zoom[1]), min(size, 1))
