"""The text field: draft, caret, selection, single-line or multi-line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.render.text import line_height, measure
from omnipilot.envs.sim.state.world_state import DeviceName, Field, WorldState
from omnipilot.envs.sim.ui import keyboard
from omnipilot.envs.sim.ui.containers import Widget
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.scene import Control, Do, MenuItem, TextArea
from omnipilot.envs.sim.ui.text_editing import draft, select_all, selected_text, selection
from omnipilot.envs.sim.ui.text_lines import Line, column_at, lines_of, row_of


@dataclass(slots=True, eq=False)
class TextField(Widget):
    """A text field.

    Attributes:
        id: also the key of its draft in `DeviceState.fields`.
        name: its label in the element tree, shown as a placeholder while it is empty.
        text: its content until it is edited.
        rows: visible lines; more than 1 makes it multi-line, 0 fills the given area.
        submit: action of Enter. changed: action after each edit.
        plain: without a frame.
        stale: drop its draft and show `text` again.
    """

    id: str
    name: str
    text: str = ""
    rows: int = 1
    submit: Do | None = None
    changed: Callable[[WorldState, str], WorldState] | None = None
    size: int = 14
    plain: bool = False
    stale: bool = False

    def _measure(self, width: int) -> tuple[int, int]:
        return width, max(1, self.rows) * line_height(self.size) + (20 if self.rows == 1 else 16)

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """Frame, selection, text and caret; longer text scrolls with the caret."""
        r = p.seen(x, y, w, h)
        if r is None:
            return
        held = None if self.stale else p.device.fields.get(self.id)
        field = held or draft(self.text)
        focused = p.device.focus == self.id
        pad = 0 if self.plain and self.rows != 1 else 12
        top, inner, step = y + (h - line_height(self.size)) // 2, w - 2 * pad, line_height(self.size)
        if self.rows != 1:
            top = y + (4 if self.plain else 8)
        if not self.plain:
            p.rect(x, y, w, h, theme.CARD, 8, theme.ACCENT if focused else theme.BORDER)
        lines: tuple[Line, ...] = ((0, field.text),)
        left, up = x + pad, 0
        if self.rows != 1:
            lines = lines_of(field.text, self.size, "regular", inner - 8)
            shown = max(1, (h - 2 * (top - y)) // step)
            up = self._rows_above(p, r, field, lines, shown, focused)
        elif focused:
            left -= max(0, measure(field.text[: field.caret], self.size) + 2 - inner)
        self._listed(p, r, field, lines, left, top, up)
        if not p.push_clip(x + pad, y + 1, inner, h - 2):
            return
        if not field.text:
            p.text(x + pad, top, self.name, theme.FAINT, self.size, width=inner)
        for row, (start, line) in enumerate(lines[up : up + h // step + 1]):
            self._line(p, field, start, line, left, top + row * step, focused)
        if focused:
            row = row_of(lines, field.caret)
            start, line = lines[row]
            at = left + measure(line[: field.caret - start], self.size)
            p.rect(at, top + (row - up) * step + 1, 2, step - 2, theme.ACCENT)
        p.pop_clip()

    def _rows_above(
        self,
        p: Painter,
        r: tuple[int, int, int, int],
        field: Field,
        lines: tuple[Line, ...],
        shown: int,
        focused: bool,
    ) -> int:
        """Number of lines scrolled out at the top: as scrolled, or so that the caret is visible."""
        step, most = line_height(self.size), max(0, len(lines) - shown)
        stored = p.device.scrolls.get(self.id)
        up = 0 if stored is None else min(max(round(stored / step), 0), most)
        if stored is None and focused:
            up = min(max(0, row_of(lines, field.caret) - shown + 1), most)
        p.scroller(self.id, r, up * step, most * step)
        return up

    def _listed(
        self, p: Painter, r: tuple[int, int, int, int], field: Field, lines: tuple[Line, ...], x: int, y: int, up: int
    ) -> None:
        size, step = self.size, line_height(self.size)

        def caret_at(px: int, py: int) -> int:
            row = (py - y) // step + up
            if row >= len(lines) and self.rows != 1:
                return len(field.text)
            row = min(max(row, 0), len(lines) - 1)
            start, line = lines[row]
            return start + column_at(line, px - x, size)

        def stepped(down: int) -> int:
            row = row_of(lines, field.caret)
            target = row + down
            if not 0 <= target < len(lines):
                return 0 if target < 0 else len(field.text)
            start, line = lines[row]
            to, other = lines[target]
            return to + column_at(other, measure(line[: field.caret - start], size), size)

        area = TextArea(field, self.rows != 1, caret_at, stepped, self.submit, self.changed)
        # Its menu acts on a control without a menu: a circle of the two would wait for the collector of cycles.
        bare = Control(self.id, r, self.name, area=area)
        p.control(replace(bare, menu=_menu(bare, p.device.name)), "textbox", value=field.text)

    def _line(self, p: Painter, field: Field, start: int, line: str, x: int, y: int, focused: bool) -> None:
        first, last = (max(0, min(place - start, len(line))) for place in selection(field))
        if focused and first < last:
            a, b = measure(line[:first], self.size), measure(line[:last], self.size)
            p.rect(x + a, y, b - a, line_height(self.size), theme.TEXT_SELECTED)
        p.text(x, y, line, theme.INK, self.size)


def _menu(control: Control, device: DeviceName) -> tuple[MenuItem, ...]:
    """The context menu of a text field."""
    assert control.area is not None
    field = control.area.draft

    def paste(state: WorldState) -> WorldState:
        return keyboard.write(state.on(device, focus=control.id), device, control, state.device(device).clipboard)

    def copy(state: WorldState) -> WorldState:
        return state.on(device, focus=control.id, clipboard=selected_text(field) or field.text)

    def select(state: WorldState) -> WorldState:
        return keyboard.keep(state.on(device, focus=control.id), device, control, select_all(field))

    return ("Paste", paste), ("Copy", copy), ("Select all", select)
