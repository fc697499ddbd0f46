"""Pointer input by finger or mouse: pure steps from state to state, given the state's laid-out scene."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.sim.state.world_state import DeviceName, Grab, Popup, WorldState
from omnipilot.envs.sim.ui import text_editing as edit
from omnipilot.envs.sim.ui.keyboard import keep
from omnipilot.envs.sim.ui.navigation import raise_window
from omnipilot.envs.sim.ui.scene import Control, Motion, Scene


def _to_front(state: WorldState, device: DeviceName, control: Control) -> WorldState:
    """Bring the control's window to the front, as a press does on the desktop."""
    front = state.device(device).front
    if device == "phone" or not control.window or (front is not None and front.app == control.window):
        return state
    return raise_window(device, control.window)(state)


def _into(state: WorldState, device: DeviceName, control: Control, x: int, y: int, extend: bool) -> WorldState:
    """Focus a text field and put the caret where it was touched."""
    assert control.area is not None
    state = state.on(device, focus=control.id)
    return keep(state, device, control, edit.place(control.area.draft, control.area.caret_at(x, y), extend))


def activate(
    state: WorldState, device: DeviceName, scene: Scene, x: int, y: int, count: int = 1, extend: bool = False
) -> WorldState:
    """Click or tap a pixel, once or several times. On empty space it only changes the foreground window."""
    control = scene.hit(x, y)
    if control is None:
        return state
    state = _to_front(state, device, control)
    if not control.enabled:
        return state
    if control.area is not None:
        state = _into(state, device, control, x, y, extend)
        if count == 1:
            return state
        draft = control.area.draft
        whole = edit.select_all(draft) if count == 3 else edit.select_word(draft, control.area.caret_at(x, y))
        return keep(state, device, control, whole)
    if control.options:
        left, _, _, bottom = control.rect
        return state.on(device, popup=Popup(control.id, left, bottom + 2, "options"), focus=control.id)
    if count >= 2 and control.double is not None:
        return control.double(control.tap(state) if control.tap else state)
    if control.tap_at is not None:
        return control.tap_at(state.on(device, focus=control.id) if control.keys else state, x, y)
    return control.tap(state) if control.tap is not None else state


def open_menu(state: WorldState, device: DeviceName, scene: Scene, x: int, y: int) -> WorldState:
    """A long press or right click: open the control's menu, if it has one."""
    control = scene.hit(x, y)
    if control is None:
        return state
    state = _to_front(state, device, control)
    return state.on(device, popup=Popup(control.id, x, y)) if control.menu and control.enabled else state


def move(state: WorldState, device: DeviceName, scene: Scene, x: int, y: int) -> WorldState:
    """Move the pointer, with anything it holds."""
    was = state.device(device).pointer
    grab = state.device(device).grab
    state = state.on(device, pointer=(x, y), hovering=True)
    if grab is None or (x, y) == was:
        return state
    state = state.on(device, grab=replace(grab, moved=True))
    held = scene.control(grab.id)
    if held is None or not held.enabled:
        return state
    if held.area is not None:
        return keep(state, device, held, edit.place(held.area.draft, held.area.caret_at(x, y), extend=True))
    return held.drag(state, Motion(x, y, x - was[0], y - was[1])) if held.drag is not None else state


def down(state: WorldState, device: DeviceName, scene: Scene, x: int, y: int, extend: bool = False) -> WorldState:
    """Press a button or finger and grab what is there."""
    state = state.on(device, pointer=(x, y), hovering=False)
    control = scene.hit(x, y)
    if control is None:
        return state.on(device, grab=Grab("", x, y))
    state = _to_front(state, device, control)
    if control.area is not None and control.enabled:
        state = _into(state, device, control, x, y, extend)
    return state.on(device, grab=Grab(control.id, x, y))


def up(state: WorldState, device: DeviceName, scene: Scene, x: int, y: int) -> WorldState:
    """Release it: a click if it was pressed on the same control, a drop if something was carried."""
    grab = state.device(device).grab
    state = state.on(device, grab=None, pointer=(x, y), hovering=False)
    if grab is None:
        return state
    held, under = scene.control(grab.id), scene.hit(x, y)
    if held is not None and under is not None and held.payload and under.drop is not None and under.enabled:
        return under.drop(state, held.payload)
    same = under is not None and under.id == grab.id and not (held is not None and held.area is not None)
    moved_it = grab.moved and held is not None and (held.drag is not None or held.payload)
    return activate(state, device, scene, x, y) if same and not moved_it else state
