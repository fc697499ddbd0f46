"""One action of an OmniACT script, and scripts parsed as Python.

Nothing runs: `memory.models.replies.python_calls` reads calls with literal arguments and refuses everything else.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from omnipilot.memory import MalformedReply
from omnipilot.memory.models.replies import Call, parse_calls

PREFIX = "pyautogui"
MOUSE = frozenset(("click", "rightclick", "doubleclick", "moveto", "dragto"))
"""The functions with a click penalty (OmniACT, §4.2), in lower case."""
KEYS = frozenset(("press", "hotkey"))
"""The functions with a key penalty."""
UNREADABLE = "?"
"""The name of a line that is no call; it equals no function's."""


@dataclass(frozen=True, slots=True)
class Act:
    """One call in a script. Fields that the function does not have, or that are unreadable, are None.

    Attributes:
        name: the function, without `pyautogui.`.
        point: in pixels of the screenshot. keys: of press and hotkey. text: to be written.
    """

    name: str
    point: tuple[float, float] | None = None
    keys: frozenset[str] | None = None
    text: str | None = None


def read_calls(script: str) -> tuple[Act, ...]:
    """The `pyautogui` calls of a script in order, parsed as Python: as a whole if possible, otherwise line by line.

    Line by line, a line that does not begin with `pyautogui` is prose and says nothing; one that does and is no call
    with literal arguments is an Act named `UNREADABLE`.
    """
    try:
        found = parse_calls(script)
    except MalformedReply:
        return tuple(act for line in script.split("\n") for act in _line(line.strip()))
    return tuple(_act(call) for call in found if call.name.startswith(PREFIX + "."))


def _line(line: str) -> Iterator[Act]:
    if not line.startswith(PREFIX):
        return
    try:
        found = parse_calls(line)
    except MalformedReply:
        found = []
    if not found:
        yield Act(UNREADABLE)
    yield from (_act(call) for call in found)


def _act(call: Call) -> Act:
    name = call.name.removeprefix(PREFIX + ".")
    kind = name.lower()
    if kind in MOUSE:
        return Act(name, point=_point(call))
    if kind in KEYS:
        return Act(name, keys=_keys(call))
    if kind == "write":
        text = call.args[0] if call.args else call.named.get("message")
        return Act(name, text=text if isinstance(text, str) else None)
    return Act(name)


def _point(call: Call) -> tuple[float, float] | None:
    """`(x, y)`, `x=…, y=…` or one pair; None for anything else, such as the cursor position."""
    args: list[Any] = list(call.args)
    if args and isinstance(args[0], list):
        args[:1] = args[0]
    named = [call.named[axis] for axis in ("x", "y")[min(len(args), 2) :] if axis in call.named]
    pair = (args[:2] + named)[:2]
    if len(pair) < 2 or any(isinstance(n, bool) or not isinstance(n, int | float) for n in pair):
        return None
    try:
        x, y = map(float, pair)
    except OverflowError:
        return None
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None


def _keys(call: Call) -> frozenset[str] | None:
    given: list[Any] = list(call.args) or [call.named[name] for name in ("keys", "args") if name in call.named]
    flat = [key for one in given for key in (one if isinstance(one, list) else [one])]
    keys = frozenset(key.strip().lower() for key in flat if isinstance(key, str))
    return keys or None
