"""Sample actions of every verb for testing an environment: ordinary ones, and ones at the edges of the screen."""

from __future__ import annotations

from omnipilot.envs.types.actions import (
    Action,
    Browser,
    Click,
    Custom,
    Drag,
    KeyDown,
    KeyUp,
    LongPress,
    MouseDown,
    MouseMove,
    MouseUp,
    OpenApp,
    OpenUrl,
    Press,
    Scroll,
    Select,
    Swipe,
    System,
    TypeText,
)
from omnipilot.envs.types.geometry import Point

_MIDDLE, _FIRST, _LAST = Point(0.5, 0.5), Point(0, 0), Point(1, 1)

SAMPLES: dict[str, tuple[Action, ...]] = {
    "click": (Click(_MIDDLE), Click(_LAST, count=2), Click(_FIRST, "right"), Click()),
    "long_press": (LongPress(_MIDDLE, 0.2),),
    "move": (MouseMove(_MIDDLE), MouseMove(_LAST)),
    "mouse_down": (MouseDown(_MIDDLE),),
    "mouse_up": (MouseUp(),),
    "drag": (Drag(_LAST, _MIDDLE, (_FIRST,)),),
    "swipe": (Swipe("up"), Swipe(start=_MIDDLE, end=_FIRST)),
    "scroll": (Scroll("down"), Scroll("up", _LAST, 1, "page")),
    "type": (TypeText("a"), TypeText("Zoë\t漢\n", _MIDDLE, clear=True), TypeText("")),
    "select": (Select(_MIDDLE, "no such option"),),
    "press": (Press(("a",)), Press(("ctrl", "a"), repeat=2)),
    "key_down": (KeyDown(("shift",)),),
    "key_up": (KeyUp(("shift",)),),
    "system": (System("back"), System("home")),
    "open_app": (OpenApp("no such app"),),
    "open_url": (OpenUrl("about:blank"), OpenUrl("no address")),
    "browser": (Browser("back"), Browser("focus_tab", 999)),
    "custom": (Custom("no_such_verb"),),
}
"""Sample actions by kind; none for control verbs, which never reach an environment."""
