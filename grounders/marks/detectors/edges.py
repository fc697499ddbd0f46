"""A widget detector without weights: finds icons, buttons and fields by edges and flat areas, with OpenCV.

Detection runs at one scale, at which a phone is about 412 pixels wide and a desktop at most 1080 high, so
that the thresholds below mean the same on every screen.
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
"""Width of a phone and shorter side of a desktop at the detection scale, in pixels."""
_PHONE_SHAPE = 1.6
"""Minimum ratio of height to width of a phone's screen."""
EDGE = 10
"""Minimum difference of a channel between neighbouring pixels at an edge, of 255."""
AREA_LEAST, AREA_TALLEST, AREA_WIDEST = (18, 18), 84, 0.97
"""Minimum sides of a button or field, its maximum height, and its maximum width as a share of the screen's."""
AREA_THINNEST, _FLAT = 6, 0.4
"""Minimum side of a flat area of any size, and the minimum share of its box that is flat: letters leave holes."""
ICON = (7, 60)
"""Minimum and maximum side of an icon."""
_SOLID = 0.74
"""Minimum share of its box that an area fills, including holes; a circle fills 0.785."""
_SLIM = 3.0
"""Maximum aspect ratio of an icon."""
_JOIN = 5
"""Maximum distance between strokes of one icon."""
_PAINTED = 10
"""Minimum colour difference from the surroundings of an area that is filled rather than framed."""
_WIDE = 3.2
"""Minimum ratio of width to height of a framed area that is a field."""

_Pixels = NDArray[np.uint8]
_Rect = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class WidgetDetector:
    """Finds shapes that look like icons, buttons or fields, without names or text.

    Attributes:
        thin: find also strokes that are too thin for most icons, such as a minus, with the square around them as box.

    Raises:
        MissingExtra: OpenCV is not installed.
    """

    thin: bool = False

    def __post_init__(self) -> None:
        require("cv2", "marks")

    def find_areas(self, image: Image) -> list[Element]:
        """Flat areas of any size that edges enclose, such as panes, rows and buttons, with role "area" and source
        "detector", larger ones first; what is written in one does not divide it."""
        cv2: Any = require("cv2", "marks")
        pixels = _at_scale(cv2, image)
        count, _, stats, _ = cv2.connectedComponentsWithStats(1 - _edges(cv2, pixels), connectivity=4)
        height, width, _ = pixels.shape
        found = []
        for left, top, wide, high, area in stats[1:count].tolist():
            if min(wide, high) >= AREA_THINNEST and area >= _FLAT * wide * high:
                rect = max(0, left - 1), max(0, top - 1), min(width, left + wide + 1), min(height, top + high + 1)
                found.append((wide * high, rect))
        found.sort(key=lambda one: (-one[0], one[1]))
        size = Size(width, height)
        return [Element("area", "", Box.from_pixels(*rect, size), source="detector") for _, rect in found]

    def find(self, image: Image, texts: Sequence[Box] = ()) -> list[Element]:
        """Widgets in a screenshot, larger ones first, with role "icon", "button" or "textbox" and source "detector".

        Args:
            texts: boxes of known text, whose letters are then not mistaken for icons.
        """
        cv2: Any = require("cv2", "marks")
        pixels = _at_scale(cv2, image)
        size = Size(pixels.shape[1], pixels.shape[0])
        edges = _edges(cv2, pixels)
        written = np.zeros(edges.shape, np.uint8)
        for text in texts:
            left, top, right, bottom = text.to_pixels(size)
            written[max(0, int(top) - 1) : int(bottom) + 2, max(0, int(left) - 1) : int(right) + 2] = 1
        found = [*_areas(cv2, pixels, edges), *_icons(cv2, edges, written, self.thin)]
        found.sort(key=lambda one: (-(one[1][2] - one[1][0]) * (one[1][3] - one[1][1]), one[1]))
        return [Element(role, "", Box.from_pixels(*rect, size), source="detector") for role, rect in found]


def scale_of(size: Size) -> float:
    """Screenshot pixels per pixel of the detection scale; at least 1."""
    phone = size.height / size.width >= _PHONE_SHAPE
    return max(1.0, size.width / PHONE if phone else min(size.width, size.height) / DESKTOP)


def _at_scale(cv2: Any, image: Image) -> _Pixels:
    """The picture at the detection scale."""
    scale, pixels = scale_of(image.size), image.array()
    if scale > 1:
        small = (max(1, round(image.size.width / scale)), max(1, round(image.size.height / scale)))
        pixels = cv2.resize(pixels, small, interpolation=cv2.INTER_AREA)
    return pixels


def _edges(cv2: Any, pixels: _Pixels) -> _Pixels:
    """A mask of edges; only their darker or lighter side, so that flat areas keep their size."""
    cross = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
    step = cv2.subtract(cv2.dilate(pixels, cross), cv2.erode(pixels, cross))
    red, green, blue = cv2.split(step)
    edges: _Pixels = (cv2.max(cv2.max(red, green), blue) >= EDGE).astype(np.uint8)
    return edges


def _areas(cv2: Any, pixels: _Pixels, edges: _Pixels) -> Iterator[tuple[str, _Rect]]:
    """Flat areas of a button's size enclosed by edges: filled ones and framed ones."""
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
    """The mean colour just outside a rectangle."""
    left, top, right, bottom = rect
    height, width, _ = pixels.shape
    rows = [row for row in (top - 3, bottom + 2) if 0 <= row < height] or [top]
    columns = [column for column in (left - 3, right + 2) if 0 <= column < width] or [left]
    border = [pixels[row, left:right] for row in rows] + [pixels[top:bottom, column] for column in columns]
    return np.asarray(np.median(np.concatenate(border), axis=0))


def _framed(edges: _Pixels, rect: _Rect) -> bool:
    """Whether a rectangle has a line on all four sides; one that ends at the screen's edge is a row."""
    left, top, right, bottom = rect
    height, width = edges.shape
    return left > 1 and top > 1 and right < width - 1 and bottom < height - 1


def _icons(cv2: Any, edges: _Pixels, written: _Pixels, thin: bool) -> Iterator[tuple[str, _Rect]]:
    """Groups of strokes of an icon's size."""
    height, width = edges.shape
    strokes = cv2.morphologyEx(edges * (1 - written), cv2.MORPH_CLOSE, np.ones((_JOIN, _JOIN), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(strokes, connectivity=8)
    for left, top, wide, high, area in (map(int, stats[label]) for label in range(1, count)):
        short, long = min(wide, high), max(wide, high)
        if long < ICON[0] or long > ICON[1] or area < 0.2 * wide * high:
            continue
        if short < ICON[0] or long > _SLIM * short:
            if thin:
                x, y, half = left + wide // 2, top + high // 2, long // 2 + 1
                # A stroke along the edge of the screen is a border of something.
                if half <= x <= width - half and half <= y <= height - half:
                    yield "icon", (x - half, y - half, x + half, y + half)
            continue
        yield "icon", (left, top, left + wide, top + high)
