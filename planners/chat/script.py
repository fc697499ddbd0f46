"""PyAutoGUI scripts as in OmniACT, parsed into verbs. Scripts are never executed.

Source: the action space of OmniACT (arXiv 2402.17553); PyAutoGUI's documentation for the meaning of each call.
"""

from __future__ import annotations

from omnipilot.envs import Done, Intent, Point, Size
from omnipilot.envs.types import Frame
from omnipilot.memory.models.replies import parse_calls
from omnipilot.planners.native.actions_pointing import cursor_after
from omnipilot.planners.native.actions_text import always, answer
from omnipilot.planners.native.arguments import NativeAction
from omnipilot.planners.native.family import perform
from omnipilot.planners.native.pyautogui import IGNORES, PYAUTOGUI, add_prefix

ALLOWED: dict[str, NativeAction] = {**PYAUTOGUI, **add_prefix("pyautogui", PYAUTOGUI), "time.sleep": PYAUTOGUI["sleep"]}
"""Calls allowed in a script, by lower-case name."""
ENDS: dict[str, NativeAction] = {
    "done": always(Done("success")),
    "fail": always(Done("failure")),
    "answer": answer("text"),
}
"""Additional calls allowed when the model is asked for a script on each turn."""


def parse_script(text: str, size: Size, cursor: Point | None = None, ends: bool = False) -> list[Intent]:
    """The verbs of a script, in order.

    Coordinates are screenshot pixels. `click()` clicks at the cursor; `dragTo` drags from there; `scroll`
    scrolls there, if the cursor position is known.

    Args:
        size: of the screenshot, in pixels. cursor: position of the pointer, if known.
        ends: `done()`, `fail()` and `answer("…")` are allowed too.

    Returns:
        An empty list for a script without calls.

    Raises:
        MalformedReply: the script has anything but allowed calls with literal arguments; the message names the line.
    """
    allowed = {**ALLOWED, **ENDS} if ends else ALLOWED
    frame = Frame(size, size, "abs_resized")
    found: list[Intent] = []
    for call in parse_calls(text):
        for intent in perform(call, allowed, IGNORES, frame, cursor):
            found.append(intent)
            cursor = cursor_after(intent, cursor)
    return found
