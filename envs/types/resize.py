"""Resize rules of models: the size at which a screenshot is sent, so that the size the model sees is known.

A rule is data with one method, `size(screenshot) -> Size`. At that size the model's own preprocessor has nothing
left to resize, whatever its version. Grounders and native planners both need them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from omnipilot.envs.types.frames import smart_resize
from omnipilot.envs.types.geometry import Size
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
