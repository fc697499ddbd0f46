"""Interactive widgets; each has its action, a pure function from state to state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.render.text import line_height, measure
from omnipilot.envs.sim.render.theme import Color
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.containers import Widget
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.scene import Control, Do, MenuItem

NO_STATES: frozenset[str] = frozenset()
CHECKED = frozenset({"checked"})
SELECTED = frozenset({"selected"})


@dataclass(slots=True, eq=False)
class Button(Widget):
    """A button with a label and optionally an icon; `hint` is a tooltip, such as why it is disabled."""

    id: str
    text: str
    do: Do
    icon: str = ""
    style: Literal["filled", "plain", "outline", "danger"] = "plain"
    enabled: bool = True
    name: str = ""
    hint: str = ""

    def _measure(self, width: int) -> tuple[int, int]:
        return min(width, measure(self.text, 14, "bold") + 32 + (26 if self.icon else 0)), 40

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """The label in the centre; filled, outlined or plain."""
        r = p.seen(x, y, w, h)
        if r is None:
            return
        control = Control(self.id, r, self.name or self.text, tap=self.do, enabled=self.enabled, hint=self.hint)
        p.control(control, "button")
        fill, ink, border = button_colors(self.style, self.enabled)
        if fill is not None:
            p.rect(x, y, w, h, fill, min(h // 2, 8), border)
        if p.device.focus == self.id:
            p.rect(x + 3, y + h - 4, w - 6, 2, ink)
        length = min(measure(self.text, 14, "bold") + (26 if self.icon else 0), w - 8)
        at = x + (w - length) // 2
        if self.icon:
            p.icon(self.icon, at, y + (h - 18) // 2, 18, ink)
            at += 26
        p.text(at, y + (h - line_height(14)) // 2, self.text, ink, 14, "bold", x + w - at)


def button_colors(style: str, enabled: bool) -> tuple[Color | None, Color, Color | None]:
    if style == "filled":
        return (theme.ACCENT, theme.ON_ACCENT, None) if enabled else (theme.LINE, theme.FAINT, None)
    if style == "danger":
        return (theme.DANGER, theme.ON_ACCENT, None) if enabled else (theme.LINE, theme.FAINT, None)
    ink = theme.ACCENT if enabled else theme.DISABLED
    return (theme.CARD, ink, theme.BORDER) if style == "outline" else (None, ink, None)


@dataclass(slots=True, eq=False)
class IconButton(Widget):
    """A button that is only an icon; `name` is its name, which the desktop shows as a tooltip.

    A `floating` one covers other widgets: elements whose centre is behind it are not listed.
    """

    id: str
    icon: str
    name: str
    do: Do
    color: Color = theme.INK
    fill: Color | None = None
    size: int = 44
    glyph: int = 22
    enabled: bool = True
    floating: bool = False

    def _measure(self, width: int) -> tuple[int, int]:
        return min(width, self.size), self.size

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """The icon in the centre, on a disc if it has a fill."""
        r = p.seen(x, y, w, h)
        if r is None:
            return
        if self.floating:
            p.cover(x, y, w, h)
        control = Control(self.id, r, self.name, tap=self.do, enabled=self.enabled, hint=self.name)
        p.control(control, "button")
        if self.fill is not None:
            p.circle(x + w // 2, y + h // 2, min(w, h) // 2, self.fill if self.enabled else theme.LINE)
        if p.device.focus == self.id:
            p.rect(x + 6, y + h - 4, w - 12, 2, theme.ACCENT)
        color = self.color if self.enabled else theme.DISABLED
        p.icon(self.icon, x + (w - self.glyph) // 2, y + (h - self.glyph) // 2, self.glyph, color)


@dataclass(slots=True, eq=False)
class Tile(Widget):
    """A clickable area around any content: list rows, cards, bubbles, app icons.

    Attributes:
        menu: context menu of a long press (phone) or right click (desktop).
        payload, drop: what is dragged from here, and the action for something dropped here.
    """

    id: str
    name: str
    child: Widget
    do: Do | None = None
    role: str = "listitem"
    double: Do | None = None
    menu: tuple[MenuItem, ...] = ()
    payload: str = ""
    drop: Callable[[WorldState, str], WorldState] | None = None
    selected: bool = False
    enabled: bool = True
    value: str = ""

    def _measure(self, width: int) -> tuple[int, int]:
        return self.child.fit(width)

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """Its control behind the content, so that inner controls get their own input."""
        r = p.seen(x, y, w, h)
        if r is None:
            return
        control = Control(self.id, r, self.name, self.do, self.double, self.menu, enabled=self.enabled)
        control.payload, control.drop = self.payload, self.drop
        p.control(control, self.role, SELECTED if self.selected else NO_STATES, self.value)
        if self.selected:
            p.rect(x, y, w, h, theme.SELECTED)
        self.child.place(p, x, y, w, h)


@dataclass(slots=True, eq=False)
class Switch(Widget):
    """An on/off switch, or with `box` a check box followed by its name, if there is room for it."""

    id: str
    name: str
    on: bool
    do: Do
    box: bool = False
    enabled: bool = True

    def _measure(self, width: int) -> tuple[int, int]:
        return (min(width, 32 + measure(self.name, 14)), 40) if self.box else (52, 40)

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """Coloured when on."""
        r = p.seen(x, y, w, h)
        if r is None:
            return
        control = Control(self.id, r, self.name, tap=self.do, enabled=self.enabled)
        p.control(control, "checkbox" if self.box else "switch", CHECKED if self.on else NO_STATES)
        color, middle = (theme.ACCENT if self.on else theme.BORDER), y + h // 2
        if self.box:
            p.rect(x + 2, middle - 9, 18, 18, color if self.on else theme.CARD, 4, color)
            if self.on:
                p.icon("check", x + 4, middle - 7, 14, theme.ON_ACCENT)
            if w > 40:
                p.text(x + 30, middle - line_height(14) // 2, self.name, theme.INK, 14, width=w - 30)
        else:
            p.rect(x + 2, middle - 14, 48, 28, color, 14)
            with p.literal():
                p.circle(x + (36 if self.on else 16), middle, 11, theme.CARD)


@dataclass(slots=True, eq=False)
class TabBar(Widget):
    """Tabs side by side, each (id, name, action); `current` is the id of the selected one."""

    tabs: Sequence[tuple[str, str, Do]]
    current: str

    def _measure(self, width: int) -> tuple[int, int]:
        return width, 44

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """Tabs of equal width, the selected one underlined."""
        each = w // len(self.tabs)
        for i, (id, name, do) in enumerate(self.tabs):
            left, chosen = x + i * each, id == self.current
            r = p.seen(left, y, each, h)
            if r is None:
                continue
            p.control(Control(id, r, name, tap=do), "tab", SELECTED if chosen else NO_STATES)
            color, shift = (theme.ACCENT if chosen else theme.MUTED), (each - measure(name, 14, "bold")) // 2
            p.text(left + shift, y + (h - line_height(14)) // 2, name, color, 14, "bold")
            if chosen:
                p.rect(left + 8, y + h - 3, each - 16, 3, theme.ACCENT, 1)


@dataclass(slots=True, eq=False)
class Dropdown(Widget):
    """A drop-down list with one selected option; a click opens it, and the verb `select` chooses by text."""

    id: str
    name: str
    value: str
    options: Sequence[MenuItem]

    def _measure(self, width: int) -> tuple[int, int]:
        return min(width, max(measure(text, 14) for text, _ in self.options) + 48), 36

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """The selected option and a small triangle."""
        r = p.seen(x, y, w, h)
        if r is None:
            return
        p.control(Control(self.id, r, self.name, options=tuple(self.options)), "combobox", value=self.value)
        focused = p.device.focus == self.id
        p.rect(x, y, w, h, theme.CARD, 6, theme.ACCENT if focused else theme.BORDER)
        p.text(x + 12, y + (h - line_height(14)) // 2, self.value, theme.INK, 14, width=w - 40)
        middle = y + h // 2
        p.line(x + w - 24, middle - 3, x + w - 19, middle + 2, theme.MUTED, 2)
        p.line(x + w - 19, middle + 2, x + w - 14, middle - 3, theme.MUTED, 2)
