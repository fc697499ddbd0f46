"""The phone's panel as adb's clients see it: override sizes and rotation, and where the picture lies on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from omnipilot.envs.types.geometry import Box, Point, Size
from omnipilot.envs.types.media import Image

Rotation = Literal[0, 1, 2, 3]
"""Quarter turns, as in Android's `Surface.ROTATION_…`."""
DENSITIES = {412: 160, 1080: 420}
"""Dots per inch by the panel's width."""


@dataclass(frozen=True, slots=True)
class PhoneDisplay:
    """How the phone's picture is shown.

    The phone's apps are portrait only. On a phone that lies on its side they stand upright in the middle of the wide
    screen, with black at both sides, as Android shows such apps on large screens.

    Attributes:
        panel: size of the panel in pixels, upright. override: the size that `wm size WxH` asks for instead.
        density: dots per inch that `wm density N` asks for; None for the panel's own.
    """

    panel: Size
    rotation: Rotation = 0
    override: Size | None = None
    density: int | None = None

    @property
    def upright(self) -> Size:
        """Size in use before rotation, in pixels."""
        return self.override or self.panel

    @property
    def size(self) -> Size:
        """Size of screenshots, and of the coordinates of input, in pixels."""
        size = self.upright
        return size if self.rotation % 2 == 0 else Size(size.height, size.width)

    @property
    def panel_dots(self) -> int:
        """Dots per inch of the panel itself."""
        return DENSITIES.get(self.panel.width, 160)

    @property
    def dots(self) -> int:
        """Dots per inch in use."""
        return self.density or self.panel_dots

    @property
    def content(self) -> tuple[int, int, int, int]:
        """Where the picture lies, in pixels: left, top, right, bottom."""
        size, panel = self.size, self.panel
        scale = min(size.width / panel.width, size.height / panel.height)
        width, height = max(1, round(panel.width * scale)), max(1, round(panel.height * scale))
        left, top = (size.width - width) // 2, (size.height - height) // 2
        return left, top, left + width, top + height

    def point(self, x: float, y: float) -> Point | None:
        """The place on the picture that a pixel of input means: its middle, or None outside the picture."""
        left, top, right, bottom = self.content
        across, down = (x - left) / (right - left), (y - top) / (bottom - top)
        if not (0 <= across < 1 and 0 <= down < 1):
            return None
        # The middle of a pixel that is given as a whole number, so that rounding cannot put it into the one before.
        across += 0.5 / (right - left) if x == int(x) else 0
        down += 0.5 / (bottom - top) if y == int(y) else 0
        return Point(min(across, 1.0), min(down, 1.0))

    def rectangle(self, box: Box) -> tuple[int, int, int, int]:
        """The pixels of a box on the picture: left, top, right, bottom."""
        left, top, right, bottom = self.content
        width, height = right - left, bottom - top
        return (
            left + round(box.left * width),
            top + round(box.top * height),
            left + round(box.right * width),
            top + round(box.bottom * height),
        )

    def picture(self, shown: Image, black: bool = False) -> Image:
        """The screenshot: the phone's picture as it lies on the panel; `black` for a screen that is off."""
        if not black and self.size == shown.size:
            return shown
        import numpy as np
        from PIL import Image as pil

        size = self.size
        canvas = np.zeros((size.height, size.width, 3), dtype=np.uint8)
        if not black:
            left, top, right, bottom = self.content
            scaled = pil.fromarray(shown.array()).resize((right - left, bottom - top), pil.Resampling.LANCZOS)
            canvas[top:bottom, left:right] = np.asarray(scaled)
        return Image.from_array(canvas, shown.env, shown.start)
