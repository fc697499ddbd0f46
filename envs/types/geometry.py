"""Geometry of a screen: sizes, points and boxes.

Pixels occur only in `Size` and in the named conversions; `Point` and `Box` are on the unit square.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

_WITHIN = 0.001
"""Pixels by which `Point.pressed` lies within its pixel, so that rounding cannot put it into the one before."""


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height in whole pixels, each at least 1."""

    width: int
    height: int

    def __post_init__(self) -> None:
        for side in (self.width, self.height):
            if not isinstance(side, int) or isinstance(side, bool) or side < 1:
                raise ValueError(
                    f"width and height must be whole numbers of at least 1, not {self.width}x{self.height}"
                )

    @property
    def pixels(self) -> int:
        """Number of pixels."""
        return self.width * self.height

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"


@dataclass(frozen=True, slots=True)
class Point:
    """A place on a screen: x to the right and y down, each in 0..1, whatever the screen's size in pixels.

    Raises:
        ValueError: a coordinate is not a finite number in 0..1; use `from_pixels` for pixels.
    """

    x: float
    y: float

    def __post_init__(self) -> None:
        for name, value in (("x", self.x), ("y", self.y)):
            if not (isinstance(value, int | float) and math.isfinite(value) and 0.0 <= value <= 1.0):
                raise ValueError(
                    f"{name}={value!r} is outside 0..1; for pixels use Point.from_pixels(x, y, size), "
                    "for thousandths Point.from_permille(x, y)"
                )

    @classmethod
    def from_pixels(cls, x: float, y: float, size: Size) -> Point:
        """The point at pixel coordinates (x, y) on a screen of `size`; 0..width and 0..height inclusive."""
        return cls(x / size.width, y / size.height)

    @classmethod
    def from_permille(cls, x: float, y: float) -> Point:
        """The point at coordinates in thousandths of the screen's sides, 0..1000."""
        return cls(x / 1000, y / 1000)

    def to_pixels(self, size: Size) -> tuple[float, float]:
        """Pixel coordinates on a screen of `size`, as floats in 0..width and 0..height."""
        return self.x * size.width, self.y * size.height

    def to_pixel(self, size: Size) -> tuple[int, int]:
        """The index (column, row) of the pixel at this point: 0..width-1 and 0..height-1."""
        # The tiny offset corrects x / width * width landing just below the integer it came from.
        column = int(self.x * size.width + 1e-9)
        row = int(self.y * size.height + 1e-9)
        return min(column, size.width - 1), min(row, size.height - 1)

    def pressed(self, size: Size) -> Point:
        """The point that is pressed where this one is asked for: just within the top left corner of its pixel.

        Of two boxes that share an edge it lies in one only, that which the device presses.
        """
        column, row = self.to_pixel(size)
        return Point.from_pixels(column + _WITHIN, row + _WITHIN, size)

    def to_permille(self) -> tuple[float, float]:
        """Coordinates in thousandths of the sides, 0..1000."""
        return self.x * 1000, self.y * 1000


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the unit square, `left <= right` and `top <= bottom`; it includes its edges.

    Raises:
        ValueError: an edge is outside 0..1 or the edges are out of order.
    """

    left: float
    top: float
    right: float
    bottom: float

    def __post_init__(self) -> None:
        Point(self.left, self.top)
        Point(self.right, self.bottom)
        if self.left > self.right or self.top > self.bottom:
            raise ValueError(f"a box needs left <= right and top <= bottom, not {self}")

    @classmethod
    def from_pixels(cls, left: float, top: float, right: float, bottom: float, size: Size) -> Box:
        """The box with these pixel edges on a screen of `size`."""
        w, h = size.width, size.height
        return cls(left / w, top / h, right / w, bottom / h)

    @classmethod
    def clipped(cls, left: float, top: float, right: float, bottom: float, size: Size) -> Box | None:
        """The part of a pixel rectangle that is on a screen of `size`, or None if it is entirely outside."""
        left, right = max(0.0, left), min(float(size.width), right)
        top, bottom = max(0.0, top), min(float(size.height), bottom)
        if left >= right or top >= bottom:
            return None
        return cls.from_pixels(left, top, right, bottom, size)

    def to_pixels(self, size: Size) -> tuple[float, float, float, float]:
        """Pixel edges (left, top, right, bottom) on a screen of `size`."""
        w, h = size.width, size.height
        return self.left * w, self.top * h, self.right * w, self.bottom * h

    @property
    def center(self) -> Point:
        """The centre of the box."""
        return Point((self.left + self.right) / 2, (self.top + self.bottom) / 2)

    @property
    def area(self) -> float:
        """Area as a share of the screen, 0..1."""
        return (self.right - self.left) * (self.bottom - self.top)

    def contains(self, point: Point) -> bool:
        """Whether `point` is in the box, edges included."""
        return self.left <= point.x <= self.right and self.top <= point.y <= self.bottom

    def encloses(self, other: Box, margin: float = 0.0) -> bool:
        """Whether another box lies in this one, edges included; each edge may stick out by `margin`."""
        across = self.left <= other.left + margin and self.right >= other.right - margin
        return across and self.top <= other.top + margin and self.bottom >= other.bottom - margin
