"""The screens of the toy phone: their elements, and the picture that is drawn of these."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from omnipilot.envs.types.geometry import Box, Size
from omnipilot.envs.types.media import Image
from omnipilot.envs.types.observation import Element

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

SIZE = Size(360, 640)
FINE = 2
"""Pictures are drawn this many times larger, and then reduced, which smooths their edges."""
LONGEST = 28
"""Characters of a text that are drawn."""
PAPER, CARD, INK, FAINT, LINE = "#f4f5f9", "#ffffff", "#1d2433", "#7a8295", "#dfe2ea"
BLUE, PALE, ORANGE = "#3557d6", "#c9d3f5", "#f08a2c"


def list_elements(app: str, playing: bool, draft: str, note: str, focused: bool) -> tuple[Element, ...]:
    """The elements of a screen, the later ones on top.

    Args:
        app: in front: "Voicemail", "Notes", or "" for the home screen. playing: whether the message is played.
        draft: what stands in the field of Notes; focused: whether it has the focus. note: what was saved.
    """
    if app == "Voicemail":
        return (
            _element("heading", app, 24, 56, 312, 40),
            _element("text", "Ann", 88, 128, 180, 26),
            _element("text", "New message" if not playing else "Playing", 88, 154, 180, 22),
            _element("button", "Play", 24, 220, 312, 52, "play", {"disabled"} if playing else ()),
            _element("button", "Home", 140, 584, 80, 44, "home"),
        )
    if app == "Notes":
        return (
            _element("heading", app, 24, 56, 312, 40),
            _element("textbox", "Note", 24, 116, 312, 56, "field", {"focused"} if focused else (), draft),
            _element("button", "Save", 24, 188, 312, 52, "save"),
            *([_element("text", f"Saved: {note}", 24, 264, 312, 30)] if note else []),
            _element("button", "Home", 140, 584, 80, 44, "home"),
        )
    return (
        _element("heading", "Good morning", 24, 56, 312, 40),
        _element("button", "Voicemail", 48, 150, 108, 120, "Voicemail"),
        _element("button", "Notes", 204, 150, 108, 120, "Notes"),
    )


def _element(
    role: str,
    name: str,
    left: int,
    top: int,
    width: int,
    height: int,
    id: str = "",
    states: set[str] | tuple[()] = (),
    value: str = "",
) -> Element:
    box = Box.from_pixels(left, top, left + width, top + height, SIZE)
    return Element(role, name, box, frozenset(states), id or f"{role} {top}", value=value)


def draw_screen(elements: tuple[Element, ...], env: str, time: float) -> Image:
    """The picture of these elements, as a capture of `env` at `time`."""
    return Image.raw(SIZE, _pixels(elements), env, time)


@lru_cache(maxsize=64)
def _pixels(elements: tuple[Element, ...]) -> bytes:
    from PIL import Image as Pictures
    from PIL import ImageDraw

    picture = Pictures.new("RGB", (SIZE.width * FINE, SIZE.height * FINE), PAPER)
    draw = ImageDraw.Draw(picture)
    _write(draw, 24, 22, "9:41", 13, INK, "lm")
    draw.rounded_rectangle(_scaled(314, 16, 336, 28), 3 * FINE, outline=INK, width=FINE)
    draw.rectangle(_scaled(317, 19, 330, 25), INK)
    if any(element.name == "Ann" for element in elements):
        draw.rounded_rectangle(_scaled(24, 112, 336, 192), 14 * FINE, CARD, LINE, FINE)
        draw.ellipse(_scaled(36, 130, 76, 170), ORANGE)
        _write(draw, 56, 150, "A", 20, CARD, "mm")
    for element in elements:
        _draw_element(draw, element)
    return picture.resize((SIZE.width, SIZE.height), Pictures.Resampling.BOX).tobytes()


def _draw_element(draw: ImageDraw, element: Element) -> None:
    left, top, right, bottom = (round(side) for side in element.box.to_pixels(SIZE))
    middle, centre = (left + right) / 2, (top + bottom) / 2
    if element.id == "home":
        draw.rounded_rectangle(_scaled(middle - 30, centre - 3, middle + 30, centre + 3), 3 * FINE, INK)
    elif element.id in ("Voicemail", "Notes"):
        draw.rounded_rectangle(
            _scaled(middle - 40, top, middle + 40, top + 80), 20 * FINE, BLUE if element.id == "Voicemail" else ORANGE
        )
        _draw_icon(draw, element.id, middle, top + 40)
        _write(draw, middle, bottom - 16, element.name, 15, INK, "mm")
    elif element.role == "button":
        pale = "disabled" in element.states
        draw.rounded_rectangle(_scaled(left, top, right, bottom), 14 * FINE, PALE if pale else BLUE)
        _write(draw, middle, centre, element.name, 18, CARD, "mm")
    elif element.role == "textbox":
        focused = "focused" in element.states
        draw.rounded_rectangle(
            _scaled(left, top, right, bottom), 12 * FINE, CARD, BLUE if focused else LINE, FINE * (2 if focused else 1)
        )
        _write(draw, left + 16, centre, element.value or element.name, 18, INK if element.value else FAINT, "lm")
    else:
        size, colour = {"heading": (28, INK), "text": (17, INK)}[element.role]
        faint = element.name in ("New message", "Playing")
        _write(draw, left, centre, element.name, 14 if faint else size, FAINT if faint else colour, "lm")


def _draw_icon(draw: ImageDraw, app: str, x: float, y: float) -> None:
    if app == "Voicemail":
        draw.line(_scaled(x - 16, y + 9, x + 16, y + 9), CARD, 4 * FINE)
        for reel in (x - 16, x + 16):
            draw.ellipse(_scaled(reel - 11, y - 13, reel + 11, y + 11), outline=CARD, width=4 * FINE)
    else:
        for line, width in ((-14, 40), (0, 40), (14, 24)):
            draw.line(_scaled(x - 20, y + line, x - 20 + width, y + line), CARD, 5 * FINE)


def _write(draw: ImageDraw, x: float, y: float, text: str, size: int, colour: str, anchor: str) -> None:
    from PIL import ImageFont

    line = " ".join(text.split())
    shown = line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
    draw.text((x * FINE, y * FINE), shown, colour, ImageFont.load_default(size * FINE), anchor)


def _scaled(*sides: float) -> list[float]:
    return [side * FINE for side in sides]
