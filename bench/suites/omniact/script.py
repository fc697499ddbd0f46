"""OmniACT's scripts: conversion of verbs to lines of PyAutoGUI, and of recorded scripts to verbs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import cast

from omnipilot.envs import (
    Action,
    Click,
    Drag,
    KeyDown,
    KeyUp,
    LongPress,
    MouseDown,
    MouseMove,
    MouseUp,
    Point,
    Press,
    Scroll,
    Size,
    TypeText,
    Wait,
)
from omnipilot.envs.types import CONTROL_VERBS
from omnipilot.memory import MalformedReply
from omnipilot.planners.chat import parse_script

VERBS = frozenset(("click", "move", "drag", "scroll", "type", "press", "key_down", "key_up", "mouse_down", "mouse_up"))
"""What can be said in PyAutoGUI."""
BROKEN = "pyautogui"
"""A line that is no call: every variant counts it as an action that cannot be read, so that nothing matches it."""
_KEYS = {"meta": "command"}
_CLICKS = {
    ("left", 1): "click",
    ("left", 2): "doubleClick",
    ("left", 3): "tripleClick",
    ("middle", 1): "middleClick",
    ("right", 1): "rightClick",
}


def actions_of(script: str, size: Size) -> tuple[Action, ...] | None:
    """The verbs of a recorded script in order; None if it is not readable as calls with literal arguments."""
    try:
        return cast("tuple[Action, ...]", tuple(parse_script(script, size)))
    except MalformedReply:
        return None


def script_of(actions: Sequence[Action], size: Size, problem: str = "") -> str:
    """A script that performs the actions, one call per line.

    Places are pixels of the screenshot. Text that is typed at a place is a click and a `write`; emptying the field
    before and Enter after it are lines of their own. Done, Answer and Noop say nothing; what PyAutoGUI has no function
    for is a call of one that no recorded script has.

    Args:
        problem: why some of the moves could not be carried out; the script then has a line that matches nothing.
    """
    lines = [line for action in actions for line in _lines(action, size)]
    return "\n".join([*lines, *([BROKEN] if problem and lines else [])])


def respell(script: str, gold: str, size: Size) -> str:
    """Our script in the recorded script's spelling, for lines where both do the same.

    Verbs know one name for a key where PyAutoGUI has several (`command`, `win`), and no spaces between arguments,
    which some variants compare. Only scripts that we wrote from verbs are respelled, never a model's own text.
    """
    recorded = gold.split("\n")
    return "\n".join(
        recorded[number] if number < len(recorded) and _same(line, recorded[number], size) else line
        for number, line in enumerate(script.split("\n"))
    )


def _same(line: str, other: str, size: Size) -> bool:
    ours = actions_of(line, size)
    return bool(ours) and ours == actions_of(other, size)


def _lines(action: Action, size: Size) -> Iterator[str]:
    if isinstance(action, Click):
        yield from _click(action, size)
    elif isinstance(action, LongPress):
        yield _call("mouseDown", *_at(action.at, size))
        yield f"time.sleep({action.seconds:g})"
        yield _call("mouseUp", *_at(action.at, size))
    elif isinstance(action, MouseMove):
        yield _call("moveTo", *_at(action.at, size))
    elif isinstance(action, Drag):
        if action.start is not None:
            yield _call("moveTo", *_at(action.start, size))
        button = () if action.button == "left" else (f'button="{action.button}"',)
        for place in (*action.path, action.end):
            yield _call("dragTo", *_at(place, size), *button)
    elif isinstance(action, MouseDown | MouseUp):
        name = "mouseDown" if isinstance(action, MouseDown) else "mouseUp"
        yield _call(name, *_at(action.at, size), *(() if action.button == "left" else (f'button="{action.button}"',)))
    elif isinstance(action, Scroll):
        far = max(1, round(action.amount)) * (1 if action.direction in ("up", "right") else -1)
        yield _call("scroll" if action.direction in ("up", "down") else "hscroll", str(far))
    elif isinstance(action, TypeText):
        yield from _typed(action, size)
    elif isinstance(action, Press):
        yield _press(action)
    elif isinstance(action, KeyDown | KeyUp):
        for key in action.keys:
            yield _call("keyDown" if isinstance(action, KeyDown) else "keyUp", _key(key))
    elif isinstance(action, Wait):
        yield f"time.sleep({action.seconds:g})"
    elif action.kind not in CONTROL_VERBS:
        yield _call(action.kind)


def _click(action: Click[Point], size: Size) -> Iterator[str]:
    for key in action.modifiers:
        yield _call("keyDown", _key(key))
    name = _CLICKS.get((action.button, action.count))
    more = () if name else (f"clicks={action.count}", f'button="{action.button}"')
    yield _call(name or "click", *_at(action.at, size), *more)
    for key in reversed(action.modifiers):
        yield _call("keyUp", _key(key))


def _typed(action: TypeText[Point], size: Size) -> Iterator[str]:
    if action.at is not None:
        yield _call("click", *_at(action.at, size))
    if action.clear:
        yield _call("hotkey", _key("ctrl"), _key("a"))
        yield _call("press", _key("backspace"))
    yield _call("write", json.dumps(action.text, ensure_ascii=False))
    if action.submit:
        yield _call("press", _key("enter"))


def _press(action: Press) -> str:
    if len(action.keys) > 1:
        return _call("hotkey", *map(_key, action.keys))
    return _call("press", _key(action.keys[0]), *((f"presses={action.repeat}",) if action.repeat > 1 else ()))


def _at(place: Point | None, size: Size) -> tuple[str, ...]:
    if place is None:
        return ()
    # Rounding brings back the half pixels of recorded centres from their shares of the side.
    return tuple(f"{round(value, 3):.10g}" for value in place.to_pixels(size))


def _key(name: str) -> str:
    return json.dumps(_KEYS.get(name, name))


def _call(name: str, *arguments: str) -> str:
    return f"pyautogui.{name}({','.join(arguments)})"
