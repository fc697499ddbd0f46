"""Colours and dimensions shared by all screens: the light theme, from which dark_theme.py derives the dark one."""

from __future__ import annotations

Color = tuple[int, int, int]

PAGE: Color = (244, 246, 249)
CARD: Color = (255, 255, 255)
INK: Color = (28, 32, 40)
MUTED: Color = (92, 100, 114)
FAINT: Color = (140, 148, 160)
LINE: Color = (222, 226, 232)
BORDER: Color = (190, 197, 208)
ACCENT: Color = (24, 98, 214)
ON_ACCENT: Color = (255, 255, 255)
TINT: Color = (226, 236, 253)
DANGER: Color = (196, 43, 43)
DISABLED: Color = (172, 178, 188)
SELECTED: Color = (214, 229, 253)
TEXT_SELECTED: Color = (178, 208, 252)
DARK: Color = (30, 36, 48)
WALL_PHONE: Color = (221, 231, 245)
WALL_DESKTOP: Color = (64, 92, 128)
BAR: Color = (236, 239, 244)

STATUS_BAR = 36
NAV_BAR = 52
TASK_BAR = 48
TITLE_BAR = 38

AVATARS: tuple[Color, ...] = (
    (196, 70, 70),
    (191, 108, 22),
    (128, 112, 20),
    (46, 125, 66),
    (20, 122, 128),
    (52, 100, 190),
    (112, 78, 182),
    (176, 60, 134),
)


def avatar_color(name: str) -> Color:
    """The colour of an avatar, always the same for the same name."""
    return AVATARS[sum(name.encode()) % len(AVATARS)]
