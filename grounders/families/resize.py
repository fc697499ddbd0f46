"""Resize rules: the size at which a screenshot is sent to a model, so that the size the model sees is known.

A rule is data with one method, `size(screenshot) -> Size`. At that size the model's own preprocessor has nothing
left to resize, whatever its version. `prepare` does the resizing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omnipilot.envs import Image, Size
from omnipilot.envs.types import resize_image

if TYPE_CHECKING:
    from omnipilot.grounders.families.family import Family


@dataclass(frozen=True, slots=True)
class Longest:
    """Downscale, keeping the aspect ratio, until the longer side is at most `long` and the shorter at most `short`."""

    long: int
    short: int | None = None

    def size(self, screenshot: Size) -> Size:
        """The size to send; at least one pixel per side."""
        sides = screenshot.width, screenshot.height
        scale = min(1.0, self.long / max(sides), (self.short or self.long) / min(sides))
        return Size(*(max(1, round(side * scale)) for side in sides))

    def __str__(self) -> str:
        return f"sides ≤ {self.long} and {self.short}" if self.short else f"longer side ≤ {self.long}"


@dataclass(frozen=True, slots=True)
class Fixed:
    """Always the same size, whatever the shape of the screenshot."""

    width: int
    height: int

    def size(self, screenshot: Size) -> Size:  # noqa: ARG002 - a rule is asked about every screenshot
        """The fixed size."""
        return Size(self.width, self.height)

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"


CLAUDE_EDGE = CLAUDE_TILES = 1568
"""Longest edge, and number of 28-pixel tiles, beyond which the API silently downscales an image."""
CLAUDE_TARGETS = (Size(1456, 819), Size(1268, 951), Size(1344, 896), Size(1092, 1092), Size(1568, 784))
"""Documented sizes for 16:9, 4:3, 3:2, 1:1 and 2:1; portrait screens use them rotated."""


@dataclass(frozen=True, slots=True)
class Claude:
    """Unchanged if Claude's API keeps it; else the documented size for its aspect ratio, else the largest that fits.

    Source: Anthropic's documentation of image sizes and of computer use.
    """

    def size(self, screenshot: Size) -> Size:
        """At most 1568 pixels on the longer side and 1568 tiles of 28x28 pixels."""
        if _fits(screenshot):
            return screenshot
        long, short = sorted((screenshot.width, screenshot.height), reverse=True)
        for target in CLAUDE_TARGETS:
            if abs(long / short - target.width / target.height) < 0.02:
                return _turned(target.width, target.height, screenshot)
        edge = min(CLAUDE_EDGE, long)
        while not _fits(shrunk := Size(edge, max(1, round(short * edge / long)))):
            edge -= 1
        return _turned(shrunk.width, shrunk.height, screenshot)

    def __str__(self) -> str:
        return f"longer side ≤ {CLAUDE_EDGE}, ≤ {CLAUDE_TILES} tiles of 28"


def _fits(size: Size) -> bool:
    tiles = math.ceil(size.width / 28) * math.ceil(size.height / 28)
    return max(size.width, size.height) <= CLAUDE_EDGE and tiles <= CLAUDE_TILES


def _turned(long: int, short: int, like: Size) -> Size:
    return Size(long, short) if like.width >= like.height else Size(short, long)


def prepare(image: Image, family: Family) -> Image:
    """The image sent to a family's model: resized with LANCZOS to `family.sent_size`, unchanged if already that size.

    Raises:
        ValueError: the family's rule does not allow an image of that shape.
    """
    return resize_image(image, family.resize)
