"""A resize rule of native models alone; what they share with grounders is in `envs.resize`."""

from __future__ import annotations

import math
from dataclasses import dataclass

from omnipilot.envs import Size


@dataclass(frozen=True, slots=True)
class Within:
    """Shrunk, never enlarged, with its shape kept, until the longer side is at most `long` and the shorter `short`.

    Attributes:
        tiles: at most so many squares of 28 pixels, 0 for any number (Claude's API shrinks beyond 1568 of them).
    """

    long: int
    short: int
    tiles: int = 0

    def size(self, screenshot: Size) -> Size:
        """At least one pixel on each side."""
        sides = screenshot.width, screenshot.height
        scale = min(1.0, self.long / max(sides), self.short / min(sides))
        edge = max(1, round(max(sides) * scale))
        while True:
            size = Size(*(max(1, round(side * edge / max(sides))) for side in sides))
            if not self.tiles or math.ceil(size.width / 28) * math.ceil(size.height / 28) <= self.tiles or edge == 1:
                return size
            edge -= 1
