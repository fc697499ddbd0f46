"""Resize rules of native models: the size at which a screenshot is sent, so that what the model saw is certain."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from omnipilot.envs.frames import smart_resize
from omnipilot.envs.geometry import Size
from omnipilot.envs.media import Image


class SentSize(Protocol):
    """A rule: from the size of a screenshot to the size that is sent."""

    def size(self, screenshot: Size) -> Size:
        """The size to send.

        Raises:
            ValueError: the rule does not allow such a screenshot; the message names the limit.
        """
        ...


@dataclass(frozen=True, slots=True)
class Whole:
    """The screenshot as it is."""

    def size(self, screenshot: Size) -> Size:
        """The screenshot's own size."""
        return screenshot


@dataclass(frozen=True, slots=True)
class Multiples:
    """`envs.frames.smart_resize` of the Qwen-VL family with its factor and budget in pixels."""

    factor: int = 28
    min_pixels: int = 3136
    max_pixels: int = 12_845_056

    def size(self, screenshot: Size) -> Size:
        """Both sides multiples of the factor."""
        return smart_resize(screenshot, self.factor, self.min_pixels, self.max_pixels)


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


def sent(image: Image, rule: SentSize) -> Image:
    """The picture at the size that a rule wants, resized with LANCZOS, or itself where equal.

    Raises:
        ValueError: the rule does not allow a picture of that shape.
    """
    size = rule.size(image.size)
    if size == image.size:
        return image
    from PIL import Image as pil

    picture = pil.frombytes("RGB", (image.size.width, image.size.height), image.rgb)
    small = picture.resize((size.width, size.height), pil.Resampling.LANCZOS)
    return Image.raw(size, small.tobytes(), image.env, image.start)
