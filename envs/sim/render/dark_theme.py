"""The dark theme: mapping each colour of the light theme, separately for surfaces and text."""

from __future__ import annotations

from functools import lru_cache

from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.render.theme import Color

FILLS: dict[Color, Color] = {
    theme.PAGE: (18, 21, 27),
    theme.CARD: (30, 34, 42),
    theme.INK: (226, 231, 239),
    theme.MUTED: (150, 158, 172),
    theme.FAINT: (112, 120, 134),
    theme.LINE: (48, 54, 65),
    theme.BORDER: (82, 91, 106),
    theme.ACCENT: (46, 112, 222),
    theme.TINT: (33, 51, 84),
    theme.DANGER: (196, 54, 54),
    theme.DISABLED: (84, 91, 102),
    theme.SELECTED: (39, 60, 100),
    theme.TEXT_SELECTED: (47, 84, 146),
    theme.DARK: (10, 12, 17),
    theme.WALL_PHONE: (22, 30, 44),
    theme.WALL_DESKTOP: (25, 37, 55),
    theme.BAR: (41, 47, 57),
}
INKS: dict[Color, Color] = {
    theme.INK: (232, 236, 243),
    theme.MUTED: (163, 171, 184),
    theme.FAINT: (122, 130, 144),
    theme.ACCENT: (128, 178, 255),
    theme.DANGER: (255, 126, 118),
    theme.DISABLED: (92, 99, 111),
    theme.BORDER: (96, 105, 120),
    theme.LINE: (58, 65, 77),
    theme.ON_ACCENT: theme.ON_ACCENT,
}


@lru_cache(maxsize=512)
def dark_fill(color: Color) -> Color:
    """A surface colour in the dark theme: an app's own pale colours become a tint of the dark background."""
    known = FILLS.get(color)
    if known is not None or min(color) < 170:
        return known or color
    ground, least = FILLS[theme.CARD], min(color)
    r, g, b = (base + (part - least) // 2 for base, part in zip(ground, color, strict=True))
    return r, g, b


@lru_cache(maxsize=512)
def dark_ink(color: Color) -> Color:
    """A text or icon colour in the dark theme: an app's own dark colours become light ones of the same hue."""
    known = INKS.get(color)
    if known is not None or 2 * color[0] + 5 * color[1] + color[2] > 1100:
        return known or color
    r, g, b = (part + (255 - part) * 5 // 8 for part in color)
    return r, g, b
