"""Drawing numbered marks: outlines and number plates, legible on light and dark screens, from phones to 4K."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs import Box, Image, Size
from omnipilot.grounders.marks.plate_placement import Ink, Rect, outline_areas, place_plates

_Color = tuple[int, int, int]
_COLORS: tuple[_Color, ...] = (
    (200, 0, 30),
    (0, 80, 200),
    (0, 115, 40),
    (165, 0, 150),
    (150, 70, 0),
    (0, 105, 120),
    (60, 0, 120),
    (255, 214, 0),
    (0, 224, 255),
    (120, 240, 60),
    (255, 150, 210),
    (255, 160, 50),
    (255, 255, 130),
)
"""Dark colours for light screens, and light ones; at least one contrasts with any shade of grey."""
_CONTRAST = (4.5, 3.0)
"""Contrast ratios (WCAG 2) for good and for sufficient contrast."""
_LETTERS = 14.0
"""Font height of the numbers at scale 1, in pixels."""
_BOLD = 0.15
"""Offset to the left and right at which a number is redrawn to make it bolder, in outline widths."""


def draw_marks(screenshot: Image, boxes: Mapping[int, Box]) -> Image:
    """The screenshot with an outline around each box, and its number on a plate beside it or in a free corner."""
    from PIL import Image as pil
    from PIL import ImageDraw

    size = screenshot.size
    pixels = screenshot.array()
    thick = max(1, round(2 * scale_of(size)))
    font = _font(max(9, round(_LETTERS * scale_of(size))))
    ink = Ink(pixels, max(1, thick // 2))
    rects = outline_areas(ink, {number: _rect(box, size) for number, box in boxes.items()}, thick)
    plates = place_plates(ink, rects, {number: _plate(font, number) for number in boxes}, thick)
    canvas = pil.frombytes("RGB", (size.width, size.height), screenshot.rgb)
    draw = ImageDraw.Draw(canvas)
    colors = {number: _color(number, _border(pixels, rect)) for number, rect in rects.items()}
    for number in sorted(rects, key=lambda one: -_area(rects[one])):
        left, top, right, bottom = rects[number]
        draw.rectangle((left, top, right - 1, bottom - 1), outline=colors[number], width=thick)
    for number, (left, top, right, bottom) in plates.items():
        color = colors[number]
        letters = max(((255, 255, 255), (0, 0, 0)), key=lambda ink: _ratio(luminance(ink), luminance(color)))
        draw.rectangle((left, top, right - 1, bottom - 1), fill=color, outline=letters, width=max(1, thick // 2))
        for aside in (-_BOLD * thick, _BOLD * thick):
            draw.text(((left + right) / 2 + aside, (top + bottom) / 2), str(number), letters, font, "mm")
    return Image.raw(size, canvas.tobytes(), screenshot.env, screenshot.start)


def scale_of(size: Size) -> float:
    """Drawing scale for a screen: 1 if 412 pixels wide or 1000 high, never below 0.7."""
    if size.height >= 1.6 * size.width:
        return max(0.7, size.width / 412)
    return max(0.7, min(1.0, size.width / 412), min(size.width, size.height) / 1000)


@lru_cache(maxsize=8)
def _font(height: int) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(height)


def _plate(font: Any, number: int) -> tuple[int, int]:
    """Width and height of a number's plate."""
    left, _, right, _ = font.getbbox(str(number), anchor="mm")
    _, top, _, bottom = font.getbbox("0", anchor="mm")
    room = max(4, round((bottom - top) * 0.6))
    return int(right - left) + room, int(bottom - top) + room


def _rect(box: Box, size: Size) -> Rect:
    left, top, right, bottom = box.to_pixels(size)
    x, y = int(left), int(top)
    return x, y, max(x + 1, round(right)), max(y + 1, round(bottom))


def _area(rect: Rect) -> int:
    return (rect[2] - rect[0]) * (rect[3] - rect[1])


def _border(pixels: NDArray[np.uint8], rect: Rect) -> list[float]:
    """Luminances around the outline: the typical one, and the extremes on either side."""
    left, top, right, bottom = rect
    height, width, _ = pixels.shape
    rows = sorted({max(0, top - 2), min(height - 1, top + 1), max(0, bottom - 2), min(height - 1, bottom + 1)})
    columns = sorted({max(0, left - 2), min(width - 1, left + 1), max(0, right - 2), min(width - 1, right + 1)})
    ring = [pixels[row, left:right] for row in rows] + [pixels[top:bottom, column] for column in columns]
    low, usual, high = np.percentile(np.concatenate(ring).astype(float), (15, 50, 85), axis=0)
    return [luminance(usual), luminance(usual), luminance(low), luminance(high)]


def _color(number: int, around: list[float]) -> _Color:
    """A colour that contrasts with the surroundings; consecutive numbers get different ones if possible."""

    usual, *others = around
    ratios = {color: [_ratio(own, usual), *(_ratio(own, other) for other in others)] for color, own in _palette()}
    standing = {color: min(each[0], sum(each) / len(each)) for color, each in ratios.items()}
    for least in _CONTRAST:
        if fit := [color for color, stands in standing.items() if stands >= least]:
            good = [color for color in fit if min(ratios[color]) >= least]
            return (good or fit)[number % len(good or fit)]
    return max(_COLORS, key=standing.__getitem__)


@lru_cache(maxsize=1)
def _palette() -> tuple[tuple[_Color, float], ...]:
    return tuple((color, luminance(color)) for color in _COLORS)


def luminance(color: Any) -> float:
    """Relative luminance of an 8-bit sRGB colour, 0..1 (WCAG 2)."""
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (float(v) / 255 for v in color)]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def _ratio(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
