"""Scripts of PyAutoGUI as OmniACT has them, read into verbs. Nothing of a script is ever run.

Source: OmniACT (arXiv 2402.17553), its action space; PyAutoGUI's documentation for the meaning of each call.
"""

from __future__ import annotations

from omnipilot.envs import Done, Intent, Point, Size
from omnipilot.envs.types import Frame
from omnipilot.memory.models.replies.python_calls import calls
from omnipilot.planners.native.actions_pointing import cursor_after
from omnipilot.planners.native.actions_text import always, answer
from omnipilot.planners.native.arguments import NativeAction
from omnipilot.planners.native.family import perform
from omnipilot.planners.native.pyautogui import IGNORES, PYAUTOGUI, prefixed

ALLOWED: dict[str, NativeAction] = {**PYAUTOGUI, **prefixed("pyautogui", PYAUTOGUI), "time.sleep": PYAUTOGUI["sleep"]}
"""What a script may call, by lower-case name."""
ENDS: dict[str, NativeAction] = {
    "done": always(Done("success")),
    "fail": always(Done("failure")),
    "answer": answer("text"),
}
"""What a script may call beside, where it is asked for one turn after the other."""


def parse_script(text: str, size: Size, cursor: Point | None = None, ends: bool = False) -> list[Intent]:
    """The verbs of a script, in order.

    Coordinates are pixels of the screenshot. `click()` is a click at the cursor; `dragTo` drags from there; `scroll`
    scrolls there, as far as the script says where that is.

    Args:
        size: of the screenshot, in pixels. cursor: where the pointer is, if that is known.
        ends: `done()`, `fail()` and `answer("…")` are allowed too.

    Returns:
        no verbs for a script without calls.

    Raises:
        MalformedReply: anything but allowed calls with literal arguments; the message names the line.
    """
    allowed = {**ALLOWED, **ENDS} if ends else ALLOWED
    frame = Frame(size, size, "abs_resized")
    found: list[Intent] = []
    for call in calls(text):
        for intent in perform(call, allowed, IGNORES, frame, cursor):
            found.append(intent)
            cursor = cursor_after(intent, cursor)
    return found
