"""Widgets and steps shared by the phone's apps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state.phone_data import add_days, day_of, spoken_date
from omnipilot.envs.sim.state.world_state import View, WorldState
from omnipilot.envs.sim.ui.containers import Column, Gap, Layers, PaddedBox, Row, ScrollView, Widget
from omnipilot.envs.sim.ui.controls import Button, IconButton, Switch
from omnipilot.envs.sim.ui.display_widgets import Label
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.navigation import arrive, back, both, go, open_window
from omnipilot.envs.sim.ui.panels import empty, top_bar
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.text_field import TextField


def change(kind: str, id: str, **changes: Any) -> Do:
    """Change attributes of an item of the account: `change("todos", "todo-3", done=True)`."""

    def do(state: WorldState) -> WorldState:
        item = state.account.find(kind, id)
        return state if item is None else state.own(state.account.put(replace(item, **changes)))

    return do


def remove(kind: str, id: str) -> Do:
    """Remove an item of the account."""

    def do(state: WorldState) -> WorldState:
        item = state.account.find(kind, id)
        return state if item is None else state.own(state.account.drop(item))

    return do


def jump(app: str, *views: View) -> Do:
    """Bring another app of the phone to the front, showing the last of these views."""
    return both(open_window("phone", app, views[0].name, (0, 0, 0, 0)), arrive("phone", app, *views))


def today(state: WorldState) -> str:
    """The current date."""
    return day_of(state.start + state.time)


def page(app: str, view: str, title: str, parts: Sequence[Widget], actions: Sequence[Widget] = ()) -> Widget:
    """A screen with a back button, actions at the top, and a scrolling column of parts."""
    arrow = IconButton(f"{app}/{view}/back", "back", "Back", back("phone", app))
    body = ScrollView(f"{app}/{view}/scroll", PaddedBox(Column(tuple(parts), 16), (20, 20)))
    return Column((top_bar(title, arrow, actions), body))


def scrolling_list(id: str, rows: Sequence[Widget], none: str, alike: bool = False) -> Widget:
    """A scrolling list, with room at its end for the corner button; `none` is shown if it is empty.

    If all rows have the same height, set `alike`: rows out of view are then not laid out.
    """
    return ScrollView(id, Column((Column(rows or [empty(none)], alike=alike), Gap(84))))


def with_corner(body: Widget, app: str, view: str, name: str, target: str) -> Widget:
    """A body with a round plus button at the lower right, which opens the view `target` without an argument."""
    do = go("phone", app, target)
    new = IconButton(f"{app}/{view}/new", "plus", name, do, theme.ON_ACCENT, theme.ACCENT, 56, floating=True)
    corner = Column((Gap(flex=1), Row((Gap(flex=1), new, Gap(20))), Gap(20)))
    return Layers((body, corner), flex=1)


def stepper(id: str, name: str, text: str, down: Do, up: Do) -> Widget:
    """A value between the buttons `<id>/down` and `<id>/up`."""
    return Row(
        (
            Label(name, 14, color=theme.MUTED, flex=1),
            IconButton(f"{id}/down", "minus", f"{name} down", down, size=40, glyph=18),
            PaddedBox(Label(text, 16, "bold", align="center", role="spinbutton", id=id), width=116),
            IconButton(f"{id}/up", "plus", f"{name} up", up, size=40, glyph=18),
        ),
        2,
    )


def buttons(*found: Button) -> Widget:
    """Buttons of equal width side by side."""
    for button in found:
        button.flex = 1
    return Row(found, 12)


def fact(name: str, text: str, id: str | None = None) -> Widget:
    """A line with a name and a value."""
    return Column((Label(name, 12, color=theme.MUTED), Label(text, 16, wrapped=True, id=id)), 2)


@dataclass(slots=True, eq=False)
class Ticking(Widget):
    """A widget that shows elapsed time: it is redrawn at each whole second after `since`."""

    child: Widget
    since: float

    def _measure(self, width: int) -> tuple[int, int]:
        return self.child.fit(width)

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """The child, for the rest of the second."""
        p.lasts(round(self.since + int(round(p.time - self.since, 6)) + 1, 6))
        self.child.place(p, x, y, w, h)


def clock_time(seconds: float) -> str:
    """A duration as M:SS."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def when(state: WorldState, time: float) -> str:
    """A past time on the world's clock in everyday form: "14:20", "Tue 09:05", "Sun 1 March"."""
    then, now = day_of(state.start + time), today(state)
    if then == now:
        return state.clock(time)
    near = then > add_days(now, -6)
    return f"{spoken_date(then)[:3]} {state.clock(time)}" if near else spoken_date(then)


def labelled_fields(*fields: TextField) -> list[Widget]:
    """Text fields, each below its name."""
    return [Column((Label(field.name, 12, color=theme.MUTED, role=None), field), 4) for field in fields]


def configure(**changes: Any) -> Do:
    """Change settings of the phone."""
    return lambda state: state.own(
        replace(state.account, phone_settings=replace(state.account.phone_settings, **changes))
    )


def switch_row(id: str, name: str, on: bool, do: Do, note: str = "") -> Widget:
    """A row with a name, a note below, and a switch on the right."""
    texts: list[Widget] = [Label(name, 16, role=None)]
    if note:
        texts.append(Label(note, 12, color=theme.MUTED))
    return Row((Column(texts, 2, flex=1), Switch(id, name, on, do)), 8)
