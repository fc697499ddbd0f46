"""Display widgets: text, icons, avatars, lines, and animated surfaces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.render.text import Weight, line_height, measure, wrap
from omnipilot.envs.sim.render.theme import Color
from omnipilot.envs.sim.ui.containers import Widget
from omnipilot.envs.sim.ui.layout_pass import Painter


@dataclass(slots=True, eq=False)
class Label(Widget):
    """Text on one line (cut with an ellipsis), or wrapped.

    Attributes:
        role: its role in the element tree; None leaves it out, because a control around it has the same text.
        id: stable id in the element tree, if it has one.
    """

    text: str
    size: int = 14
    weight: Weight = "regular"
    color: Color = theme.INK
    wrapped: bool = False
    align: Literal["left", "center", "right"] = "left"
    role: str | None = "text"
    id: str | None = None

    def _measure(self, width: int) -> tuple[int, int]:
        if not self.wrapped:
            return min(width, measure(self.text, self.size, self.weight)), line_height(self.size)
        lines = wrap(self.text, self.size, self.weight, width)
        widest = max((measure(line, self.size, self.weight) for line in lines), default=0)
        return min(width, widest), max(1, len(lines)) * line_height(self.size)

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """Vertically centred if it is one line, from the top if it is wrapped."""
        step = line_height(self.size)
        lines = wrap(self.text, self.size, self.weight, w) if self.wrapped else [self.text]
        top = y if self.wrapped else y + (h - step) // 2
        if self.role is not None and self.text:
            p.element(self.role, self.text, p.seen(x, top, w, step * len(lines)), self.id)
        for i, line in enumerate(lines):
            length = min(w, measure(line, self.size, self.weight)) if self.align != "left" else 0
            shift = {"left": 0, "center": (w - length) // 2, "right": w - length}[self.align]
            p.text(x + shift, top + i * step, line, self.color, self.size, self.weight, w - shift)


@dataclass(slots=True, eq=False)
class Glyph(Widget):
    """A decorative icon."""

    name: str
    size: int = 20
    color: Color = theme.MUTED

    def _measure(self, width: int) -> tuple[int, int]:
        return min(width, self.size), self.size

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """Centred in its area."""
        p.icon(self.name, x + (w - self.size) // 2, y + (h - self.size) // 2, self.size, self.color)


@dataclass(slots=True, eq=False)
class Avatar(Widget):
    """A round avatar with the initials of a name."""

    name: str
    size: int = 40

    def _measure(self, width: int) -> tuple[int, int]:
        return min(width, self.size), self.size

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """The circle and up to two letters."""
        x += (w - self.size) // 2
        p.circle(x + self.size // 2, y + h // 2, self.size // 2, theme.avatar_color(self.name))
        letters = "".join(word[0] for word in self.name.split()[:2]).upper()
        size = 14 if self.size >= 36 else 11
        shift = (self.size - measure(letters, size, "bold")) // 2
        p.text(x + shift, y + (h - line_height(size)) // 2, letters, theme.ON_ACCENT, size, "bold")


@dataclass(slots=True, eq=False)
class Divider(Widget):
    """A thin horizontal line, or a vertical one if `upright`."""

    upright: bool = False

    def _measure(self, width: int) -> tuple[int, int]:
        return (1, 1) if self.upright else (width, 1)

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """One pixel thick."""
        p.rect(x, y, 1 if self.upright else w, h if self.upright else 1, theme.LINE)


@dataclass(slots=True, eq=False)
class Badge(Widget):
    """A small count in a pill."""

    text: str

    def _measure(self, width: int) -> tuple[int, int]:
        return min(width, max(20, measure(self.text, 11, "bold") + 12)), 20

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """The pill and its text."""
        y += (h - 20) // 2
        p.rect(x, y, w, 20, theme.ACCENT, 10)
        p.text(x + (w - measure(self.text, 11, "bold")) // 2, y + 2, self.text, theme.ON_ACCENT, 11, "bold")


@dataclass(slots=True, eq=False)
class Surface(Widget):
    """An animated picture: `draw(painter, x, y, w, h)` draws it as a pure function of `painter`'s `state` and `time`.

    It is static as long as `draw` does not read `painter.time`, which is its only way to know the time.
    It is listed as an image; its content is only in the pixels, with the same colours in both themes.
    """

    id: str
    name: str
    height: int
    draw: Callable[[Painter, int, int, int, int], None]

    def _measure(self, width: int) -> tuple[int, int]:
        return width, self.height

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """Clipped to its area."""
        p.element("image", self.name, p.seen(x, y, w, h), self.id)
        if p.push_clip(x, y, w, h):
            p.timed = False
            with p.literal():
                self.draw(p, x, y, w, h)
            p.pop_clip()
            if p.timed:
                p.lasts(p.time)
