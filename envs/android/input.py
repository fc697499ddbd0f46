"""The verbs of a phone as shell commands of Android's `input`. Pixels are those of the display."""

from __future__ import annotations

import base64
import math
import re
import shlex
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from omnipilot.envs.android import keys
from omnipilot.envs.types import actions as a
from omnipilot.envs.types.errors import ActionRejected
from omnipilot.envs.types.geometry import Size

SWIPE_MS = 300
DRAG_MS = 1500
"""Milliseconds of a flick, and of a drag, which needs time to be taken for one."""
FLICK = 400 / 916
"""Share of a side that a swipe in a direction covers; the same as on the embedded phone."""
EDGE = 0.06
"""Share of a side next to the edges where fingers mean gestures of the system: back, home, notifications."""
STRETCH = 0.5
"""Maximum share of a side that one stroke scrolls; longer ways are scrolled in several."""
NOTCH = 64
"""Pixels of a display 411 wide that a notch scrolls, as Android scrolls for a wheel's (64 dp)."""
_WIDE = 411
SCROLL_MS_PER_PX = 2.0
"""Milliseconds a pixel of a scroll: slow enough that nothing is flung."""
PAGE = 0.9

API_DRAG, API_COMBINATION, API_MOTION = 24, 31, 30
"""Android API levels from which `input` has `draganddrop` (7), `keycombination` (12) and `motionevent` (11)."""

ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME"
U2_KEYBOARD = "com.github.uiautomator/.AdbKeyboard"
KEYBOARDS = {
    ADB_KEYBOARD: ("ADB_INPUT_B64", "msg"),
    U2_KEYBOARD: ("ADB_KEYBOARD_INPUT_TEXT", "text"),
}
"""Keyboards that type what a broadcast says: input method → action, and the name of the text's extra, in base64."""
_SELECTED = re.compile(r"^[\w.]+/[\w.$]+$")


def tap(at: tuple[int, int], count: int) -> str:
    """Taps at one place, in one shell line so that several are one double tap."""
    return "; ".join([f"input tap {at[0]} {at[1]}"] * count)


def long_press(at: tuple[int, int], seconds: float) -> str:
    """A press that stays where it is."""
    return swipe(at, at, round(seconds * 1000))


def swipe(start: tuple[int, int], end: tuple[int, int], ms: int) -> str:
    """A stroke of the finger."""
    return f"input swipe {start[0]} {start[1]} {end[0]} {end[1]} {ms}"


def drag(places: Sequence[tuple[int, int]], sdk: int) -> str:
    """A press, a hold, a way through the places, a release.

    Raises:
        ActionRejected: this Android version cannot drag through several places.
    """
    if len(places) == 2:
        (x1, y1), (x2, y2) = places
        if sdk and sdk < API_DRAG:
            return swipe(places[0], places[1], DRAG_MS)
        return f"input draganddrop {x1} {y1} {x2} {y2} {DRAG_MS}"
    if sdk and sdk < API_MOTION:
        raise ActionRejected("this phone drags from one place to another, not through several; leave out the path")
    lines = [f"input motionevent DOWN {places[0][0]} {places[0][1]}", "sleep 0.6"]
    for (x1, y1), (x2, y2) in pairwise(places):
        # A single leap is not taken for a drag.
        lines += [
            f"input motionevent MOVE {x1 + (x2 - x1) * step // 4} {y1 + (y2 - y1) * step // 4}" for step in range(1, 5)
        ]
    return "; ".join([*lines, f"input motionevent UP {places[-1][0]} {places[-1][1]}"])


def flick(action: a.Swipe[Any], start: tuple[int, int] | None, end: tuple[int, int] | None, display: Size) -> str:
    """A swipe: between two places, or in a direction, from a place or about the middle of the screen."""
    if end is not None and start is not None:
        return swipe(start, end, SWIPE_MS)
    dx, dy = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}[str(action.direction)]
    length = FLICK * (display.height if dy else display.width)
    if start is None:
        start = (round((display.width - dx * length) / 2), round((display.height - dy * length) / 2))
    end = (round(start[0] + dx * length), round(start[1] + dy * length))
    return swipe(_inside(start, display), _inside(end, display), SWIPE_MS)


def scroll(action: a.Scroll[Any], at: tuple[int, int], display: Size) -> list[str]:
    """Strokes that scroll by an amount: content moves against the direction, as the finger does."""
    across = action.direction in ("left", "right")
    side = display.width if across else display.height
    unit = {"notch": NOTCH * min(display.width, display.height) / _WIDE, "px": 1.0, "page": PAGE * side}[action.unit]
    rest = action.amount * unit
    strokes = max(1, math.ceil(rest / (STRETCH * side) - 1e-9))
    sign = 1 if action.direction in ("up", "left") else -1  # the finger moves against the direction
    lines = []
    for number in range(strokes):
        length = round(rest * (number + 1) / strokes) - round(rest * number / strokes)
        lines.append(_stroke(at, sign * length, across, display))
    return lines


def _stroke(at: tuple[int, int], length: int, across: bool, display: Size) -> str:
    """A slow stroke with its middle at a place, moved so that both ends are away from the edges."""
    side = display.width if across else display.height
    low, high = EDGE * side, (1 - EDGE) * side
    middle = min(max(at[0] if across else at[1], low + abs(length) / 2), high - abs(length) / 2)
    first, last = round(middle - length / 2), round(middle - length / 2) + length
    start, end = ((first, at[1]), (last, at[1])) if across else ((at[0], first), (at[0], last))
    return swipe(start, end, max(SWIPE_MS, round(abs(length) * SCROLL_MS_PER_PX)))


def _inside(place: tuple[int, int], display: Size) -> tuple[int, int]:
    """The nearest place away from the edges."""
    (x, y), w, h = place, display.width, display.height
    return (
        round(min(max(x, EDGE * w), (1 - EDGE) * w)),
        round(min(max(y, EDGE * h), (1 - EDGE) * h)),
    )


def press(action: a.Press, sdk: int) -> str:
    """Keys, pressed together, so many times.

    Raises:
        ActionRejected: Android has no such key, or this version cannot press several keys at once or hold them.
    """
    codes = [keys.key_code(name) for name in action.keys]
    if len(codes) > 1:
        if sdk and sdk < API_COMBINATION:
            raise ActionRejected("this phone presses one key at a time; combinations need Android 12")
        if action.seconds is not None:
            raise ActionRejected("this phone cannot hold several keys; leave out the seconds")
        return "; ".join([f"input keycombination {' '.join(map(str, codes))}"] * action.repeat)
    if action.seconds is not None:
        return "; ".join([f"input keyevent --longpress {codes[0]}"] * action.repeat)
    return f"input keyevent {' '.join(map(str, codes * action.repeat))}"


def clear(length: int | None, sdk: int) -> str:
    """Empty the field that has the focus.

    Args:
        length: number of characters in it, None if that is not known.
    """
    if sdk >= API_COMBINATION:
        return f"input keycombination {keys.CTRL} {keys.A}; input keyevent {keys.DELETE}"
    count = 200 if length is None else length
    deletes = " ".join([str(keys.DELETE)] * count)
    return f"input keyevent {keys.MOVE_END}" + (f"; input keyevent {deletes}" if count else "")


def broadcast(keyboard: str, text: str) -> str:
    """The broadcast by which one of `KEYBOARDS` types a text."""
    action, extra = KEYBOARDS[keyboard]
    return f"am broadcast -a {action} --es {extra} {shlex.quote(base64.b64encode(text.encode()).decode())}"


def parse_keyboards(text: str) -> tuple[str, ...]:
    """Those of `KEYBOARDS` that are installed, from `ime list -s -a`; the best one first."""
    listed = {line.strip() for line in text.splitlines()}
    return tuple(keyboard for keyboard in KEYBOARDS if keyboard in listed)


def parse_keyboard(text: str) -> str:
    """The input method from `settings get secure default_input_method`; "" if there is none ("null")."""
    line = text.strip()
    return line if _SELECTED.match(line) else ""
