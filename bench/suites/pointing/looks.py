"""Describes how things look: colours from pixels, and the shapes of icons."""

from __future__ import annotations

import colorsys
from typing import Any

from omnipilot.envs import Box, Image

ICONS: dict[str, str] = {
    "alarm": "an alarm clock",
    "archive": "a filing box",
    "attach": "a paper clip",
    "back": "an arrow to the left",
    "bell": "a bell",
    "bookmark": "a ribbon",
    "calendar": "a calendar sheet",
    "call": "a handset",
    "camera": "a camera",
    "cart": "a shopping trolley",
    "check": "a tick",
    "clock": "a clock face",
    "close": "a cross",
    "contacts": "an address book",
    "copy": "two sheets on each other",
    "cut": "a pair of scissors",
    "document": "a written sheet",
    "down": "an angle downwards",
    "edit": "a pencil",
    "eye": "an eye",
    "folder": "a folded file cover",
    "forward": "an arrow to the right",
    "gallery": "a framed landscape",
    "gift": "a parcel with a bow",
    "globe": "a globe",
    "grid": "small squares in a grid",
    "heart": "a heart",
    "help": "a question mark",
    "home": "a house",
    "inbox": "an in-tray",
    "info": "the letter i in a ring",
    "keypad": "rows of dots",
    "lamp": "a light bulb",
    "lock": "a padlock",
    "mail": "an envelope",
    "map": "a folded map",
    "message": "a speech bubble",
    "minus": "a dash",
    "more": "three dots",
    "music": "a quaver",
    "next": "a triangle with a bar at its right",
    "note": "a pad of paper",
    "paste": "a clipboard",
    "pause": "two upright bars",
    "person": "a head and shoulders",
    "pin": "a map needle",
    "play": "a triangle that points right",
    "plus": "a plus sign",
    "previous": "a triangle with a bar at its left",
    "redo": "an arrow curved to the right",
    "refresh": "an arrow in a circle",
    "repeat": "two arrows in a loop",
    "reply": "an arrow curved to the left",
    "search": "a magnifying glass",
    "send": "a paper plane",
    "settings": "a cog wheel",
    "shuffle": "two crossing arrows",
    "star": "a star",
    "stop": "a filled square",
    "sun": "a sun",
    "moon": "a crescent",
    "table": "a ruled grid",
    "tasks": "a list with ticks",
    "terminal": "a prompt sign",
    "timer": "a stopwatch",
    "trash": "a dustbin",
    "undo": "an arrow curved back",
    "up": "an angle upwards",
    "video": "a film camera",
    "voicemail": "two joined rings",
    "volume": "a loudspeaker",
    "mute": "a loudspeaker, crossed out",
    "wifi": "arcs over a dot",
}
"""Icon of the embedded world → what it shows. Icons that are not here are described by their colours alone."""


def colours(image: Image, box: Box) -> tuple[str, str]:
    """The names of the background and ink colours in a box, as far as its pixels show them; ink may be "".

    The background is the most common colour; the ink is the colour, among those with enough pixels, that differs most
    from it.
    """
    import numpy as np

    left, top = box.left * image.size.width, box.top * image.size.height
    right, bottom = box.right * image.size.width, box.bottom * image.size.height
    pixels = image.array()[int(top) : max(int(bottom), int(top) + 1), int(left) : max(int(right), int(left) + 1)]
    coarse = (pixels.reshape(-1, 3) >> 4).astype(np.int64)
    values, counts = np.unique(coarse[:, 0] * 256 + coarse[:, 1] * 16 + coarse[:, 2], return_counts=True)
    shades = np.stack([values // 256, values // 16 % 16, values % 16], axis=1) * 16 + 8
    ground: Any = shades[counts.argmax()]
    enough = counts >= max(3, counts.sum() // 200)
    far = np.abs(shades - ground).sum(axis=1) * enough
    ink = shades[far.argmax()] if far.max() > 150 else None
    return colour_name(*map(int, ground)), "" if ink is None else colour_name(*map(int, ink))


def colour_name(red: int, green: int, blue: int) -> str:
    """The everyday word for a colour; channels in 0..255."""
    hue, light, _ = colorsys.rgb_to_hls(red / 255, green / 255, blue / 255)
    spread = (max(red, green, blue) - min(red, green, blue)) / 255
    if spread < 0.12:
        return "black" if light < 0.2 else "dark grey" if light < 0.4 else "grey" if light < 0.72 else "white"
    degrees = hue * 360
    names = (
        (18, "red"),
        (42, "orange"),
        (68, "yellow"),
        (160, "green"),
        (195, "teal"),
        (258, "blue"),
        (300, "purple"),
        (340, "pink"),
        (361, "red"),
    )
    name = next(word for limit, word in names if degrees < limit)
    if light < 0.2:
        return f"dark {name}"
    return f"light {name}" if light > 0.8 else name
