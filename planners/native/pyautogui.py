"""The vocabulary of PyAutoGUI, for scripts and for the models that write it."""

from __future__ import annotations

from collections.abc import Iterable

from omnipilot.envs import Click, Drag, Intent, MouseDown, MouseMove, MouseUp, Point, Press
from omnipilot.envs.types.actions import Button
from omnipilot.planners.native.actions_pointing import scroll_by, spread
from omnipilot.planners.native.actions_text import key_down, key_up, type_intents, wait
from omnipilot.planners.native.arguments import Arguments, NativeAction

BUTTONS: dict[str, Button] = {
    "left": "left",
    "middle": "middle",
    "right": "right",
    "primary": "left",
    "secondary": "right",
}
IGNORES = frozenset(("interval", "duration", "tween", "logScreenshot", "_pause", "pause"))
"""Arguments that affect only PyAutoGUI's speed."""
AT = "x/y"


def clicks(button: Button = "left", count: int = 1) -> NativeAction:
    """click(x, y, clicks, interval, button, duration) and the like; at the cursor if no place is given."""

    def make(a: Arguments) -> Iterable[Intent]:
        pressed = a.option("button", options=BUTTONS, default=button)
        return [Click(a.point_or_none(AT), pressed, a.whole("clicks", default=count))]

    return NativeAction(("x", "y", "clicks", "interval", "button", "duration"), make)


def fixed_clicks(button: Button, count: int) -> NativeAction:
    """doubleClick(x, y, interval, button, duration), rightClick(x, y, interval, duration) and the like."""

    def make(a: Arguments) -> Iterable[Intent]:
        return [Click(a.point_or_none(AT), a.option("button", options=BUTTONS, default=button), count)]

    return NativeAction(("x", "y", "interval", "button", "duration"), make)


def _move_to(a: Arguments) -> Iterable[Intent]:
    return [MouseMove(a.point(AT))]


def _move_by(a: Arguments) -> Iterable[Intent]:
    return [MouseMove(_beside_cursor(a))]


def _drag_to(a: Arguments) -> Iterable[Intent]:
    return [Drag(a.point(AT), button=a.option("button", options=BUTTONS, default="left"))]


def _drag_by(a: Arguments) -> Iterable[Intent]:
    return [Drag(_beside_cursor(a), button=a.option("button", options=BUTTONS, default="left"))]


def _beside_cursor(a: Arguments) -> Point:
    if a.cursor is None:
        a.bad("where the cursor is is not known yet; name the place itself")
    x, y = a.frame.from_point(a.cursor)
    return a.place_at(x + a.number("xOffset", default=0.0), y + a.number("yOffset", default=0.0))


def _scroll(across: bool) -> NativeAction:
    def make(a: Arguments) -> Iterable[Intent]:
        if a.raw("page") is not None:
            return scroll_by(a, a.number("page"), a.point_or_none(AT), "page", across)
        return scroll_by(a, a.number("clicks", "amount"), a.point_or_none(AT), "notch", across)

    return NativeAction(("clicks", *spread(AT), "page", "amount"), make)


def _write(a: Arguments) -> Iterable[Intent]:
    value = a.raw("message", "text")
    if isinstance(value, list | tuple):
        return [Press(keys) for keys in a.key_list("message", "text")]
    return type_intents(a.text("message", "text"))


def _press(a: Arguments) -> Iterable[Intent]:
    presses = a.whole("presses", default=1)
    return [Press(keys, presses) for keys in a.key_list("keys", "key")]


_MORE = tuple(f"key {number}" for number in range(2, 9))


def _hotkey(a: Arguments) -> Iterable[Intent]:
    more = [key for name in _MORE if a.raw(name) is not None for key in a.keys(name)]
    return [Press((*a.keys("keys", "args"), *more))]


PYAUTOGUI = {
    "click": clicks(),
    "leftclick": fixed_clicks("left", 1),
    "rightclick": fixed_clicks("right", 1),
    "middleclick": fixed_clicks("middle", 1),
    "doubleclick": fixed_clicks("left", 2),
    "tripleclick": fixed_clicks("left", 3),
    "moveto": NativeAction(("x", "y", "duration"), _move_to),
    "move": NativeAction(("xOffset", "yOffset", "duration"), _move_by),
    "moverel": NativeAction(("xOffset", "yOffset", "duration"), _move_by),
    "dragto": NativeAction(("x", "y", "duration", "tween", "button"), _drag_to),
    "drag": NativeAction(("xOffset", "yOffset", "duration", "tween", "button"), _drag_by),
    "dragrel": NativeAction(("xOffset", "yOffset", "duration", "tween", "button"), _drag_by),
    "scroll": _scroll(across=False),
    "vscroll": _scroll(across=False),
    "hscroll": _scroll(across=True),
    "write": NativeAction(("message", "interval", "text"), _write),
    "typewrite": NativeAction(("message", "interval", "text"), _write),
    "press": NativeAction(("keys", "presses", "interval", "key"), _press),
    "hotkey": NativeAction(("keys", *_MORE, "args"), _hotkey),
    "keydown": key_down("key"),
    "keyup": key_up("key"),
    "mousedown": NativeAction(
        ("x", "y", "button"),
        lambda a: [MouseDown(a.point_or_none(AT), a.option("button", options=BUTTONS, default="left"))],
    ),
    "mouseup": NativeAction(
        ("x", "y", "button"),
        lambda a: [MouseUp(a.point_or_none(AT), a.option("button", options=BUTTONS, default="left"))],
    ),
    "sleep": wait("seconds"),
}
"""By lower-case name without `pyautogui.`; a positive amount scrolls up, or right, in notches."""


def add_prefix(prefix: str, actions: dict[str, NativeAction]) -> dict[str, NativeAction]:
    """A vocabulary with prefixed names, such as `pyautogui.click`."""
    return {f"{prefix}.{name}": action for name, action in actions.items()}
