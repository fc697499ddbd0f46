"""Hosted models with their own computer tool: Claude, OpenAI, Gemini. The tool is offered as plain functions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from omnipilot.envs import Browser, Click, Drag, Intent, Noop, OpenUrl, Press, Scroll, Size
from omnipilot.memory.models import Tool
from omnipilot.memory.models.replies import Call
from omnipilot.memory.models.replies.json_calls import server_calls
from omnipilot.planners.native.actions_pointing import (
    BUTTONS,
    DIRECTIONS,
    click,
    drag,
    mouse_down,
    mouse_up,
    move,
    scroll_delta,
)
from omnipilot.planners.native.actions_text import (
    always,
    browser,
    finish,
    held_while,
    key_down,
    key_up,
    look,
    open_url,
    press,
    type_at,
    type_intents,
    type_text,
    wait,
)
from omnipilot.planners.native.arguments import Arguments, NativeAction
from omnipilot.planners.native.family import ConversationLayout, NativeFamily
from omnipilot.planners.native.reader import final_words

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
                        "key",
                        "hold_key",
                        "type",
                        "mouse_move",
                        "left_click",
                        "right_click",
                        "middle_click",
                        "double_click",
                        "triple_click",
                        "left_click_drag",
                        "left_mouse_down",
                        "left_mouse_up",
                        "scroll",
                        "wait",
                        "screenshot",
                        "zoom",
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
                        "click",
                        "double_click",
                        "move",
                        "drag",
                        "scroll",
                        "type",
                        "keypress",
                        "wait",
                        "screenshot",
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


@dataclass(frozen=True, slots=True)
class Within:
    """Downscale, keeping the aspect ratio, until the longer side is at most `long` and the shorter at most `short`.

    Attributes:
        tiles: maximum number of 28-pixel squares, 0 for no limit (Claude's API downscales beyond 1568).
    """

    long: int
    short: int
    tiles: int = 0

    def size(self, screenshot: Size) -> Size:
        """The size to send; at least one pixel per side."""
        sides = screenshot.width, screenshot.height
        scale = min(1.0, self.long / max(sides), self.short / min(sides))
        edge = max(1, round(max(sides) * scale))
        while True:
            size = Size(*(max(1, round(side * edge / max(sides))) for side in sides))
            if not self.tiles or math.ceil(size.width / 28) * math.ceil(size.height / 28) <= self.tiles or edge == 1:
                return size
            edge -= 1


AT, XY = "coordinate", "x/y"
HELD = ("key", "text")
"""Where Claude says which keys are held in a click: its authors' tool takes `key`, the API's documentation `text`."""


def _key(a: Arguments) -> Iterable[Intent]:
    """Keys in xdotool's syntax: combinations with +, sequences separated by spaces."""
    words = a.text("text").split() or [a.text("text")]
    times = a.whole("repeat", default=1)
    return [Press(keys, times) for keys in a.combinations(words)]


def _scroll(a: Arguments) -> Iterable[Intent]:
    scrolled = Scroll(
        a.option("scroll_direction", options=DIRECTIONS),
        a.point_or_none(AT) or a.cursor,
        a.number("scroll_amount", default=5),
    )
    return held_while(a, ("text",), [scrolled])


CLAUDE_ACTIONS = {
    "key": NativeAction(("text", "repeat"), _key),
    "hold_key": press("text", seconds="duration"),
    "type": type_text("text"),
    "mouse_move": move(AT),
    "left_click": click(AT, cursor=True, held=HELD),
    "right_click": click(AT, button="right", cursor=True, held=HELD),
    "middle_click": click(AT, button="middle", cursor=True, held=HELD),
    "double_click": click(AT, count=2, cursor=True, held=HELD),
    "triple_click": click(AT, count=3, cursor=True, held=HELD),
    "left_click_drag": drag(("start_coordinate",), (AT,)),
    "left_mouse_down": mouse_down(AT),
    "left_mouse_up": mouse_up(AT),
    "scroll": NativeAction((AT, "scroll_direction", "scroll_amount", "text"), _scroll),
    "wait": wait("duration", usual=1.0),
    "screenshot": look(),
    "zoom": look("region"),
    "finished": finish("content"),
}

CLAUDE = NativeFamily(
    name="claude",
    models=tuple(
        f"anthropic/claude-{name}" for name in ("sonnet-4-5", "opus-4-5", "haiku-4-5", "sonnet-4-6", "opus-4-6")
    ),
    space="abs_resized",
    resize=Within(1568, 1568, tiles=1568),
    read=final_words,
    read_handed=server_calls,
    actions=CLAUDE_ACTIONS,
    layout=ConversationLayout("claude", images=3),
    tools=CLAUDE_TOOLS,
    parameters={"max_tokens": 4096},
    evidence="code",
    source="claude-quickstarts computer-use-demo (370e18d), tools/computer.py (271ba85)",
    note="the prompt and the function's words are ours: the API's own computer tool is not used",
)


def _click(a: Arguments) -> Iterable[Intent]:
    button = a.raw("button")
    if button in ("back", "forward"):
        return [Browser(button)]
    held = a.keys("keys") if a.raw("keys") else ()
    pressed = a.option("button", options=BUTTONS, default="left")
    return [Click(a.point(XY), pressed, 1, held)]  # type: ignore[arg-type]


def _drag(a: Arguments) -> Iterable[Intent]:
    path = a.places("path")
    if len(path) < 2:
        a.bad("path is a list of two places or more")
    return [Drag(path[-1], path[0], path[1:-1])]


OPENAI_ACTIONS = {
    "click": NativeAction(("x", "y", "button", "keys"), _click),
    "double_click": click(XY, count=2),
    "move": move(XY),
    "drag": NativeAction(("path",), _drag),
    "scroll": scroll_delta(XY, across="scroll_x", down="scroll_y"),
    "type": type_text("text"),
    "keypress": press("keys"),
    "wait": wait(usual=2.0),
    "screenshot": look(),
    "finished": finish("content"),
}


def computer_calls(calls: Sequence[tuple[str, str]]) -> list[Call]:
    """Calls of OpenAI's computer tool: one action, or several under `actions`."""
    found: list[Call] = []
    for call in server_calls(calls):
        actions = call.named.get("actions")
        if isinstance(actions, list) and len(call.named) == 1:
            found += actions_of_call(actions)
        else:
            found.append(call)
    return found


def actions_of_call(actions: list[object]) -> list[Call]:
    """The actions of one call; each is an object with a `type`."""
    import json

    return server_calls([("computer", json.dumps(action)) for action in actions])


OPENAI = NativeFamily(
    name="openai",
    models=("openai/computer-use-preview", "openai/gpt-5.4", "openai/gpt-5.5", "openai/gpt-5"),
    space="abs_resized",
    resize=Within(1440, 900),
    read=final_words,
    read_handed=computer_calls,
    actions=OPENAI_ACTIONS,
    ignores=frozenset(("id", "call_id", "status", "pending_safety_checks")),
    layout=ConversationLayout("openai", images=3),
    tools=OPENAI_TOOLS,
    parameters={"max_tokens": 4096},
    evidence="code",
    source="openai-cua-sample-app (eb2d58b)",
    note="the prompt and the function's words are ours: an ordinary function, not the Responses API's tool, "
    "which gpt-5 and gpt-5.5 take as any other; no runner for these two was read",
)


def _scroll_at(a: Arguments) -> Iterable[Intent]:
    way = a.option("direction", options=DIRECTIONS)
    side = a.frame.screenshot.height if way in ("up", "down") else a.frame.screenshot.width
    return [Scroll(way, a.point(XY), a.number("magnitude", default=800) / 1000 * side, "px")]


GEMINI_ACTIONS = {
    "click_at": click(XY),
    "hover_at": move(XY),
    "type_text_at": type_at(XY, text=("text",), enter="press_enter", clear="clear_before_typing", usual=(False, True)),
    "scroll_document": NativeAction(
        ("direction",), lambda a: [Scroll(a.option("direction", options=DIRECTIONS), None, 1, "page")]
    ),
    "scroll_at": NativeAction(("x", "y", "direction", "magnitude"), _scroll_at),
    "drag_and_drop": drag((XY,), ("destination_x/destination_y",)),
    "key_combination": press("keys"),
    "navigate": open_url("url"),
    "search": always(OpenUrl("https://www.google.com")),
    "go_back": browser("back"),
    "go_forward": browser("forward"),
    "open_web_browser": always(Noop()),
    "wait_5_seconds": wait(usual=5.0),
    "finished": finish("content"),
}


def gemini_calls(calls: Sequence[tuple[str, str]]) -> list[Call]:
    """Calls whose names may have the prefix `web_agent_api:`."""
    return [replace(call, name=call.name.rsplit(":", 1)[-1]) for call in server_calls(calls)]


GEMINI = NativeFamily(
    name="gemini",
    models=(
        "gemini/gemini-2.5-computer-use-preview-10-2025",
        "gemini/gemini-3-flash-preview",
        "gemini/gemini-3-flash",
        "gemini/gemini-3.1-pro-preview",
        "gemini/gemini-3.1-pro",
    ),
    space="norm1000",
    read=final_words,
    read_handed=gemini_calls,
    actions=GEMINI_ACTIONS,
    layout=ConversationLayout("gemini", images=3),
    tools=GEMINI_TOOLS,
    parameters={"temperature": 1.0, "top_p": 0.95},
    evidence="code",
    source="google-gemini/computer-use-preview agent.py (c93bb2d), its legacy functions",
    note="the prompt and the functions' words are ours; safety decisions belong to the API's own tool and do not come",
)

_KEY = {"key": _TEXT}
GEMINI_35_TOOLS = (
    *(
        Tool(name, f"{what} at a place; x and y are 0 to 999 of the screen's sides.", _object(_XY, ("x", "y")))
        for name, what in (
            ("click", "Click"),
            ("double_click", "Click twice"),
            ("triple_click", "Click three times"),
            ("middle_click", "Click the middle button"),
            ("right_click", "Click the right button"),
            ("mouse_down", "Press the button and hold it"),
            ("mouse_up", "Release the button"),
            ("move", "Let the pointer be"),
        )
    ),
    Tool("type", "Type into what has the focus.", _object({"text": _TEXT, "press_enter": _FLAG}, ("text",))),
    Tool(
        "scroll",
        "Scroll what is under a place; magnitude is 0 to 999 of the screen's side.",
        _object({**_XY, "direction": _WAYS, "magnitude": _NUMBER}, ("x", "y", "direction")),
    ),
    next(tool for tool in GEMINI_TOOLS if tool.name == "drag_and_drop"),
    Tool("press_key", "Press a key.", _object(_KEY, ("key",))),
    Tool("key_down", "Press a key and hold it.", _object(_KEY, ("key",))),
    Tool("key_up", "Release a key.", _object(_KEY, ("key",))),
    Tool("hotkey", "Press keys together.", _object({"keys": {"type": "array", "items": _TEXT}}, ("keys",))),
    Tool("wait", "Wait for some seconds.", _object({"seconds": _NUMBER}, ())),
    Tool("take_screenshot", "Look at the screen.", _object({}, ())),
    *(tool for tool in GEMINI_TOOLS if tool.name in ("navigate", "go_back", "go_forward")),
)

GEMINI_35 = NativeFamily(
    name="gemini-3.5",
    models=("gemini/gemini-3.5-flash",),
    space="norm1000",
    read=final_words,
    read_handed=gemini_calls,
    actions={
        "click": click(XY),
        "double_click": click(XY, count=2),
        "triple_click": click(XY, count=3),
        "middle_click": click(XY, button="middle"),
        "right_click": click(XY, button="right"),
        "mouse_down": mouse_down(XY),
        "mouse_up": mouse_up(XY),
        "move": move(XY),
        "type": NativeAction(
            ("text", "press_enter"), lambda a: type_intents(a.text("text"), a.flag("press_enter", False))
        ),
        "scroll": NativeAction(("x", "y", "direction", "magnitude"), _scroll_at),
        "drag_and_drop": drag((XY,), ("destination_x/destination_y",)),
        "press_key": press("key"),
        "key_down": key_down("key"),
        "key_up": key_up("key"),
        "hotkey": press("keys"),
        "wait": wait("seconds", usual=1.0),
        "take_screenshot": look(),
        **{name: GEMINI_ACTIONS[name] for name in ("navigate", "go_back", "go_forward")},
        **{name: GEMINI_ACTIONS[name] for name in ("open_web_browser", "finished")},
    },
    layout=GEMINI.layout,
    tools=GEMINI_35_TOOLS,
    parameters=GEMINI.parameters,
    evidence="code",
    source="google-gemini/computer-use-preview agent.py (c93bb2d)",
    note=GEMINI.note,
)

FAMILIES = (CLAUDE, OPENAI, GEMINI, GEMINI_35)
