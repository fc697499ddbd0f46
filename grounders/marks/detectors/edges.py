"""A detector of widgets without weights: icons, buttons and fields by their edges and flat areas, with OpenCV.

Everything is looked for at one scale, at which a phone is about 412 pixels wide and a desktop at most 1080 high, so
that the measures below mean the same on every screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs import Box, Element, Image, Size
from omnipilot.envs.types import require

PHONE, DESKTOP = 412, 1080
"""Width of a phone and shorter side of a desktop at the scale of all measures here, in pixels."""
_PHONE_SHAPE = 1.6
"""Height to width from which a screen is a phone's."""
EDGE = 10
"""Smallest step of brightness in a channel between neighbours that is an edge, of 255."""
AREA_LEAST, AREA_TALLEST, AREA_WIDEST = (18, 18), 84, 0.97
"""Least sides of a button or field, its greatest height, and its greatest width as a share of the screen's."""
ICON = (7, 60)
"""Least and greatest side of an icon."""
_SOLID = 0.74
"""Share of its box that an area fills, holes included; a circle fills 0.785."""
_SLIM = 3.0
"""Sides of an icon, the longer to the shorter, at most."""
_JOIN = 5
"""Strokes of one icon lie nearer together than this."""
_PAINTED = 10
"""Difference of colour between an area and what is around it from which it is painted rather than framed."""
_WIDE = 3.2
"""Width to height from which a framed area is a field."""

_Pixels = NDArray[np.uint8]
_Rect = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class WidgetDetector:
    """Finds what looks like an icon, a button or a field. It tells no names, and never reads.

    Raises:
        MissingExtra: OpenCV is not installed.
    """

    def __post_init__(self) -> None:
        require("cv2", "marks")

    def find(self, image: Image, texts: Sequence[Box] = ()) -> list[Element]:
        """Widgets of a screenshot, larger ones first, of role "icon", "button" or "textbox" and source "detector".

        Args:
            texts: where text is known to be; letters are then not taken for icons.
        """
        cv2: Any = require("cv2", "marks")
        scale = scale_of(image.size)
        pixels = image.array()
        if scale > 1:
            small = (max(1, round(image.size.width / scale)), max(1, round(image.size.height / scale)))
            pixels = cv2.resize(pixels, small, interpolation=cv2.INTER_AREA)
        size = Size(pixels.shape[1], pixels.shape[0])
        edges = _edges(cv2, pixels)
        written = np.zeros(edges.shape, np.uint8)
        for text in texts:
            left, top, right, bottom = text.to_pixels(size)
            written[max(0, int(top) - 1) : int(bottom) + 2, max(0, int(left) - 1) : int(right) + 2] = 1
        found = [*_areas(cv2, pixels, edges), *_icons(cv2, edges, written)]
        found.sort(key=lambda one: (-(one[1][2] - one[1][0]) * (one[1][3] - one[1][1]), one[1]))
        return [Element(role, "", Box.from_pixels(*rect, size), source="detector") for role, rect in found]


def scale_of(size: Size) -> float:
    """Screenshot pixels to one pixel of the scale at which widgets are looked for; at least 1."""
    phone = size.height / size.width >= _PHONE_SHAPE
    return max(1.0, size.width / PHONE if phone else min(size.width, size.height) / DESKTOP)


def _edges(cv2: Any, pixels: _Pixels) -> _Pixels:
    """1 where neighbours differ; only their darker or lighter side, so that flat areas keep their size."""
    cross = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
    step = cv2.subtract(cv2.dilate(pixels, cross), cv2.erode(pixels, cross))
    red, green, blue = cv2.split(step)
    edges: _Pixels = (cv2.max(cv2.max(red, green), blue) >= EDGE).astype(np.uint8)
    return edges


def _areas(cv2: Any, pixels: _Pixels, edges: _Pixels) -> Iterator[tuple[str, _Rect]]:
    """Flat areas that edges close in, of a button's size: painted ones and framed ones."""
    height, width = edges.shape
    count, labels, stats, _ = cv2.connectedComponentsWithStats(1 - edges, connectivity=4)
    for label in range(1, count):
        left, top, wide, high, _ = (int(value) for value in stats[label])
        if wide < AREA_LEAST[0] or high < AREA_LEAST[1] or high > AREA_TALLEST or wide > AREA_WIDEST * width:
            continue
        shape = (labels[top : top + high, left : left + wide] == label).astype(np.uint8)
        outlines, _ = cv2.findContours(shape, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        filled = np.zeros_like(shape)
        cv2.drawContours(filled, outlines, -1, 1, cv2.FILLED)
        if filled.mean() < _SOLID:
            continue
        rect = max(0, left - 1), max(0, top - 1), min(width, left + wide + 1), min(height, top + high + 1)
        inside = np.median(pixels[top : top + high, left : left + wide][shape == 1], axis=0)
        painted = np.abs(inside - _around(pixels, rect)).max() >= _PAINTED
        if not painted and not _framed(edges, rect):
            continue
        yield ("button" if painted or wide < _WIDE * high else "textbox"), rect


def _around(pixels: _Pixels, rect: _Rect) -> NDArray[np.float64]:
    """The colour just outside a rectangle."""
    left, top, right, bottom = rect
    height, width, _ = pixels.shape
    rows = [row for row in (top - 3, bottom + 2) if 0 <= row < height] or [top]
    columns = [column for column in (left - 3, right + 2) if 0 <= column < width] or [left]
    border = [pixels[row, left:right] for row in rows] + [pixels[top:bottom, column] for column in columns]
    return np.asarray(np.median(np.concatenate(border), axis=0))


def _framed(edges: _Pixels, rect: _Rect) -> bool:
    """Whether a line runs around a rectangle on all four sides: what ends where the screen does is a row."""
    left, top, right, bottom = rect
    height, width = edges.shape
    return left > 1 and top > 1 and right < width - 1 and bottom < height - 1


def _icons(cv2: Any, edges: _Pixels, written: _Pixels) -> Iterator[tuple[str, _Rect]]:
    """Groups of strokes of an icon's size."""
    strokes = cv2.morphologyEx(edges * (1 - written), cv2.MORPH_CLOSE, np.ones((_JOIN, _JOIN), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(strokes, connectivity=8)
    for left, top, wide, high, area in (map(int, stats[label]) for label in range(1, count)):
        short, long = min(wide, high), max(wide, high)
        if short < ICON[0] or long > ICON[1] or long > _SLIM * short or area < 0.2 * wide * high:
            continue
        yield "icon", (left, top, left + wide, top + high)
