"""Parts that many screens share: top bar, list row, card, dialog."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.render.text import Weight
from omnipilot.envs.sim.ui.containers import Column, Gap, PaddedBox, Row, Widget
from omnipilot.envs.sim.ui.controls import Button, IconButton, Tile
from omnipilot.envs.sim.ui.display_widgets import Avatar, Badge, Divider, Glyph, Label
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.scene import Do, MenuItem


def top_bar(title: str, back: IconButton | None = None, actions: Sequence[Widget] = ()) -> Widget:
    """The bar at the top of a phone's screen: a way back, a heading, actions."""
    heading = Label(title, 22 if back is None else 18, "bold", role="heading", flex=1)
    lead: tuple[Widget, ...] = (Gap(8),) if back is None else (back,)
    bar = PaddedBox(Row((*lead, heading, *actions), 4), (8, 6), theme.CARD, height=56)
    return Column((bar, Divider()))


def list_row(
    id: str,
    title: str,
    do: Do | None,
    *,
    subtitle: str = "",
    note: str = "",
    avatar: bool = False,
    icon: str = "",
    bold: bool = False,
    count: int = 0,
    trailing: Sequence[Widget] = (),
    menu: tuple[MenuItem, ...] = (),
    selected: bool = False,
) -> Widget:
    """A row of a list: a picture, one or two lines, a note on the right, and trailing controls."""
    weight: Weight = "bold" if bold else "regular"
    first: list[Widget] = [Label(title, 16, "bold" if bold or subtitle else "regular", role=None, flex=1)]
    if note:
        first.append(Label(note, 12, color=theme.ACCENT if count else theme.MUTED))
    lines: list[Widget] = [Row(first, 8)]
    if subtitle:
        second = Label(subtitle, 14, weight, theme.INK if bold else theme.MUTED, flex=1)
        lines.append(Row((second, Badge(str(count))), 8) if count else second)
        second.flex = 1 if count else 0
    lead: list[Widget] = []
    if avatar:
        lead = [Avatar(title)]
    elif icon:
        lead = [Glyph(icon, 22, theme.ACCENT)]
    content = Row((*lead, Column(lines, 2, flex=1), *trailing), 14)
    padded = PaddedBox(content, (16, 12 if subtitle else 14), None if selected else theme.CARD)
    return Tile(id, title, Column((padded, Divider())), do, menu=menu, selected=selected, value=subtitle)


def card(child: Widget, pad: int = 16) -> Widget:
    """A white card with a thin border."""
    return PaddedBox(child, (pad, pad), theme.CARD, 12, theme.LINE)


def empty(text: str) -> Widget:
    """The placeholder of an empty list."""
    return PaddedBox(Label(text, 14, color=theme.MUTED, align="center"), (24, 48))


@dataclass(slots=True, eq=False)
class Dialog(Widget):
    """A modal dialog in front of everything else in its window. Esc is the first button."""

    title: str
    text: str
    buttons: Sequence[Button]

    def _measure(self, width: int) -> tuple[int, int]:
        return width, 0

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """Centred in its area, which is covered and darkened; wide buttons are in a column."""
        p.cover(x, y, w, h, modal=True)
        p.veil(x, y, w, h)
        p.shortcuts["esc"] = self.buttons[0].do
        width = min(w - 48, 380)
        fits = Row(self.buttons, 8).fit(10_000)[0] <= width - 48
        answers = Row((Gap(flex=1), *self.buttons), 8) if fits else Column(self.buttons[::-1], 8)
        body = Column(
            (
                Label(self.title, 18, "bold", role="heading", wrapped=True),
                Label(self.text, 14, color=theme.MUTED, wrapped=True),
                Gap(8),
                answers,
            ),
            8,
        )
        panel = PaddedBox(body, (24, 20), theme.CARD, 14, theme.BORDER, raised=True)
        height = panel.fit(width)[1]
        left, top = x + (w - width) // 2, y + (h - height) // 2
        p.element("dialog", self.title, p.seen(left, top, width, height))
        panel.place(p, left, top, width, height)
