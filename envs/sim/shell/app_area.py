"""The area of an app's content; its widgets are rebuilt only when their content has changed."""

from __future__ import annotations

from omnipilot.envs.sim.apps.base import App, Ctx
from omnipilot.envs.sim.state.world_state import DeviceState, Window, WorldState
from omnipilot.envs.sim.ui.containers import Widget
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.scene import ScenePiece
from omnipilot.envs.types.words_origin import write_origin

Place = tuple[int, int, int, int]
"""x, y, width, height in pixels."""


def place_screen(p: Painter, window: Window, app: App, at: Place, clip: Place) -> None:
    """Place the content of a window's app, clipped to `clip`."""
    x, y, w, h = at
    view, make, origin = window.view, app.views[window.view.name], write_origin("app", app.title)

    def made(state: WorldState, device: DeviceState) -> Widget:
        return make(Ctx(state, device, view, w, h))

    def place(painter: Painter, widget: Widget) -> None:
        painter.window = window.app
        if painter.push_clip(*clip):
            if painter.push_clip(x, y, w, h):
                with painter.words_of(origin):
                    widget.place(painter, x, y, w, h)
                painter.pop_clip()
            painter.pop_clip()
        painter.window = ""

    def placed(state: WorldState, device: DeviceState, widget: Widget | None) -> ScenePiece:
        assert widget is not None
        painter = type(p)(state, device)
        place(painter, widget)
        return painter.piece()

    if p.kept is None:
        place(p, made(p.state, p.device))
    else:
        made_of = (make, view.name, view.arg, w, h)
        name = f"{window.app}/screen"
        p.put_behind(p.kept.get(name, p.state, p.device.name, placed, (*at, *clip), made, made_of))
