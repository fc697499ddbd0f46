"""Widgets of players and galleries: sliders, pictures, a text console."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.render.text import line_height, wrap
from omnipilot.envs.sim.render.theme import Color
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.containers import Widget
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.scene import Control, Do, Motion

SCREEN: Color = (24, 28, 36)
"""Background of consoles and players, in both themes."""
SCREEN_INK: Color = (214, 222, 232)


@dataclass(slots=True, eq=False)
class Slider(Widget):
    """An integer from 0 to `most`, set by tapping, dragging, or the arrow keys; also a seek bar.

    Example, a volume in tenths:

        Slider("settings/volume", "Volume", level, 10, lambda level: remember("phone", "settings/level", level))

    Attributes:
        set: action of setting it to a number.
        text: its text in the element tree, such as "1:05 of 3:20" (default: the number and `most`).
    """

    id: str
    name: str
    value: int
    most: int
    set: Callable[[int], Do]
    text: str = ""
    enabled: bool = True
    step: int = 1

    def _measure(self, width: int) -> tuple[int, int]:
        return width, 36

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """A track, filled up to the value, and a knob."""
        r = p.seen(x, y, w, h)
        if r is None:
            return
        left, length, most, set = x + 10, max(1, w - 20), self.most, self.set
        value = min(max(self.value, 0), most)

        def at(state: WorldState, px: int, _: int) -> WorldState:
            return set(min(max(((px - left) * most + length // 2) // length, 0), most))(state)

        def drag(state: WorldState, motion: Motion) -> WorldState:
            return at(state, motion.x, motion.y)

        control = Control(self.id, r, self.name, tap_at=at, drag=drag, enabled=self.enabled)
        control.keys = {
            **dict.fromkeys(("right", "up"), set(min(value + self.step, most))),
            **dict.fromkeys(("left", "down"), set(max(value - self.step, 0))),
            "home": set(0),
            "end": set(most),
        }
        p.control(control, "slider", value=self.text or f"{value} of {most}")
        knob, middle = left + length * value // max(1, most), y + h // 2
        color = theme.ACCENT if self.enabled else theme.DISABLED
        p.rect(left, middle - 2, length, 4, theme.BORDER, 2)
        p.rect(left, middle - 2, knob - left, 4, color, 2)
        p.circle(knob, middle, 10 if p.device.focus == self.id else 8, color)


@dataclass(slots=True, eq=False)
class Picture(Widget):
    """A still picture that `draw(painter, x, y, w, h)` draws: a photo, a map, an album's cover. It is listed as an
    image; with `do` it is a button that is one. Colours in it are the same in either theme. Example:

        Picture("gallery/photos/p3", "IMG_0031", photo("beach", 3), 120, do=go("phone", "gallery", "photo"))

    Attributes:
        tap_at: instead of `do`, the action of a tap at (x, y), in thousandths of the picture's width and height.
    """

    id: str
    name: str
    draw: Callable[[Painter, int, int, int, int], None]
    height: int = 120
    do: Do | None = None
    tap_at: Callable[[WorldState, int, int], WorldState] | None = None
    menu: tuple[tuple[str, Do], ...] = ()
    selected: bool = False

    def _measure(self, width: int) -> tuple[int, int]:
        return width, self.height

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """Clipped to its area, with a frame if selected."""
        r = p.seen(x, y, w, h)
        if r is None:
            return
        tap_at = self.tap_at

        def at(state: WorldState, px: int, py: int) -> WorldState:
            return tap_at((state), (px - x) * 1000 // w, (py - y) * 1000 // h) if tap_at else state

        states = frozenset({"selected"}) if self.selected else frozenset()
        if self.do is not None or tap_at is not None or self.menu:
            control = Control(self.id, r, self.name, self.do, menu=self.menu, tap_at=at if tap_at else None)
            p.control(control, "image", states)
        else:
            p.element("image", self.name, r, self.id, states)
        if p.push_clip(x, y, w, h):
            with p.literal():
                self.draw(p, x, y, w, h)
            p.pop_clip()
        if self.selected:
            for cx, cy, cw, ch in ((x, y, w, 3), (x, y + h - 3, w, 3), (x, y, 3, h), (x + w - 3, y, 3, h)):
                p.rect(cx, cy, cw, ch, theme.ACCENT)


@dataclass(slots=True, eq=False)
class ConsoleView(Widget):
    """Lines of text on a dark screen, the last ones in sight; it scrolls. Below it goes a `TextField` for the prompt,
    whose `submit` adds to the lines. Example:

        Column((Console("terminal/screen", lines), TextField("terminal/prompt", "$", submit=run)))

    Each line is listed as text; the whole has the id and the role "log".
    """

    id: str
    lines: Sequence[str]
    size: int = 14
    flex: int = field(default=1, kw_only=True)

    def _measure(self, width: int) -> tuple[int, int]:
        return width, len(self._wrapped(width)) * line_height(self.size) + 24

    def _wrapped(self, width: int) -> list[str]:
        return [part for line in self.lines for part in wrap(line, self.size, "regular", width - 32)]

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """The newest lines at the bottom, unless scrolled."""
        rows, step = self._wrapped(w), line_height(self.size)
        most = max(0, len(rows) * step + 24 - h)
        offset = min(max(p.device.scrolls.get(f"{self.id}/scroll", most), 0), most)
        if not p.push_clip(x, y, w, h):
            return
        p.element("log", "Output", p.clips[-1], self.id)
        p.scroller(f"{self.id}/scroll", p.clips[-1], offset, most)
        with p.literal():
            p.rect(x, y, w, h, SCREEN)
            for row in range(max(0, offset // step - 1), min(len(rows), (offset + h) // step + 1)):
                top = y + 12 + row * step - offset
                if rows[row]:
                    p.text(x + 16, top, rows[row], SCREEN_INK, self.size)
                    p.element("text", rows[row], p.seen(x + 16, top, w - 32, step))
        p.pop_clip()
