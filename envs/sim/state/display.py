"""How a device looks: its theme and its density, and the screen that follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from omnipilot.envs.types.geometry import Size

Zoom = tuple[int, int]
"""How many pixels of the picture one pixel of the layout is, as a fraction: numerator, denominator."""

PHONE = Size(412, 916)
DESKTOP = Size(1280, 800)


@dataclass(frozen=True, slots=True)
class Look:
    """A device's settings of its screen.

    Attributes:
        theme: the colours.
        density: pixels of the screen: "normal" is 412x916 on the phone and 1280x800 on the desktop, "large" is
            1080x2400 and 2560x1440, "ultra" is 1080x2400 and 3840x2160; things are drawn larger then, and stay where
            they are.
    """

    theme: Literal["light", "dark"] = "light"
    density: Literal["normal", "large", "ultra"] = "normal"


@dataclass(frozen=True, slots=True)
class Screen:
    """What a density means on one device.

    Attributes:
        layout: the screen in layout pixels: what apps, verbs and the hit test count in.
        pixels: the screen in pixels of its picture.
        zoom: how much larger text and icons are drawn.
    """

    layout: Size
    pixels: Size
    zoom: Zoom = (1, 1)


# The large desktop is wider than the normal one, not lower: whatever fits a window there fits it here.
SCREENS: dict[tuple[str, str], Screen] = {
    ("phone", "normal"): Screen(PHONE, PHONE),
    ("phone", "large"): Screen(PHONE, Size(1080, 2400), (270, 103)),
    ("phone", "ultra"): Screen(PHONE, Size(1080, 2400), (270, 103)),
    ("desktop", "normal"): Screen(DESKTOP, DESKTOP),
    ("desktop", "large"): Screen(Size(1422, 800), Size(2560, 1440), (9, 5)),
    ("desktop", "ultra"): Screen(Size(1422, 800), Size(3840, 2160), (27, 10)),
}
