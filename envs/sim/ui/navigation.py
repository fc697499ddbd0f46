"""Navigation between views, apps and windows: pure steps used as actions of controls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce

from omnipilot.envs.sim.render.theme import TASK_BAR
from omnipilot.envs.sim.state.world_state import DeviceName, DeviceState, Value, View, Window, WorldState
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.types.geometry import Size


def both(*steps: Do) -> Do:
    """Apply several steps in order."""
    return lambda state: reduce(lambda done, step: step(done), steps, state)


def remember(device: DeviceName, key: str, value: Value) -> Do:
    """Store a value in the app's UI state."""
    return lambda state: state.on(device, values=state.device(device).values.set(key, value))


def forget(device: DeviceName, *prefixes: str) -> Do:
    """Drop drafts, scroll offsets and values whose key starts with one of the prefixes."""

    def do(state: WorldState) -> WorldState:
        record = state.device(device)

        def matches(key: str) -> bool:
            return key.startswith(prefixes)

        focus = "" if matches(record.focus) else record.focus
        return state.on(
            device,
            fields=record.fields.without(matches),
            scrolls=record.scrolls.without(matches),
            values=record.values.without(matches),
            focus=focus,
        )

    return do


def focus(device: DeviceName, id: str) -> Do:
    """Focus a text field."""
    return lambda state: state.on(device, focus=id)


def _stack(device: DeviceName, app: str, change: Callable[[tuple[View, ...]], tuple[View, ...]]) -> Do:
    def do(state: WorldState) -> WorldState:
        windows = tuple(
            replace(window, stack=change(window.stack)) if window.app == app else window
            for window in state.device(device).windows
        )
        return state.on(device, windows=windows, focus="")

    return do


def go(device: DeviceName, app: str, view: str, arg: str = "") -> Do:
    """Push a view of an app, from which Back returns."""
    return _stack(device, app, lambda stack: (*stack, View(view, arg)))


def show(device: DeviceName, app: str, view: str, arg: str = "") -> Do:
    """Replace the current view."""
    return _stack(device, app, lambda stack: (*stack[:-1], View(view, arg)))


def arrive(device: DeviceName, app: str, *stack: View) -> Do:
    """Replace an app's view stack; the last view is shown."""
    return _stack(device, app, lambda _: stack)


def back(device: DeviceName, app: str) -> Do:
    """Go back one view, dropping drafts (ids that start with app/view/). From the first view, go home."""

    def do(state: WorldState) -> WorldState:
        window = state.device(device).window(app)
        if window is None:
            return state
        if len(window.stack) == 1:
            return state.on(device, home=True, focus="")
        state = forget(device, f"{app}/{window.view.name}/")(state)
        return _stack(device, app, lambda stack: stack[:-1])(state)

    return do


def home(state: WorldState) -> WorldState:
    """Show the phone's home screen."""
    return state.on("phone", home=True, focus="", popup=None)


def open_window(device: DeviceName, app: str, first: str, at: tuple[int, int, int, int]) -> Do:
    """Bring an app to the front as it was left; start it with its first view if it is not running."""

    def do(state: WorldState) -> WorldState:
        record = state.device(device)
        window = record.window(app) or Window(
            app, (View(first),), *(_within(record.size, at) if device == "desktop" else at)
        )
        focus = record.focus if record.front is not None and record.front.app == app else ""
        windows = (*(other for other in record.windows if other.app != app), replace(window, hidden=False))
        return state.on(device, windows=windows, home=False, focus=focus, popup=None, launcher=False, hovering=False)

    return do


def _within(size: Size, at: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """A window's place on a desktop of this size: moved, and made smaller, as far as it would not fit."""
    x, y, w, h = at
    w, h = min(w, size.width), min(h, size.height - TASK_BAR)
    return min(x, size.width - w), min(y, size.height - TASK_BAR - h), w, h


def raise_window(device: DeviceName, app: str) -> Do:
    """Bring a running app's window to the front."""
    return open_window(device, app, "", (0, 0, 0, 0))


def hide_window(app: str) -> Do:
    """Minimise a window of the desktop."""

    def do(state: WorldState) -> WorldState:
        windows = state.desktop.windows
        hidden = (*(replace(w, hidden=True) for w in windows if w.app == app), *(w for w in windows if w.app != app))
        return state.on("desktop", windows=hidden, focus="")

    return do


def close_window(app: str) -> Do:
    """Close a window of the desktop and drop its drafts."""

    def do(state: WorldState) -> WorldState:
        state = forget("desktop", f"{app}/")(state)
        return state.on("desktop", windows=tuple(w for w in state.desktop.windows if w.app != app), focus="")

    return do


def move_window(state: WorldState, app: str, dx: int, dy: int) -> WorldState:
    """Move a window of the desktop, keeping part of its title bar on the screen."""
    device: DeviceState = state.desktop
    windows = tuple(
        replace(
            window,
            x=min(max(window.x + dx, 120 - window.w), device.size.width - 120),
            y=min(max(window.y + dy, 0), device.size.height - 96),
        )
        if window.app == app
        else window
        for window in device.windows
    )
    return state.on("desktop", windows=windows)
