"""The screens of both devices: home or desktop, bars, windows, banners, menus; one `Scene` for each state."""

from __future__ import annotations

from collections.abc import Iterator

from omnipilot.envs.sim.apps.base import App, Ctx
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.render.text import line_height, measure
from omnipilot.envs.sim.shell.desktop import place_desktop
from omnipilot.envs.sim.shell.overlays import place_tooltip
from omnipilot.envs.sim.shell.phone import place_phone
from omnipilot.envs.sim.state.world_state import DeviceName, Popup, Window, WorldState
from omnipilot.envs.sim.ui.layout_cache import LayoutCache
from omnipilot.envs.sim.ui.layout_pass import Painter, Unclipped
from omnipilot.envs.sim.ui.navigation import both
from omnipilot.envs.sim.ui.scene import Control, Do, MenuItem, Scene
from omnipilot.envs.types.observation import Element


def make_scene(state: WorldState, device: DeviceName, kept: LayoutCache | None = None) -> Scene:
    """Lay out a device's screen; with the cache `kept`, only what has changed since its last use."""
    p = Painter(state, state.device(device), kept=kept)
    _place(p)
    return p.finish()


def beyond(state: WorldState, device: DeviceName, scene: Scene | None = None) -> tuple[Element, ...]:
    """Elements scrolled out of view or covered, with boxes clipped to the screen; faulty trees may list them.

    Args:
        scene: of this state and device, where it was laid out already.
    """
    scene = scene or make_scene(state, device)
    shown = {id for *_, id, _, _ in scene.raw}
    p = Unclipped(state, state.device(device))
    _place(p)
    return tuple(element for element in p.everything() if element.id and element.id not in shown)


def laid_out_ids(state: WorldState, device: DeviceName, kept: LayoutCache | None = None) -> Iterator[str]:
    """The ids of all that a screen holds, in view, scrolled out of it or covered.

    Args:
        kept: pieces of such layouts, of which those are taken that have not changed.
    """
    p = Unclipped(state, state.device(device), kept=kept)
    _place(p)
    return p.ids()


def _place(p: Painter) -> None:
    device = p.device.name
    (place_phone if device == "phone" else place_desktop)(p)
    popup = p.device.popup
    if popup is not None:
        owners = [control for control in p.placed() if control.id == popup.id]
        if owners:
            p.part("popup", _place_popup, popup, owners[-1])
    if p.device.hovering and p.device.grab is None:
        x, y = p.device.pointer
        under = next((c for c in p.placed() if c.rect[0] <= x < c.rect[2] and c.rect[1] <= y < c.rect[3]), None)
        if under is not None and under.hint:
            p.part("tooltip", place_tooltip, under)


def _close(device: DeviceName) -> Do:
    return lambda state: state.on(device, popup=None)


def _place_popup(p: Painter, popup: Popup, owner: Control) -> None:
    """The open menu of a control, in front of everything; a tap outside closes it."""
    items: tuple[MenuItem, ...] = owner.menu if popup.kind == "menu" else owner.options
    size, close = p.device.size, _close(p.device.name)
    row = 44 if p.device.name == "phone" else 34
    width = max(160, max(measure(text, 14) for text, _ in items) + 40)
    height = row * len(items) + 12
    x, y = min(popup.x, size.width - width - 8), min(popup.y, size.height - height - 8)
    p.window = ""
    p.cover(0, 0, size.width, size.height, close, modal=True)
    p.shortcuts["esc"] = close
    p.shadow(x, y, width, height, 8)
    p.rect(x, y, width, height, theme.CARD, 8, theme.BORDER)
    for i, (text, do) in enumerate(items):
        top = y + 6 + i * row
        id = f"{popup.id}/{text.lower().replace(' ', '-')}"
        role = "menuitem" if popup.kind == "menu" else "option"
        p.control(Control(id, (x, top, x + width, top + row), text, tap=both(close, do)), role)
        p.text(x + 20, top + (row - line_height(14)) // 2, text, theme.INK, 14)


def context_of(state: WorldState, device: DeviceName, apps: dict[str, App]) -> tuple[str, str]:
    """Name of the foreground app and title of its window."""
    front: Window | None = state.device(device).front
    if front is None:
        return ("home", "Home") if device == "phone" else ("desktop", "Desktop")
    app = apps[front.app]
    ctx = Ctx(state, state.device(device), front.view, front.w, front.h)
    return app.title, app.heading(ctx) if app.heading else app.title
