"""Where things are on a phone's screen: what `wm`, `dumpsys` and a screenshot say, and the way from one to another.

Three sizes are told apart. The screenshot's is that of what agents see. The display's is that of `input` and of the
element tree: the override of `wm size` where there is one, turned with the screen. The panel's is that of the
hardware; some Android versions take screenshots of it, with the display between black bars.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from omnipilot.envs.types.geometry import Box, Point, Size

Rotation: TypeAlias = Literal[0, 1, 2, 3]
"""Quarter turns of what is drawn, clockwise, as Android's `Surface.ROTATION_*`."""

_SIZE = re.compile(r"^\s*(Physical|Override) size:\s*(\d+)x(\d+)", re.MULTILINE)
_DISPLAY = re.compile(r"mDisplayId=(\d+)")
_LOGICAL = re.compile(r"\binit=(\d+)x(\d+)\b[^\n]*?(?:\bbase=(\d+)x(\d+)\b[^\n]*?)?\bcur=(\d+)x(\d+)\b")
_ROTATIONS = (
    re.compile(r"mCurrentRotation=(?:ROTATION_)?(\d+)"),  # dumpsys window, Android 10 and later
    re.compile(r"\bSurfaceOrientation:\s*(\d)"),  # dumpsys input, to Android 12
    re.compile(r"\bInputDeviceOrientation:\s*Rotation(\d+)"),  # dumpsys input, Android 13 and later
    re.compile(r"^\s*(?:mRotation|mCurrentOrientation|mOverrideOrientation)=(?:ROTATION_)?(\d+)", re.MULTILINE),
    re.compile(r"\borientation=(\d)"),  # dumpsys display
)
_ALIKE = 0.02
"""Difference of two aspect ratios, as a share, up to which they are the same: rows are cut off, sides are rounded."""


@dataclass(frozen=True, slots=True)
class Display:
    """The display of a phone.

    Attributes:
        panel: size of the hardware, unturned.
        natural: size that applications and `input` use, unturned: the override of `wm size`, else the panel's.
        rotation: how far what is drawn is turned.
    """

    panel: Size
    natural: Size
    rotation: Rotation = 0

    @property
    def size(self) -> Size:
        """Size that `input` uses, as the screen is turned now."""
        return turn_size(self.natural, self.rotation)


def turn_size(size: Size, rotation: Rotation) -> Size:
    """The size after so many quarter turns."""
    return Size(size.height, size.width) if rotation % 2 else size


def parse_wm_size(text: str) -> tuple[Size, Size] | None:
    """The panel's and the display's size from `wm size`; None if it tells neither."""
    sizes = {kind: Size(int(width), int(height)) for kind, width, height in _SIZE.findall(text)}
    if not sizes:
        return None
    panel = sizes.get("Physical") or sizes["Override"]
    return panel, sizes.get("Override", panel)


def parse_rotation(text: str) -> Rotation | None:
    """The rotation from `dumpsys window`, `dumpsys input` or `dumpsys display`; None if it is not told.

    Some versions tell quarter turns (`mRotation=1`), some degrees (`mCurrentRotation=ROTATION_90`).
    """
    for pattern in _ROTATIONS:
        if found := pattern.search(text):
            value = int(found[1])
            quarters = value // 90 if value >= 90 else value
            if quarters in (0, 1, 2, 3):
                return quarters  # type: ignore[return-value]
    return None


def parse_display(text: str) -> Display | None:
    """The default display from `dumpsys window`; None if it has no line `init=… cur=…`.

    A phone with further displays tells one after the other; the default one is number 0.
    """
    number = "0"
    for line in text.splitlines():
        if found := _DISPLAY.search(line):
            number = found[1]
        if number == "0" and (found := _LOGICAL.search(line)):
            width, height, base_width, base_height, now_width, now_height = found.groups()
            panel = Size(int(width), int(height))
            natural = Size(int(base_width), int(base_height)) if base_width else panel
            now = Size(int(now_width), int(now_height))
            rotation = parse_rotation(text)
            if rotation is None or turn_size(natural, rotation) != now:
                # The rotation is that of another moment, or of another display; the size is certain.
                rotation = 0 if now == natural else 1
            if turn_size(natural, rotation) != now:
                natural = now
                rotation = 0
            return Display(panel, natural, rotation)
    return None


@dataclass(frozen=True, slots=True)
class PixelMapping:
    """The way between places on a screenshot and the pixels that `input` and the element tree use.

    Attributes:
        screenshot: size of the screenshot.
        display: size of the display as it is turned now.
        left, top, width, height: where the display is in the screenshot, in shares of its sides; all of it unless there
            are black bars.
        quarters: turns of the display within the screenshot, clockwise; 0 unless the screenshot is not turned with it.
    """

    screenshot: Size
    display: Size
    left: float = 0.0
    top: float = 0.0
    width: float = 1.0
    height: float = 1.0
    quarters: Rotation = 0

    def to_input(self, point: Point) -> tuple[int, int]:
        """The pixel of the display at a place on the screenshot; the nearest one of a place in a black bar."""
        x = min(max((point.x - self.left) / self.width, 0.0), 1.0)
        y = min(max((point.y - self.top) / self.height, 0.0), 1.0)
        # Drawn clockwise by a quarter turn, the display's top left corner is at the screenshot's top right.
        x, y = {0: (x, y), 1: (y, 1 - x), 2: (1 - x, 1 - y), 3: (1 - y, x)}[self.quarters]
        return Point(x, y).to_pixel(self.display)

    def to_box(self, left: float, top: float, right: float, bottom: float) -> Box | None:
        """The box on the screenshot of a rectangle of the display's pixels; None if nothing of it is on the screen."""
        box = Box.clipped(left, top, right, bottom, self.display)
        if box is None:
            return None
        corners = [self._shown(box.left, box.top), self._shown(box.right, box.bottom)]
        xs, ys = sorted(x for x, _ in corners), sorted(y for _, y in corners)
        return Box(*(min(max(edge, 0.0), 1.0) for edge in (xs[0], ys[0], xs[1], ys[1])))

    def _shown(self, x: float, y: float) -> tuple[float, float]:
        x, y = {0: (x, y), 1: (1 - y, x), 2: (1 - x, 1 - y), 3: (y, 1 - x)}[self.quarters]
        return self.left + x * self.width, self.top + y * self.height


def screen_map(screenshot: Size, display: Display) -> PixelMapping:
    """How the display is shown in a screenshot of this size.

    - A screenshot of the display's shape shows all of it, at whatever scale.
    - One of the panel's shape shows an overridden display in the middle, as large as it fits, between black bars
      (Android's `LogicalDisplay` places it so).
    - One of the unturned shape while the screen is turned has not been turned with it.
    - Of any other shape it is taken to show all of the display.
    """
    now = display.size
    if _alike(screenshot, now):
        return PixelMapping(screenshot, now)
    if _alike(screenshot, turn_size(display.panel, display.rotation)):
        return _between_bars(screenshot, now, now, 0)
    if display.rotation % 2 and _alike(screenshot, display.natural):
        return PixelMapping(screenshot, now, quarters=display.rotation)
    if display.rotation % 2 and _alike(screenshot, display.panel):
        return _between_bars(screenshot, now, display.natural, display.rotation)
    return PixelMapping(screenshot, now)


def _between_bars(screenshot: Size, now: Size, shape: Size, quarters: Rotation) -> PixelMapping:
    """A display that is drawn in the given shape, in the middle of the screenshot."""
    scale = min(screenshot.width / shape.width, screenshot.height / shape.height)
    width, height = shape.width * scale / screenshot.width, shape.height * scale / screenshot.height
    return PixelMapping(screenshot, now, (1 - width) / 2, (1 - height) / 2, width, height, quarters)


def _alike(one: Size, other: Size) -> bool:
    ratio = one.width * other.height / (one.height * other.width)
    return abs(ratio - 1) <= _ALIKE
