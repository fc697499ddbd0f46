"""How long each verb takes on the world's clock, in seconds; events due in the meantime happen in order."""

from __future__ import annotations

from typing import Any

from omnipilot.envs.types.actions import Click, Drag, LongPress, Press, TypeText

SECONDS: dict[str, float] = {
    "click": 0.3,
    "long_press": 0.2,
    "move": 0.1,
    "mouse_down": 0.1,
    "mouse_up": 0.1,
    "drag": 0.6,
    "swipe": 0.5,
    "scroll": 0.3,
    "type": 0.2,
    "press": 0.1,
    "key_down": 0.05,
    "key_up": 0.05,
    "system": 0.4,
    "open_app": 0.8,
    "select": 0.5,
    "custom": 0.2,
}
PER_CHARACTER = 0.05
PER_EXTRA = 0.1


def duration(action: Any) -> float:
    """Seconds that an action takes: its verb's, plus more for each further click, key press or typed character."""
    seconds = SECONDS[action.kind]
    if isinstance(action, Click):
        seconds += PER_EXTRA * (action.count - 1)
    elif isinstance(action, TypeText):
        seconds += PER_CHARACTER * len(action.text) + (PER_EXTRA if action.submit else 0.0)
        seconds += SECONDS["click"] if action.at is not None else 0.0
    elif isinstance(action, Press):
        seconds += PER_EXTRA * (action.repeat - 1) + (action.seconds or 0.0)
    elif isinstance(action, LongPress):
        seconds += action.seconds
    elif isinstance(action, Drag):
        seconds += PER_EXTRA * len(action.path)
    return round(seconds, 6)
