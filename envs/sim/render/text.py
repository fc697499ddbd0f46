"""Lines of text as masks, composed from the shipped glyph atlas; every machine gets the same pixels.

Text uses the font's own advances and kerning, in quarters of a pixel. A character missing from the atlas is
drawn as a box.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs.sim.state.display import Zoom

Weight = Literal["regular", "bold"]

LINE_HEIGHTS = {11: 16, 12: 16, 14: 20, 16: 24, 18: 24, 22: 28, 28: 36, 40: 48}
"""Height of a line's box in pixels, by size."""
SIZES = tuple(LINE_HEIGHTS)
"""The sizes in the atlas, in pixels."""

_UNKNOWN = "\ufffd"
_BLANKS = {ord(blank): " " for blank in "\t\n\r\u00a0\u202f"} | {0x00AD: None, 0x200B: None}
_FULL = 256


@dataclass(frozen=True, slots=True)
class GlyphMask:
    """One character's mask: shape (rows, quarter pixels), 0..255, and its offset from the baseline."""

    mask: NDArray[np.uint8]
    left: int  # quarter pixels from the pen
    top: int  # pixels above the baseline


@dataclass(frozen=True, slots=True)
class Face:
    """One weight of the font: advances and kerning in units of 1/`unit` of the size, glyphs by size."""

    unit: int
    across: int
    advances: dict[str, int]
    kerning: dict[str, int]
    glyphs: dict[int, dict[str, GlyphMask]]


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A drawn line: mask of shape (rows, columns), 0..256, and its offset from the top left of the line box."""

    mask: NDArray[np.uint16]
    x: int
    y: int


def snap(size: int) -> int:
    """The available size nearest to `size`, the smaller one if two are equally near."""
    return size if size in LINE_HEIGHTS else min(SIZES, key=lambda offered: (abs(offered - size), offered))


def line_height(size: int) -> int:
    """Height in pixels of the box of one line."""
    return LINE_HEIGHTS[snap(size)]


def measure(text: str, size: int = 14, weight: Weight = "regular") -> int:
    """Width of one line in pixels: the pen's total advance, rounded up."""
    return _measured(text, size, weight)


def wrap(text: str, size: int, weight: Weight, width: int) -> list[str]:
    """Break text into lines of at most `width` pixels, at spaces where possible; line feeds are kept.

    A word wider than the line is broken; a line has at least one character, however narrow `width` is.
    """
    return list(_wrapped(text, size, weight, width))


def shorten(text: str, size: int, weight: Weight, width: int) -> str:
    """The text itself if it fits `width` pixels, else as much of its start as fits with an ellipsis."""
    if measure(text, size, weight) <= width:
        return text
    cut = _fitting(text, size, weight, width, "…")
    return text[:cut].rstrip() + "…" if measure("…", size, weight) <= width else ""


def render(text: str, size: int, weight: Weight, zoom: Zoom = (1, 1)) -> DrawnLine:
    """Draw one line, scaled by `zoom`; the mask of a blank line has no pixels."""
    size, face = snap(size), _face(weight, zoom)
    glyphs, across, whole = face.glyphs[size], face.across, face.unit * zoom[1]
    placed: list[tuple[GlyphMask, int]] = []
    for character, pen in _place(text, weight)[0]:
        glyph = glyphs.get(character)
        if glyph is not None:
            placed.append((glyph, (2 * pen * size * across * zoom[0] + whole) // (2 * whole) + glyph.left))
    if not placed:
        return DrawnLine(np.zeros((0, 0), np.uint16), 0, 0)
    top = max(glyph.top for glyph, _ in placed)
    bottom = max(glyph.mask.shape[0] - glyph.top for glyph, _ in placed)
    first = min(left for _, left in placed) // across
    last = -(-max(left + glyph.mask.shape[1] for glyph, left in placed) // across)
    fine = np.zeros((top + bottom, (last - first) * across), np.uint8)
    for glyph, left in placed:
        rows, columns = glyph.mask.shape
        column = left - first * across
        part = fine[top - glyph.top : top - glyph.top + rows, column : column + columns]
        np.maximum(part, glyph.mask, out=part)
    sums = fine.reshape(top + bottom, last - first, across).sum(axis=2, dtype=np.int64)
    full = 255 * across
    mask = ((sums * _FULL + full // 2) // full).astype(np.uint16)
    return DrawnLine(mask, first, _baseline(size, zoom) - top)


def letter_middles(text: str, size: int, weight: Weight = "regular") -> list[tuple[str, float]]:
    """The characters of one line, each with where its middle is, in pixels from the line's left end."""
    face = _face(weight)
    scale = snap(size) / face.unit
    placed = zip(text.translate(_BLANKS), _place(text, weight)[0], strict=True)
    return [(letter, (pen + face.advances[known] / 2) * scale) for letter, (known, pen) in placed]


@lru_cache(maxsize=8192)
def _measured(text: str, size: int, weight: Weight) -> int:
    return -(-_place(text, weight)[1] * snap(size) // _face(weight).unit)


@lru_cache(maxsize=1024)
def _wrapped(text: str, size: int, weight: Weight, width: int) -> tuple[str, ...]:
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for index, word in enumerate(paragraph.split(" ")):
            longer = f"{line} {word}" if index and line else word
            if measure(longer, size, weight) <= width:
                line = longer
                continue
            if line:
                lines.append(line)
            while len(word) > 1 and measure(word, size, weight) > width:
                cut = max(1, _fitting(word, size, weight, width))
                lines.append(word[:cut])
                word = word[cut:]
            line = word
        lines.append(line)
    return tuple(lines)


def _baseline(size: int, zoom: Zoom) -> int:
    # Capitals (0.711 of the size) are centred in the line box.
    high, capital = LINE_HEIGHTS[size] * zoom[0] // zoom[1], (size * 711 * zoom[0] + 500 * zoom[1]) // (1000 * zoom[1])
    return (high + capital + 1) // 2


def _fitting(text: str, size: int, weight: Weight, width: int, tail: str = "") -> int:
    """How many characters of `text`, followed by `tail`, fit `width`."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if measure(text[:middle].rstrip() + tail, size, weight) <= width:
            low = middle
        else:
            high = middle - 1
    return low


def _place(text: str, weight: Weight) -> tuple[list[tuple[str, int]], int]:
    """Each character with its pen position, and the position after the last, in units of the font."""
    face = _face(weight)
    advances, kerning = face.advances, face.kerning
    pen, before = 0, ""
    placed = []
    for character in text.translate(_BLANKS):
        known = character if character in advances else _UNKNOWN
        pen += kerning.get(before + known, 0)
        placed.append((known, pen))
        pen += advances[known]
        before = known
    return placed, pen


@lru_cache(maxsize=8)
def _face(weight: Weight, zoom: Zoom = (1, 1)) -> Face:
    from PIL import Image

    folder = resources.files("omnipilot.envs.sim.render") / "fonts"
    name = "atlas" if zoom == (1, 1) else f"atlas-{zoom[0]}-{zoom[1]}"
    metrics = json.loads((folder / f"{name}.json").read_text(encoding="ascii"))
    with (folder / f"{name}.png").open("rb") as file, Image.open(file) as picture:
        sheet = np.asarray(picture.convert("L"))
    part = metrics["weights"][weight]
    glyphs = {
        int(size): {
            character: GlyphMask(sheet[y : y + high, x : x + wide].copy(), left, top)
            for character, (x, y, wide, high, left, top) in table.items()
        }
        for size, table in part["sizes"].items()
    }
    return Face(metrics["unit"], metrics["across"], part["advances"], part["kerning"], glyphs)
