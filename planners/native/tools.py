"""The functions that hosted models are given: their own computer tools' actions and arguments, in our words."""

from __future__ import annotations

from typing import Any

from omnipilot.memory.models import Tool

_POINT = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
_TEXT = {"type": "string"}
_NUMBER = {"type": "number"}
_WAYS = {"type": "string", "enum": ["up", "down", "left", "right"]}
_FLAG = {"type": "boolean"}


def _object(properties: dict[str, Any], required: tuple[str, ...]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


CLAUDE_TOOLS = (
    Tool(
        "computer",
        "Use the screen. Coordinates are pixels of the screenshot, [x, y]. A click without a coordinate is at the "
        "pointer; its text holds keys down, such as ctrl. key takes names joined by +. scroll_amount counts notches.",
        _object(
            {
                "action": {
                    "type": "string",
                    "enum": [
                        *("key", "hold_key", "type", "mouse_move", "left_click", "right_click", "middle_click"),
                        *("double_click", "triple_click", "left_click_drag", "left_mouse_down", "left_mouse_up"),
                        *("scroll", "wait", "screenshot", "zoom"),
                    ],
                },
                "coordinate": _POINT,
                "start_coordinate": _POINT,
                "text": _TEXT,
                "duration": _NUMBER,
                "scroll_direction": _WAYS,
                "scroll_amount": _NUMBER,
                "region": {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4},
            },
            ("action",),
        ),
    ),
)

OPENAI_TOOLS = (
    Tool(
        "computer",
        "Use the screen. Coordinates are pixels of the screenshot. scroll_x and scroll_y are pixels: positive is right "
        "and down.",
        _object(
            {
                "type": {
                    "type": "string",
                    "enum": [
                        *("click", "double_click", "move", "drag", "scroll", "type", "keypress", "wait", "screenshot")
                    ],
                },
                "x": _NUMBER,
                "y": _NUMBER,
                "button": {"type": "string", "enum": ["left", "right", "wheel", "back", "forward"]},
                "path": {"type": "array", "items": _object({"x": _NUMBER, "y": _NUMBER}, ("x", "y"))},
                "scroll_x": _NUMBER,
                "scroll_y": _NUMBER,
                "text": _TEXT,
                "keys": {"type": "array", "items": _TEXT},
            },
            ("type",),
        ),
    ),
)

_XY = {"x": _NUMBER, "y": _NUMBER}
GEMINI_TOOLS = (
    Tool("click_at", "Click a place; x and y are 0 to 999 of the screen's sides.", _object(_XY, ("x", "y"))),
    Tool("hover_at", "Move the pointer to a place.", _object(_XY, ("x", "y"))),
    Tool(
        "type_text_at",
        "Click a place and type there. Always say whether to press Enter, and whether to clear the field first.",
        _object(
            {**_XY, "text": _TEXT, "press_enter": _FLAG, "clear_before_typing": _FLAG},
            ("x", "y", "text", "press_enter", "clear_before_typing"),
        ),
    ),
    Tool("scroll_document", "Scroll the page by a screen.", _object({"direction": _WAYS}, ("direction",))),
    Tool(
        "scroll_at",
        "Scroll what is under a place; magnitude is 0 to 999 of the screen's side.",
        _object({**_XY, "direction": _WAYS, "magnitude": _NUMBER}, ("x", "y", "direction")),
    ),
    Tool(
        "drag_and_drop",
        "Drag from one place to another.",
        _object(
            {**_XY, "destination_x": _NUMBER, "destination_y": _NUMBER},
            ("x", "y", "destination_x", "destination_y"),
        ),
    ),
    Tool("key_combination", "Press keys together, such as control+c.", _object({"keys": _TEXT}, ("keys",))),
    Tool("navigate", "Open an address.", _object({"url": _TEXT}, ("url",))),
    Tool("go_back", "Go back in the browser.", _object({}, ())),
    Tool("go_forward", "Go forward in the browser.", _object({}, ())),
    Tool("wait_5_seconds", "Wait five seconds.", _object({}, ())),
)
