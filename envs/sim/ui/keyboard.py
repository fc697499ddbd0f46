"""Keyboard input: shortcuts, editing, moving the focus, scrolling. Pure functions from state to state."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.sim.state.world_state import DeviceName, Field, WorldState
from omnipilot.envs.sim.ui import text_editing as edit
from omnipilot.envs.sim.ui.scene import Control, Scene, Scroller, TextArea

MODIFIERS = ("ctrl", "alt", "shift", "meta")


def keep(state: WorldState, device: DeviceName, control: Control, field: Field) -> WorldState:
    """Set a text field's draft to `field`."""
    assert control.area is not None
    record = state.device(device)
    edited = field.text != control.area.draft.text
    scrolls = record.scrolls.without(control.id) if edited else record.scrolls
    state = state.on(device, fields=record.fields.set(control.id, field), scrolls=scrolls)
    return control.area.changed(state, field.text) if edited and control.area.changed else state


def write(state: WorldState, device: DeviceName, control: Control, text: str) -> WorldState:
    """Insert text into a field at its caret; a single-line field takes no line breaks."""
    assert control.area is not None
    if not control.area.many:
        text = text.replace("\n", " ")
    return keep(state, device, control, edit.insert(control.area.draft, text))


def enter(state: WorldState, device: DeviceName, control: Control) -> WorldState:
    """Press Enter in a field: submit it, or start a new line if it is multi-line."""
    assert control.area is not None
    if control.area.submit is not None:
        return control.area.submit(state)
    return write(state, device, control, "\n") if control.area.many else state


def press(state: WorldState, device: DeviceName, scene: Scene, keys: tuple[str, ...]) -> WorldState:
    """Press a key combination once."""
    held = tuple(key for key in MODIFIERS if key in keys)
    others = [key for key in keys if key not in MODIFIERS]
    if not others:
        return state
    for key in others:
        shortcut = scene.shortcuts.get("+".join((*held, key)))
        if shortcut is not None:
            state = shortcut(state)
            continue
        focused = scene.focused(state.device(device).focus)
        state = _press(state, device, scene, focused, key, frozenset(held))
    return state


def _press(
    state: WorldState, device: DeviceName, scene: Scene, focused: Control | None, key: str, held: frozenset[str]
) -> WorldState:
    if key == "tab":
        return _next_focus(state, device, scene, -1 if "shift" in held else 1)
    if focused is not None and focused.area is not None:
        if "ctrl" in held or "meta" in held:
            return _command(state, device, focused, key, held)
        if key == "enter":
            return write(state, device, focused, "\n") if held else enter(state, device, focused)
        text = " " if key == "space" else key if len(key) == 1 else ""
        if text and "alt" not in held:
            return write(state, device, focused, text.upper() if "shift" in held else text)
        moved = _moved(focused.area, key, "shift" in held, word=False)
        if moved is not None:
            return keep(state, device, focused, moved)
    elif focused is not None and key in ("enter", "space") and focused.tap is not None and focused.enabled:
        return focused.tap(state)
    elif focused is not None and key in focused.keys and focused.enabled and not held:
        return focused.keys[key](state)
    return _scrolled(state, device, scene, key)


def _command(state: WorldState, device: DeviceName, control: Control, key: str, held: frozenset[str]) -> WorldState:
    assert control.area is not None
    field = control.area.draft
    if key == "a":
        return keep(state, device, control, edit.select_all(field))
    if key in ("c", "x") and edit.selected_text(field):
        state = state.on(device, clipboard=edit.selected_text(field))
        return keep(state, device, control, edit.insert(field, "")) if key == "x" else state
    if key == "v":
        return write(state, device, control, state.device(device).clipboard)
    moved = _moved(control.area, key, "shift" in held, word=True)
    return state if moved is None else keep(state, device, control, moved)


def _moved(area: TextArea, key: str, extend: bool, word: bool) -> Field | None:
    """The draft after an editing or arrow key; None if the key has no effect in a field."""
    field = area.draft
    if key in ("backspace", "delete"):
        forward = key == "delete"
        if word and field.caret == field.anchor:
            field = edit.place(field, edit.word_step(field, forward), extend=True)
        return edit.erase(field, forward)
    start, end = edit.selection(field)
    if key in ("left", "right"):
        forward = key == "right"
        if word:
            return edit.place(field, edit.word_step(field, forward), extend)
        if start != end and not extend:
            return edit.place(field, end if forward else start)
        return edit.place(field, field.caret + (1 if forward else -1), extend)
    if key in ("up", "down") and area.many:
        return edit.place(field, area.step(1 if key == "down" else -1), extend)
    if key == "home":
        return edit.place(field, 0 if word else field.text.rfind("\n", 0, field.caret) + 1, extend)
    if key == "end":
        line_end = field.text.find("\n", field.caret)
        return edit.place(field, len(field.text) if word or line_end < 0 else line_end, extend)
    return None


def _next_focus(state: WorldState, device: DeviceName, scene: Scene, step: int) -> WorldState:
    front = state.device(device).front
    name = front.app if front is not None else ""
    live = [control for control in scene.controls[scene.modal :] if control.enabled and control.window in (name, "")]
    stops = [control.id for control in live if control.id and (control.area or control.tap or control.keys)]
    if not stops:
        return state
    now = state.device(device).focus
    if now not in stops:
        return state.on(device, focus=stops[0 if step > 0 else -1])
    return state.on(device, focus=stops[(stops.index(now) + step) % len(stops)])


def _scrolled(state: WorldState, device: DeviceName, scene: Scene, key: str) -> WorldState:
    front = state.device(device).front
    mine = [s for s in scene.scrollers if s.most > 0 and front is not None and s.window == front.app]
    if not mine:
        return state
    largest = max(mine, key=lambda s: (s.rect[2] - s.rect[0]) * (s.rect[3] - s.rect[1]))
    page = (largest.rect[3] - largest.rect[1]) * 9 // 10
    steps = {"pagedown": page, "pageup": -page, "down": 40, "up": -40, "end": largest.most, "home": -largest.most}
    return scroll(state, device, largest, steps[key]) if key in steps else state


def scroll(state: WorldState, device: DeviceName, scroller: Scroller, by: int) -> WorldState:
    """Scroll a container by some pixels, within its limits; down is positive."""
    offset = min(max(scroller.offset + by, 0), scroller.most)
    if offset == scroller.offset:
        return state
    return state.on(device, scrolls=state.device(device).scrolls.set(scroller.id, offset))


def clear(state: WorldState, device: DeviceName, control: Control) -> WorldState:
    """Clear a text field."""
    return keep(state, device, control, replace(Field()))
