"""A drawing surface: raw pixels, painted with cached patches in integer arithmetic.

Equal calls give equal pixels on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs.sim.render import patches
from omnipilot.envs.sim.render.patches import Color, Patch, PatchCache
from omnipilot.envs.sim.render.text import Weight
from omnipilot.envs.sim.state.display import Zoom
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import Image

WHOLE_PIXELS = 6000
"""A rounded rectangle up to this area is one patch; a larger one is four corners and plain fills."""

_cache = PatchCache(48 << 20)


class Canvas:
    """Pixels to draw on; x to the right and y down, in whole pixels. Anything outside it or its clip is not drawn.

    Attributes:
        size: in pixels.
        pixels: array of shape (height, width, 3), uint8.
    """

    def __init__(self, size: Size, background: Color) -> None:
        self.size = size
        self.pixels: NDArray[np.uint8] = np.empty((size.height, size.width, 3), np.uint8)
        self._rows = self.pixels.reshape(size.height, 3 * size.width)
        self._clip = (0, 0, size.width, size.height)
        self._fill(*self._clip, background)

    def rect(
        self, x: int, y: int, w: int, h: int, color: Color, radius: int = 0, border: Color | None = None, edge: int = 1
    ) -> None:
        """A filled rectangle with round corners of `radius`; a border is `edge` pixels wide and lies inside."""
        if w <= 0 or h <= 0:
            return
        radius = max(0, min(radius, w // 2, h // 2))
        if radius and w * h <= WHOLE_PIXELS:
            self._paint(_cache.get(patches.card, w, h, radius, color, border, edge), x, y)
            return
        right, bottom = x + w, y + h
        if radius:
            self._fill(x + radius, y, right - radius, y + radius, color)
            self._fill(x, y + radius, right, bottom - radius, color)
            self._fill(x + radius, bottom - radius, right - radius, bottom, color)
            for side in range(4):
                corner = _cache.get(patches.corner, side, radius, color, border, edge)
                self._paint(corner, right - radius if side & 1 else x, bottom - radius if side & 2 else y)
        else:
            self._fill(x, y, right, bottom, color)
        if border is not None:
            self._fill(x + radius, y, right - radius, y + edge, border)
            self._fill(x + radius, bottom - edge, right - radius, bottom, border)
            self._fill(x, y + radius, x + edge, bottom - radius, border)
            self._fill(right - edge, y + radius, right, bottom - radius, border)

    def circle(self, cx: int, cy: int, r: int, color: Color) -> None:
        """A filled circle, 2 * `r` pixels wide; its centre is the top left corner of pixel (cx, cy)."""
        if r > 0:
            self._paint(_cache.get(patches.disc, r, color), cx - r, cy - r)

    def line(self, x0: int, y0: int, x1: int, y1: int, color: Color, width: int = 1) -> None:
        """A straight line between pixels, both included; a slanted one is antialiased and has round ends."""
        if width <= 0:
            return
        if x0 == x1 or y0 == y1:
            left, top, before = min(x0, x1), min(y0, y1), (width - 1) // 2
            if y0 == y1:
                self._fill(left, top - before, max(x0, x1) + 1, top - before + width, color)
            else:
                self._fill(left - before, top, left - before + width, max(y0, y1) + 1, color)
            return
        self._paint(_cache.get(patches.stroke, x1 - x0, y1 - y0, width, color), x0, y0)

    def text(
        self,
        x: int,
        y: int,
        text: str,
        color: Color,
        size: int = 14,
        weight: Weight = "regular",
        width: int | None = None,
        zoom: Zoom = (1, 1),
    ) -> None:
        """One line of text; (x, y) is the top left of its line box. Longer than `width`, it ends in an ellipsis.

        `zoom` scales size and width.
        """
        self._paint(_cache.get(patches.line, text, size, weight, color, width, zoom), x, y)

    def icon(self, name: str, x: int, y: int, size: int, color: Color) -> None:
        """A square icon, one of `omnipilot.envs.sim.render.icons.ICONS`; (x, y) is its top left.

        Raises:
            ValueError: the icon is unknown.
        """
        self._paint(_cache.get(patches.icon, name, size, color), x, y)

    def shadow(self, x: int, y: int, w: int, h: int, radius: int, zoom: Zoom = (1, 1)) -> None:
        """The soft shadow around a card with round corners, without the area of the card itself."""
        if w <= 0 or h <= 0:
            return
        radius = max(0, min(radius, w // 2, h // 2))
        for side in ("top", "bottom", "left", "right"):
            self._paint(_cache.get(patches.shadow, side, w, h, radius, zoom), x, y)

    def veil(self, x: int, y: int, w: int, h: int, share: int) -> None:
        """Darken what was drawn here so far by blending `share`/256 of black."""
        clip = self._clip
        left, top, right, bottom = max(x, clip[0]), max(y, clip[1]), min(x + w, clip[2]), min(y + h, clip[3])
        if left < right and top < bottom:
            part = self._rows[top:bottom, 3 * left : 3 * right]
            np.take(_darker(share), part, out=part, mode="clip")

    @contextmanager
    def clip(self, x: int, y: int, w: int, h: int) -> Iterator[None]:
        """Draw only inside this rectangle; nested clips intersect."""
        before = self._clip
        left, top, right, bottom = before
        self._clip = (max(left, x), max(top, y), min(right, x + w), min(bottom, y + h))
        try:
            yield
        finally:
            self._clip = before

    def image(self, env: str, time: float) -> Image:
        """A copy of the pixels, as a capture of `env` at `time`."""
        return Image.raw(self.size, self._rows.tobytes(), env, time)

    def _fill(self, left: int, top: int, right: int, bottom: int, color: Color) -> None:
        clip = self._clip
        left, top, right, bottom = max(left, clip[0]), max(top, clip[1]), min(right, clip[2]), min(bottom, clip[3])
        if left < right and top < bottom:
            self._rows[top:bottom, 3 * left : 3 * right] = _row(color, self.size.width)[: 3 * (right - left)]

    def _paint(self, patch: Patch, x: int, y: int) -> None:
        keep, add = patch.keep, patch.add
        left, top = x + patch.x, y + patch.y
        rows, columns = keep.shape
        right, bottom = left + columns // 3, top + rows
        clip = self._clip
        if left < clip[0] or top < clip[1] or right > clip[2] or bottom > clip[3]:
            x0, y0, x1, y1 = max(left, clip[0]), max(top, clip[1]), min(right, clip[2]), min(bottom, clip[3])
            if x0 >= x1 or y0 >= y1:
                return
            part = (slice(y0 - top, y1 - top), slice(3 * (x0 - left), 3 * (x1 - left)))
            keep, add = keep[part], add[part]
            left, top, right, bottom = x0, y0, x1, y1
        below = self._rows[top:bottom, 3 * left : 3 * right]
        blended = np.multiply(below, keep, dtype=np.uint16)
        blended += add
        blended >>= 8
        below[:] = blended


@lru_cache(maxsize=16)
def _darker(share: int) -> NDArray[np.uint8]:
    return (np.arange(256) * (256 - share) >> 8).astype(np.uint8)


@lru_cache(maxsize=512)
def _row(color: Color, width: int) -> NDArray[np.uint8]:
    return np.tile(np.array(color, np.uint8), width)
