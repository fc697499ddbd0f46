"""Resize rules of models: the size at which a screenshot is sent, so that the size the model sees is known.

A rule is data with one method, `size(screenshot) -> Size`. At that size the model's own preprocessor has nothing
left to resize, whatever its version. Grounders and native planners both need them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from omnipilot.envs.types.frames import Frame, smart_resize
from omnipilot.envs.types.geometry import Point, Size
from omnipilot.envs.types.media import Image


class Resize(Protocol):
    """A rule that maps the size of a screenshot to the sent size."""

    def size(self, screenshot: Size) -> Size:
        """The size to send.

        Raises:
            ValueError: the rule does not allow this size; the message names the limit.
        """
        ...

    def __str__(self) -> str: ...


@dataclass(frozen=True, slots=True)
class AsIs:
    """Keep the size: the model answers in fractions of the sides and tiles the image itself."""

    def size(self, screenshot: Size) -> Size:
        """The screenshot's own size."""
        return screenshot

    def __str__(self) -> str:
        return "as it is"


@dataclass(frozen=True, slots=True)
class SmartResize:
    """`smart_resize` of the Qwen-VL family; aspect ratios above 200 are rejected.

    Attributes:
        factor: both sides become multiples of it.
        min_pixels, max_pixels: the pixel budget.
    """

    factor: int = 28
    min_pixels: int = 3136
    max_pixels: int = 12_845_056

    def size(self, screenshot: Size) -> Size:
        """See `omnipilot.envs.types.frames.smart_resize`."""
        return smart_resize(screenshot, self.factor, self.min_pixels, self.max_pixels)

    def __str__(self) -> str:
        return f"smart {self.factor}, {self.min_pixels}..{self.max_pixels} px"


@dataclass(frozen=True, slots=True)
class Square:
    """A square that every picture is fitted into, as OmniBench does (D.2.1): scaled, bicubic, until its longer side is
    that of the square, and padded. The padding is black, at the right or at the bottom; the paper names no side.

    Attributes:
        side: of the square, in pixels, at least 1.
    """

    side: int

    def size(self, screenshot: Size) -> Size:
        """The size of the picture within the square, without its padding."""
        longer = max(screenshot.width, screenshot.height)
        return Size(*(max(1, round(side * self.side / longer)) for side in (screenshot.width, screenshot.height)))

    def fit(self, image: Image) -> Image:
        """The picture as a square; of the same environment and time."""
        from PIL import Image as pil

        whole = self.size(image.size)
        picture = pil.frombytes("RGB", (image.size.width, image.size.height), image.rgb)
        canvas = pil.new("RGB", (self.side, self.side))
        canvas.paste(picture.resize((whole.width, whole.height), pil.Resampling.BICUBIC), (0, 0))
        return Image.raw(Size(self.side, self.side), canvas.tobytes(), image.env, image.start)

    def to_screen(self, point: Point, screenshot: Size) -> Point:
        """The point of a screenshot that a point of its square stands for.

        Raises:
            OutOfRange: it is in the padding, by more than 2 % of the picture's side.
        """
        frame = Frame(screenshot, self.size(screenshot), "abs_resized")
        return frame.to_point(point.x * self.side, point.y * self.side)

    def from_screen(self, point: Point, screenshot: Size) -> Point:
        """The point of the square that shows a point of the screenshot."""
        x, y = Frame(screenshot, self.size(screenshot), "abs_resized").from_point(point)
        return Point(x / self.side, y / self.side)


def resize_image(image: Image, rule: Resize) -> Image:
    """The image at the size of a rule, resized with LANCZOS, or unchanged if equal.

    Raises:
        ValueError: the rule does not allow an image of this shape.
    """
    size = rule.size(image.size)
    if size == image.size:
        return image
    from PIL import Image as pil

    picture = pil.frombytes("RGB", (image.size.width, image.size.height), image.rgb)
    small = picture.resize((size.width, size.height), pil.Resampling.LANCZOS)
    return Image.raw(size, small.tobytes(), image.env, image.start)
