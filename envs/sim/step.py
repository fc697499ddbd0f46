"""The verbs of the simulated devices, each a pure function from state to state."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from omnipilot.envs.sim.apps.registry import apps_of, find_app, launch
from omnipilot.envs.sim.shell.phone import phone_back
from omnipilot.envs.sim.state.world_state import DeviceName, WorldState
from omnipilot.envs.sim.ui import keyboard, pointer
from omnipilot.envs.sim.ui import navigation as nav
from omnipilot.envs.sim.ui.scene import Control, Scene
from omnipilot.envs.types.actions import (
    Action,
    Click,
    Drag,
    KeyDown,
    KeyUp,
    LongPress,
    MouseDown,
    MouseMove,
    MouseUp,
    OpenApp,
    Press,
    Scroll,
    Select,
    Swipe,
    System,
    TypeText,
)
from omnipilot.envs.types.errors import ActionRejected
from omnipilot.envs.types.geometry import Point, Size

Look: TypeAlias = Callable[[WorldState], Scene]
"""Lays out the screen of the device for a state."""

PHONE_VERBS = frozenset("click long_press swipe scroll drag type press system open_app".split())
DESKTOP_VERBS = frozenset(
    "click move mouse_down mouse_up drag scroll type press key_down key_up open_app select".split()
)
PHONE_KEYS = frozenset("enter backspace delete tab space left right up down home end esc".split())
NOTCH = 60
LONG_PRESS = 0.4
"""Minimum seconds of a long press; a shorter one is a tap."""


def perform(state: WorldState, device: DeviceName, action: Action, look: Look) -> WorldState:
    """Execute a verb of `PHONE_VERBS` or `DESKTOP_VERBS`; time does not pass here.

    Raises:
        ActionRejected: the device cannot do that; the message says what it can do.
    """
    if isinstance(action, OpenApp):
        # The one verb that needs no look at the screen.
        return _open(state, device, action)
    size = state.device(device).size
    scene = look(state)
    match action:
        case Click():
            return _click(state, device, action, look)
        case LongPress():
            held = pointer.activate if action.seconds < LONG_PRESS else pointer.open_menu
            return held(state, device, scene, *action.at.to_pixel(size))
        case MouseMove():
            return pointer.move(state, device, scene, *action.at.to_pixel(size))
        case MouseDown():
            _left(action.button)
            return pointer.down(state, device, scene, *_at(state, device, action.at))
        case MouseUp():
            _left(action.button)
            x, y = _at(state, device, action.at)
            state = pointer.move(state, device, scene, x, y)
            return pointer.up(state, device, look(state), x, y)
        case Drag():
            return _drag(state, device, action, look)
        case Swipe():
            return _swipe(state, device, scene, action)
        case Scroll():
            return _scroll(state, device, scene, action)
        case TypeText():
            return _type(state, device, action, look)
        case Press():
            return _press(state, device, action, look)
        case KeyDown():
            return _key_down(state, device, scene, action.keys)
        case KeyUp():
            keys = tuple(key for key in state.device(device).keys if key not in action.keys)
            return state.on(device, keys=keys)
        case System():
            if action.name not in ("back", "home"):
                raise ActionRejected(f"this phone has the system keys back and home, not {action.name}")
            _not_ringing(state)
            if action.name == "home":
                return nav.home(state)
            close = scene.shortcuts.get("esc")
            return close(state) if close is not None else phone_back(state)
        case Select():
            return _select(state, device, scene, action)
    raise ActionRejected(f"the {device} does not know the verb {action.kind}")


def _open(state: WorldState, device: DeviceName, action: OpenApp) -> WorldState:
    app = find_app(device, action.app)
    if app is None:
        names = ", ".join(other.title for other in apps_of(device))
        raise ActionRejected(f"there is no app {action.app!r} on the {device}; it has {names}")
    if device == "phone":
        _not_ringing(state)
    return launch(app)(state)


def _at(state: WorldState, device: DeviceName, at: Point | None) -> tuple[int, int]:
    record = state.device(device)
    return at.to_pixel(record.size) if at is not None else record.pointer


def _not_ringing(state: WorldState) -> None:
    ringing = state.phone.ringing
    if ringing is not None and ringing.kind == "call":
        raise ActionRejected("a call comes in, in front of everything: answer or decline it first")
    if ringing is not None:
        raise ActionRejected("an alarm rings in front of everything: dismiss or snooze it first")


def _left(button: str) -> None:
    if button != "left":
        raise ActionRejected(f"only the left button can be held here, not the {button} one")


def _click(state: WorldState, device: DeviceName, action: Click[Point], look: Look) -> WorldState:
    held = {*action.modifiers, *(key for key in state.device(device).keys if key in keyboard.MODIFIERS)}
    if device == "phone":
        if action.at is None:
            raise ActionRejected("a phone has no cursor: say where to tap")
        if action.button != "left" or action.modifiers:
            raise ActionRejected("a tap has no button and no modifier; long_press opens an item's menu")
    elif action.button not in ("left", "right") or held - {"shift"}:
        raise ActionRejected("a click is left or right, and takes no modifier but shift (to select text)")
    x, y = _at(state, device, action.at)
    scene = look(state)
    state = state.on(device, pointer=(x, y), hovering=False) if device == "desktop" else state
    if action.button == "right":
        return pointer.open_menu(state, device, scene, x, y)
    target = scene.hit(x, y)
    state = pointer.activate(state, device, scene, x, y, action.count, "shift" in held)
    if target is None or target.area is not None or target.double is not None:
        return state
    for _ in range(action.count - 1):
        # A further click counts only if it hits the same control, never something the first one opened.
        scene = look(state)
        again = scene.hit(x, y)
        if again is None or again.id != target.id:
            break
        state = pointer.activate(state, device, scene, x, y)
    return state


def _drag(state: WorldState, device: DeviceName, action: Drag[Point], look: Look) -> WorldState:
    size = state.device(device).size
    if device == "phone" and action.start is None:
        raise ActionRejected("a phone has no cursor: say where the drag starts")
    _left(action.button)
    x, y = _at(state, device, action.start)
    scene = look(state)
    taken = scene.hit(x, y)
    if device == "phone" and (taken is None or (taken.drag is None and not taken.payload)):
        return _scroll_by(state, device, scene, x, y, y - action.end.to_pixel(size)[1])
    state = pointer.down(state, device, scene, x, y)
    for place in (*action.path, action.end):
        x, y = place.to_pixel(size)
        state = pointer.move(state, device, look(state), x, y)
    return pointer.up(state, device, look(state), x, y)


def _swipe(state: WorldState, device: DeviceName, scene: Scene, action: Swipe[Point]) -> WorldState:
    size = state.device(device).size
    x, y = (action.start or Point(0.5, 0.5)).to_pixel(size)
    if action.end is not None:
        return _scroll_by(state, device, scene, x, y, y - action.end.to_pixel(size)[1])
    return _scroll_by(state, device, scene, x, y, {"up": 400, "down": -400}.get(str(action.direction), 0))


def _scroll_by(state: WorldState, device: DeviceName, scene: Scene, x: int, y: int, by: int) -> WorldState:
    scroller = scene.scroller(x, y)
    return state if scroller is None else keyboard.scroll(state, device, scroller, by)


def _scroll(state: WorldState, device: DeviceName, scene: Scene, action: Scroll[Point]) -> WorldState:
    if action.direction in ("left", "right"):
        raise ActionRejected("nothing here scrolls sideways; scroll up or down")
    x, y = (action.at or Point(0.5, 0.5)).to_pixel(state.device(device).size)
    scroller = scene.scroller(x, y)
    if scroller is None:
        return state
    unit = {"notch": NOTCH, "px": 1, "page": (scroller.rect[3] - scroller.rect[1]) * 9 // 10}[action.unit]
    by = round(action.amount * unit)
    return keyboard.scroll(state, device, scroller, by if action.direction == "down" else -by)


def _type(state: WorldState, device: DeviceName, action: TypeText[Point], look: Look) -> WorldState:
    size: Size = state.device(device).size
    scene = look(state)
    if action.at is not None:
        x, y = action.at.to_pixel(size)
        target = scene.hit(x, y)
        if target is None or target.area is None:
            raise ActionRejected(f"there is no text field at that place; {_fields(scene)}")
        state = pointer.activate(state, device, scene, x, y)
    control = _focused(state, device, look)
    if action.clear:
        state = keyboard.clear(state, device, control)
        control = _focused(state, device, look)
    if action.text:
        state = keyboard.write(state, device, control, action.text)
    if action.submit:
        state = keyboard.enter(state, device, _focused(state, device, look))
    return state


def _focused(state: WorldState, device: DeviceName, look: Look) -> Control:
    scene = look(state)
    control = scene.focused(state.device(device).focus)
    if control is None or control.area is None:
        raise ActionRejected(f"no text field has the focus; {_fields(scene)}")
    return control


def _fields(scene: Scene) -> str:
    names = [control.name for control in scene.controls[scene.modal :] if control.area is not None]
    return f"click one of these first, or give its place: {', '.join(names)}" if names else "none is on the screen"


def _press(state: WorldState, device: DeviceName, action: Press, look: Look) -> WorldState:
    keys = action.keys
    if device == "phone":
        wrong = [key for key in keys if key not in PHONE_KEYS and len(key) > 1]
        if wrong or len(keys) > 1:
            known = ", ".join(sorted(PHONE_KEYS))
            raise ActionRejected(f"this phone's keyboard has single keys: characters, {known}; not {'+'.join(keys)}")
    held = tuple(key for key in state.device(device).keys if key not in keys)
    for _ in range(action.repeat):
        state = keyboard.press(state, device, look(state), (*held, *keys))
    return state


def _key_down(state: WorldState, device: DeviceName, scene: Scene, keys: tuple[str, ...]) -> WorldState:
    held = (*state.device(device).keys, *(key for key in keys if key not in state.device(device).keys))
    modifiers = tuple(key for key in held if key in keyboard.MODIFIERS)
    others = tuple(key for key in keys if key not in keyboard.MODIFIERS)
    state = state.on(device, keys=held)
    return keyboard.press(state, device, scene, (*modifiers, *others)) if others else state


def _select(state: WorldState, device: DeviceName, scene: Scene, action: Select[Point]) -> WorldState:
    control = scene.hit(*action.at.to_pixel(state.device(device).size))
    if control is None or not control.options:
        names = [other.name for other in scene.controls if other.options]
        raise ActionRejected(f"there is no list of options at that place; there is {', '.join(names) or 'none'}")
    wanted = action.value.strip().lower()
    for text, do in control.options:
        if text.lower() == wanted:
            return do(state)
    raise ActionRejected(f"{control.name} has no {action.value!r}; it has {', '.join(t for t, _ in control.options)}")
