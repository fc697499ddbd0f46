"""Patches: soft-edged shapes (text, corners, icons, shadows) prepared for blending, and their cache."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs.sim.render import icons, shapes, text
from omnipilot.envs.sim.render.shapes import Mask
from omnipilot.envs.sim.state.display import Zoom

Color = tuple[int, int, int]
"""Red, green, blue: 0..255 each."""

SHADOW_REACH = 14
SHADOW_DROP = 4
SHADOW_STRENGTH = 70
SHADOW_COLOR: Color = (12, 18, 32)


@dataclass(frozen=True, slots=True)
class Patch:
    """A patch to blend: the new pixels are `(pixels * keep + add) / 256`."""

    keep: NDArray[np.uint16]  # (rows, 3 * columns), 0..256
    add: NDArray[np.uint16]  # the same shape: colour times cover, and 128 so that the division rounds
    x: int = 0  # offset from the place it is painted at
    y: int = 0

    @property
    def bytes(self) -> int:
        """Size in memory."""
        return self.keep.nbytes + self.add.nbytes


class PatchCache:
    """An LRU cache of patches, bounded in bytes; thread-safe."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.bytes = 0
        self._patches: OrderedDict[Hashable, Patch] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._patches)

    def get(self, make: Callable[..., Patch], *arguments: Hashable) -> Patch:
        """`make(*arguments)`, cached by the function and its arguments."""
        key = (make, arguments)
        with self._lock:
            patch = self._patches.get(key)
            if patch is not None:
                self._patches.move_to_end(key)
                return patch
        patch = make(*arguments)
        with self._lock:
            if key not in self._patches:
                self._patches[key] = patch
                self.bytes += patch.bytes + _ENTRY
                while self.bytes > self.limit:
                    self.bytes -= self._patches.popitem(last=False)[1].bytes + _ENTRY
        return patch


_ENTRY = 500
"""Bytes an entry takes besides its arrays, so that many empty patches are bounded too."""


def color_mask(mask: Mask, color: Color, x: int = 0, y: int = 0) -> Patch:
    """A mask in one colour."""
    return _patch([(mask, color)], mask, x, y)


def card(w: int, h: int, radius: int, color: Color, border: Color | None, edge: int = 1) -> Patch:
    """A rectangle with round corners, a border of `edge` pixels inside; `radius` is at most half a side."""
    outer = shapes.round_rectangle(w, h, radius)
    if border is None:
        return color_mask(outer, color)
    inner = shapes.round_rectangle(w, h, radius, edge)
    return _patch([(inner, color), (outer - inner, border)], outer)


def corner(side: int, radius: int, color: Color, border: Color | None, edge: int = 1) -> Patch:
    """One corner of a card: 0 is top left, 1 top right, 2 bottom left, 3 bottom right."""
    whole = card(2 * radius, 2 * radius, radius, color, border, edge)
    rows = slice(radius, None) if side & 2 else slice(radius)
    columns = slice(3 * radius, None) if side & 1 else slice(3 * radius)
    return Patch(whole.keep[rows, columns].copy(), whole.add[rows, columns].copy())


def disc(r: int, color: Color) -> Patch:
    """A filled circle, to be painted at the top left of its square."""
    return color_mask(shapes.round_rectangle(2 * r, 2 * r, r), color)


def stroke(dx: int, dy: int, width: int, color: Color) -> Patch:
    """A slanted line, to be painted at its start."""
    return color_mask(shapes.stroke(dx, dy, width), color, min(0, dx) - width, min(0, dy) - width)


def icon(name: str, size: int, color: Color) -> Patch:
    """An icon, to be painted at the top left of its square."""
    return color_mask(icons.draw(name, size), color)


def line(content: str, size: int, weight: text.Weight, color: Color, width: int | None, zoom: Zoom = (1, 1)) -> Patch:
    """A line of text no wider than `width`, to be painted at the top left of its line box."""
    if width is not None:
        content = text.shorten(content, size, weight, width)
    drawn = text.render(content, size, weight, zoom)
    return color_mask(drawn.mask, color, drawn.x, drawn.y)


def shadow(side: str, w: int, h: int, radius: int, zoom: Zoom = (1, 1)) -> Patch:
    """The part of a card's shadow that lies on its top, bottom, left or right, to be painted at the card's corner."""
    reach, drop = SHADOW_REACH * zoom[0] // zoom[1], SHADOW_DROP * zoom[0] // zoom[1]
    least = 2 * (radius + reach) + 1
    soft, middle = _soft_corner(min(w, least), min(h, least), radius, reach)
    rows = _stretched(soft.shape[0], h + 2 * reach, middle[1])
    columns = _stretched(soft.shape[1], w + 2 * reach, middle[0])
    top, bottom = reach - drop + radius, reach - drop + h - radius
    if side in ("top", "bottom"):
        rows, y = (rows[:top], drop - reach) if side == "top" else (rows[bottom:], h - radius)
        return color_mask(soft[np.ix_(rows, columns)], SHADOW_COLOR, -reach, y)
    rows = rows[top:bottom]
    columns, x = (columns[:reach], -reach) if side == "left" else (columns[reach + w :], w)
    return color_mask(soft[np.ix_(rows, columns)], SHADOW_COLOR, x, radius)


def _patch(layers: list[tuple[Mask, Color]], cover: Mask, x: int = 0, y: int = 0) -> Patch:
    add = sum(mask[:, :, None].astype(np.uint32) * np.array(color, np.uint32) for mask, color in layers)
    height, width = cover.shape
    keep = np.repeat((256 - cover).astype(np.uint16), 3, axis=1)
    return Patch(keep, (np.asarray(add) + 128).astype(np.uint16).reshape(height, 3 * width), x, y)


@lru_cache(maxsize=64)
def _soft_corner(w: int, h: int, radius: int, reach: int) -> tuple[Mask, tuple[int, int]]:
    """The shadow of the smallest card that has all corners, and its middle column and row."""
    soft = shapes.blur(shapes.round_rectangle(w, h, radius), reach, SHADOW_STRENGTH)
    return soft, (soft.shape[1] // 2, soft.shape[0] // 2)


def _stretched(count: int, wanted: int, middle: int) -> NDArray[np.int64]:
    """Indices that widen `count` rows or columns to `wanted` by repeating the middle one."""
    extra = wanted - count
    return np.concatenate([np.arange(middle), np.full(extra + 1, middle), np.arange(middle + 1, count)])
