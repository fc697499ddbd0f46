"""Actions as lines of Python for pyautogui, which is how OSWorld's and WindowsAgentArena's servers are operated.

Each action is one line, and each line is sent once. Nothing of an action becomes code: numbers are written as whole
numbers, texts and keys as Python literals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

from omnipilot.envs.desktop.input import NOTCH, PAGE
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
    Press,
    Scroll,
    TypeText,
)
from omnipilot.envs.types.errors import ActionRejected
from omnipilot.envs.types.geometry import Point, Size

Platform: TypeAlias = Literal["linux", "windows", "macos"]

VERBS = frozenset("click long_press move mouse_down mouse_up drag scroll type press key_down key_up".split())
PREFIX = "import pyautogui; import time; pyautogui.FAILSAFE = False; "
"""As OSWorld's own client begins each line."""
CLIPBOARD = "pyperclip"
"""The module that puts text on the clipboard; pyautogui brings it."""
TYPED = (frozenset(map(chr, range(32, 127))) | {"\n", "\t"}) - {"<"}
"""Characters that pyautogui types on every platform; with X11 it types ">" for "<"."""
SECONDS_A_CHARACTER = 0.01
DRAG_SECONDS = 0.3
_WHEEL: Mapping[Platform, int] = {"linux": 1, "windows": 120, "macos": 1}
"""What pyautogui's `scroll` calls one notch."""
_KEYS = {
    "meta": {"linux": "win", "windows": "win", "macos": "command"},
    "alt": {"macos": "option"},
    "menu": dict.fromkeys(("linux", "windows"), "apps"),
}
"""Keys whose names in pyautogui are not ours."""


def line_for(action: Action, screen: Size, platform: Platform) -> str:
    """The line for an action, without `PREFIX`.

    Args:
        screen: in pyautogui's units.

    Raises:
        ActionRejected: pyautogui cannot do that.
    """
    writer = _Writer(screen, platform)
    write: Callable[[Any], str] | None = getattr(writer, action.kind, None)
    if action.kind not in VERBS or write is None:
        raise ActionRejected(f"this machine cannot {action.kind}; it can: {', '.join(sorted(VERBS))}")
    return write(action)


class _Writer:
    def __init__(self, screen: Size, platform: Platform) -> None:
        self._screen = screen
        self._platform: Platform = platform

    def click(self, action: Click[Point]) -> str:
        if action.button in ("back", "forward"):
            raise ActionRejected(f"pyautogui has the buttons left, middle and right, not {action.button}")
        place = self._place(action.at)
        click = f"pyautogui.click({place}clicks={action.count}, interval=0.05, button={action.button!r})"
        down = [f"pyautogui.keyDown({self._key(key)})" for key in action.modifiers]
        up = [f"pyautogui.keyUp({self._key(key)})" for key in reversed(action.modifiers)]
        return "; ".join((*down, click, *up))

    def long_press(self, action: LongPress[Point]) -> str:
        return f"{self._move(action.at)}; pyautogui.mouseDown(); time.sleep({action.seconds!r}); pyautogui.mouseUp()"

    def move(self, action: MouseMove[Point]) -> str:
        return self._move(action.at)

    def mouse_down(self, action: MouseDown[Point]) -> str:
        return f"pyautogui.mouseDown({self._place(action.at)}button={action.button!r})"

    def mouse_up(self, action: MouseUp[Point]) -> str:
        return f"pyautogui.mouseUp({self._place(action.at)}button={action.button!r})"

    def drag(self, action: Drag[Point]) -> str:
        start = [self._move(action.start)] if action.start is not None else []
        way = [self._move(point, DRAG_SECONDS) for point in (*action.path, action.end)]
        press, let_go = (f"pyautogui.mouse{what}(button={action.button!r})" for what in ("Down", "Up"))
        return "; ".join((*start, press, *way, let_go))

    def scroll(self, action: Scroll[Point]) -> str:
        flat = action.direction in ("left", "right")
        notches = action.amount
        if action.unit == "px":
            notches /= NOTCH
        elif action.unit == "page":
            notches *= PAGE * (self._screen.width if flat else self._screen.height) / NOTCH
        amount = max(1, round(notches)) * (1 if flat else _WHEEL[self._platform])
        sign = "" if action.direction in ("up", "right") else "-"
        place = self._place(action.at or Point(0.5, 0.5)).rstrip(", ")
        return f"pyautogui.{'hscroll' if flat else 'scroll'}({sign}{amount}, {place})"

    def type(self, action: TypeText[Point]) -> str:
        control = "'command'" if self._platform == "macos" else "'ctrl'"
        steps = []
        pasted = not TYPED.issuperset(action.text)
        if pasted:
            # Done first: where there is no clipboard, nothing has happened yet.
            steps.append(f"import {CLIPBOARD}; {CLIPBOARD}.copy({action.text!r})")
        if action.at is not None:
            steps.append(f"pyautogui.click({self._place(action.at).rstrip(', ')})")
        if action.clear:
            steps += [f"pyautogui.hotkey({control}, 'a')", "pyautogui.press('backspace')"]
        if pasted:
            steps.append(f"pyautogui.hotkey({control}, 'v')")
        elif action.text:
            steps.append(f"pyautogui.write({action.text!r}, interval={SECONDS_A_CHARACTER})")
        if action.submit:
            steps.append("pyautogui.press('enter')")
        return "; ".join(steps) or "pass"

    def press(self, action: Press) -> str:
        keys = [self._key(key) for key in action.keys]
        if action.seconds is not None:
            down = [f"pyautogui.keyDown({key})" for key in keys]
            up = [f"pyautogui.keyUp({key})" for key in reversed(keys)]
            return "; ".join(("; ".join((*down, f"time.sleep({action.seconds!r})", *up)),) * action.repeat)
        return "; ".join([f"pyautogui.hotkey({', '.join(keys)})"] * action.repeat)

    def key_down(self, action: KeyDown) -> str:
        return "; ".join(f"pyautogui.keyDown({self._key(key)})" for key in action.keys)

    def key_up(self, action: KeyUp) -> str:
        return "; ".join(f"pyautogui.keyUp({self._key(key)})" for key in action.keys)

    def _key(self, key: str) -> str:
        if len(key) == 1 and not (key.isascii() and key.isprintable()):
            raise ActionRejected(f"this machine has no key {key!r}; use type for such characters")
        return repr(_KEYS.get(key, {}).get(self._platform, key))

    def _place(self, point: Point | None) -> str:
        if point is None:
            return ""
        x, y = point.to_pixel(self._screen)
        return f"{x}, {y}, "

    def _move(self, point: Point, seconds: float = 0.0) -> str:
        assert math.isfinite(seconds)
        return f"pyautogui.moveTo({self._place(point)}{seconds!r})"
