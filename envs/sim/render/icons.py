"""Icons as strokes and shapes on a 240-unit square, drawn at any size."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache, reduce
from pathlib import Path
from typing import Literal

import numpy as np

from omnipilot.envs.sim.render.icon_shapes import SHAPES
from omnipilot.envs.sim.render.shapes import SAMPLES, Mask, SampleGrid, Samples, round_rectangle

Kind = Literal["stroke", "loop", "fill", "disc", "ring"]
Part = tuple[bool, Kind, tuple[int, ...]]

SIDE = 240
DRAWN = (14, 16, 18, 20, 22, 24, 25, 28, 29, 32, 33, 36, 39, 40, 43, 50, 58, 96)
"""Sides in pixels at which the world's screens show icons, and one larger than all of them."""
PEN = 20
"""Width of a stroke."""


def _draw(text: str) -> tuple[Part, ...]:
    """Parse "stroke x y x y …; cut disc x y r; …" (icon_shapes.py)."""
    parts: list[Part] = []
    for clause in text.split(";"):
        words = clause.split()
        cut = words[0] == "cut"
        kind, *numbers = words[cut:]
        if kind not in ("stroke", "loop", "fill", "disc", "ring"):
            raise ValueError(f"a shape must be stroke, loop, fill, disc or ring, not {kind!r}")
        parts.append((cut, kind, tuple(int(number) for number in numbers)))  # type: ignore[arg-type]
    return tuple(parts)


ICONS: dict[str, tuple[Part, ...]] = {name: _draw(text) for name, text in SHAPES.items()}


@lru_cache(maxsize=512)
def draw(name: str, size: int) -> Mask:
    """The mask of an icon, `size` x `size` pixels.

    Raises:
        ValueError: the icon is unknown; the message names the nearest.
    """
    if name not in ICONS:
        near = ", ".join(get_close_matches(name, ICONS)) or ", ".join(ICONS)
        raise ValueError(f"unknown icon {name!r}; available are {near}")
    grid = SampleGrid(size, size, SIDE // (2 * SAMPLES))
    drawn = grid.empty()
    for cut, kind, numbers in ICONS[name]:
        shape = _shape(grid, kind, [number * size for number in numbers], PEN * size // 2)
        drawn = drawn & ~shape if cut else drawn | shape
    return grid.mask(drawn)


def write_icons(folder: Path, sides: Iterable[int] = DRAWN) -> None:
    """Draw every icon into a folder, and an empty checkbox, black on white: `trash-18.png`.

    Args:
        folder: is made if it is not there.
        sides: of the pictures, in pixels; each icon is drawn at all of them.
    """
    from PIL import Image as pil

    folder.mkdir(parents=True, exist_ok=True)
    for side in sides:
        radius = side * 4 // 18
        box = round_rectangle(side, side, radius) - round_rectangle(side, side, radius, max(1, side // 18))
        for name, mask in {**{name: draw(name, side) for name in ICONS}, "checkbox": box}.items():
            pil.fromarray((255 - mask.astype(np.uint32) * 255 // 256).astype(np.uint8)).save(
                folder / f"{name}-{side}.png"
            )


def _shape(grid: SampleGrid, kind: Kind, numbers: list[int], half: int) -> Samples:
    if kind == "disc":
        return grid.disc((numbers[0], numbers[1]), numbers[2])
    if kind == "ring":
        return grid.ring((numbers[0], numbers[1]), numbers[2], half)
    places = list(zip(numbers[::2], numbers[1::2], strict=True))
    ends = places[1:] if kind == "stroke" else [*places[1:], places[0]]
    lines = [grid.segment(start, end, half) for start, end in zip(places, ends, strict=False)]
    drawn = reduce(lambda one, other: one | other, lines)
    return drawn | grid.polygon(places) if kind == "fill" else drawn
