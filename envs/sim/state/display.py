"""A device's display: its theme and density, and the resulting screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from omnipilot.envs.types.geometry import Size

Zoom = tuple[int, int]
"""Image pixels per layout pixel, as a fraction: numerator, denominator."""

PHONE = Size(412, 916)
DESKTOP = Size(1280, 800)


@dataclass(frozen=True, slots=True)
class Look:
    """A device's display settings.

    Attributes:
        theme: the colours.
        density: pixels of the screen: "normal" is 412x916 on the phone and 1280x800 on the desktop, "large" is
            1080x2400 and 2560x1440, "ultra" is 1080x2400 and 3840x2160; things are drawn larger then, and stay where
            they are. "zoomed" is 640x1422 and 1920x1200: beside the screen, things are larger by a sixth (phone) and
            a fifth (desktop), so that less fits.
    """

    theme: Literal["light", "dark"] = "light"
    density: Literal["normal", "large", "ultra", "zoomed"] = "normal"


@dataclass(frozen=True, slots=True)
class DeviceScreen:
    """The screen of one device at a density.

    Attributes:
        layout: size in layout pixels, the unit of apps, verbs and the hit test.
        pixels: size in image pixels.
        zoom: scale of text and icons.
    """

    layout: Size
    pixels: Size
    zoom: Zoom = (1, 1)


# The large desktop is wider than the normal one, not lower: whatever fits a window there fits it here.
SCREENS: dict[tuple[str, str], DeviceScreen] = {
    ("phone", "normal"): DeviceScreen(PHONE, PHONE),
    ("phone", "large"): DeviceScreen(PHONE, Size(1080, 2400), (270, 103)),
    ("phone", "ultra"): DeviceScreen(PHONE, Size(1080, 2400), (270, 103)),
    ("desktop", "normal"): DeviceScreen(DESKTOP, DESKTOP),
    ("desktop", "large"): DeviceScreen(Size(1422, 800), Size(2560, 1440), (9, 5)),
    ("phone", "zoomed"): DeviceScreen(Size(356, 790), Size(640, 1422), (9, 5)),
    ("desktop", "zoomed"): DeviceScreen(Size(1067, 667), Size(1920, 1200), (9, 5)),
    ("desktop", "ultra"): DeviceScreen(Size(1422, 800), Size(3840, 2160), (27, 10)),
}
