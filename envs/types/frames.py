"""The three frames of a place: the screenshot (S), the image the model saw (M), and the backend's units (D).

A model answers in one of four coordinate spaces; `Frame` converts an answer to a `Point` and back. The space and
resize rule of a model are data of its family, never guessed from the size of its numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from omnipilot.envs.types.geometry import Point, Size

Space: TypeAlias = Literal["norm1", "norm1000", "norm999", "abs_resized"]
"""`norm1`: 0..1. `norm1000`, `norm999`: thousandths, divided by 1000 or by 999. `abs_resized`: pixels of M."""
Order: TypeAlias = Literal["xy", "yx"]

SLACK = 0.02
"""How far outside the image an answer may be, as a share of the side, and still be clamped to the edge."""
STEEPEST = 200
"""Aspect ratio above which `smart_resize` rejects an image."""


class OutOfRange(ValueError):
    """A model's answer is clearly outside its image, usually because of a wrong coordinate space or resize rule."""


def smart_resize(size: Size, factor: int, min_pixels: int, max_pixels: int) -> Size:
    """The size to which the Qwen-VL family resizes an image.

    Args:
        size: size of the image.
        factor: both sides become multiples of it (28 for Qwen2-VL and Qwen2.5-VL, 32 for Qwen3-VL).
        min_pixels: minimum number of pixels of the result.
        max_pixels: maximum number of pixels of the result, unless `factor` squared is more.

    Raises:
        ValueError: one side is more than 200 times the other; pad the image first.

    Source: `smart_resize` of qwen_vl_utils; rounding is half to even.
    """
    width, height = size.width, size.height
    if max(width, height) / min(width, height) > STEEPEST:
        raise ValueError(f"an image of {size} has an aspect ratio above {STEEPEST}; pad the image first")
    new = [max(factor, round(side / factor) * factor) for side in (width, height)]
    if new[0] * new[1] > max_pixels:
        shrink = math.sqrt(width * height / max_pixels)
        new = [max(factor, math.floor(side / shrink / factor) * factor) for side in (width, height)]
    elif new[0] * new[1] < min_pixels:
        grow = math.sqrt(min_pixels / (width * height))
        new = [math.ceil(side * grow / factor) * factor for side in (width, height)]
    return Size(*new)


@dataclass(frozen=True, slots=True)
class Frame:
    """How a model's answers relate to a screenshot.

    Attributes:
        screenshot: size of the screenshot (S), in pixels.
        model: size of the image that the model actually saw (M), in pixels.
        space: coordinate space of the model's numbers.
        order: order of the two numbers: x first, or y first.
    """

    screenshot: Size
    model: Size
    space: Space
    order: Order = "xy"

    def __post_init__(self) -> None:
        if self.space not in ("norm1", "norm1000", "norm999", "abs_resized") or self.order not in ("xy", "yx"):
            raise ValueError(f"unknown coordinate space {self.space!r} or order {self.order!r}")

    @property
    def ranges(self) -> tuple[float, float]:
        """The model's numbers for the right and the bottom edge."""
        if self.space == "abs_resized":
            return float(self.model.width), float(self.model.height)
        side = {"norm1": 1.0, "norm1000": 1000.0, "norm999": 999.0}[self.space]
        return side, side

    def to_point(self, first: float, second: float) -> Point:
        """Convert a model's two numbers, in its own order, to a point.

        Numbers up to 2 % outside are clamped to the screenshot, whose last pixel is width - 1 and height - 1.

        Raises:
            OutOfRange: further outside than that, or not finite.
        """
        x, y = (first, second) if self.order == "xy" else (second, first)
        shares = []
        for value, span, side in zip((x, y), self.ranges, (self.screenshot.width, self.screenshot.height), strict=True):
            share = value / span
            if not -SLACK <= share <= 1 + SLACK:
                raise OutOfRange(
                    f"({first:g}, {second:g}) is outside 0..{self.ranges[0]:g}, 0..{self.ranges[1]:g} ({self.space}); "
                    "is this the model's coordinate space, and the size of the image it saw?"
                )
            shares.append(min(max(share, 0.0), (side - 1) / side))
        return Point(*shares)

    def from_point(self, point: Point) -> tuple[float, float]:
        """Convert a point to the model's two numbers, in its own order; not rounded."""
        across, down = self.ranges
        x, y = point.x * across, point.y * down
        return (x, y) if self.order == "xy" else (y, x)
