"""Decoys: text that looks like a control, and ads that use other controls' labels, as on real screens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.render.text import line_height, measure
from omnipilot.envs.sim.ui.containers import Column, PaddedBox, Row, Widget
from omnipilot.envs.sim.ui.controls import Button, button_colors
from omnipilot.envs.sim.ui.display_widgets import Glyph, Label
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.scene import Do


@dataclass(slots=True, eq=False)
class Sign(Widget):
    """Text that looks like a button but does nothing: a completed step, a heading in a pill. Listed as text.

    Example: Sign("Paid", icon="check", style="outline")
    """

    text: str
    icon: str = ""
    style: Literal["filled", "plain", "outline", "danger"] = "outline"

    def _measure(self, width: int) -> tuple[int, int]:
        return min(width, measure(self.text, 14, "bold") + 32 + (26 if self.icon else 0)), 40

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """Drawn like a `Button` of its style."""
        p.element("text", self.text, p.seen(x, y, w, h))
        fill, ink, border = button_colors(self.style, True)
        if fill is not None:
            p.rect(x, y, w, h, fill, min(h // 2, 8), border)
        length = min(measure(self.text, 14, "bold") + (26 if self.icon else 0), w - 8)
        at = x + (w - length) // 2
        if self.icon:
            p.icon(self.icon, at, y + (h - 18) // 2, 18, ink)
            at += 26
        p.text(at, y + (h - line_height(14)) // 2, self.text, ink, 14, "bold", x + w - at)


def offer(id: str, title: str, text: str, button: str, do: Do, icon: str = "star") -> Widget:
    """A card that advertises something with a button, which may have the label of another control on the screen.

    Example: offer("shop/offer", "Checkout faster", "Join the club for 5 a month", "Checkout", join)
    """
    words = Column((Label(title, 14, "bold"), Label(text, 12, color=theme.MUTED, wrapped=True)), 2, flex=1)
    row = Row((Glyph(icon, 24, theme.ACCENT), words, Button(id, button, do, style="filled")), 14)
    return PaddedBox(row, (16, 12), theme.TINT, 10)
