"""Calls in a reply to OmniGUI: tool calls of Qwen models, and calls written as text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from omnipilot.bench.suites.omnigui.metrics.actions import Primitive, find_action, swipe_towards
from omnipilot.bench.suites.omnigui.metrics.fields import Pair, pair
from omnipilot.bench.suites.omnigui.metrics.reply_json import loads

_OPEN, _CLOSE = "<tool_call>", "</tool_call>"
_VERBS = {
    "click": Primitive.TAP,
    "double_click": Primitive.DOUBLE_TAP,
    "long_press": Primitive.LONG_PRESS,
    "type": Primitive.INPUT,
    "wait": Primitive.NONE,
}
_BUTTONS = {
    **dict.fromkeys(("back", "return"), Primitive.BACK),
    **dict.fromkeys(("home", "home_screen"), Primitive.HOME),
    **dict.fromkeys(("enter", "return_key"), Primitive.INPUT),
}
_DONE = frozenset(("success", "complete", "done", "finished"))
_DIRECTIONS = {
    "up": Primitive.SWIPE_UP,
    "down": Primitive.SWIPE_DOWN,
    "left": Primitive.SWIPE_LEFT,
    "right": Primitive.SWIPE_RIGHT,
}

_PLACE = r"\s*(?P<x>\d++)\s*,\s*(?P<y>\d++)\s*"
# Up to a closing quote and bracket; or, where the quote never closes, up to the last bracket before the next quote.
_TYPED = r"\s*[\"'](?:(?P<closed>[^\"']*+)[\"']\s*\)|(?P<open>[^\"']*)\))"
_PLACED_CALL = re.compile(
    r"\b(?P<name>click|tap|double_click|double_tap|long_press|(?:swipe|scroll)_(?:up|down|left|right)|input|type|back|home|none)"
    rf"\s*\({_PLACE}\)",
    re.IGNORECASE,
)
_PLACED_TEXT = re.compile(rf"\b(?P<name>input|type)\s*\({_PLACE},{_TYPED}", re.IGNORECASE)
_TEXT_CALL = re.compile(rf"\b(?P<name>input|type)\s*\({_TYPED}", re.IGNORECASE)
_BARE_CALL = re.compile(r"\b(?P<name>back|home|none|task_complete|task_impossible|wait)\s*\(\s*\)", re.IGNORECASE)


def tool_call(reply: str) -> dict[str, Any] | None:
    """The first tool call of a reply as a plain action's fields, with doubled braces repaired; None without one."""
    start = reply.find(_OPEN)
    end = reply.find(_CLOSE, start + len(_OPEN))
    if start < 0 or end < 0:
        return None
    text = reply[start + len(_OPEN) : end].strip()
    if "{{" in text:
        text = text.replace("{{", "{").replace("}}", "}")
    call = loads(text)
    if not isinstance(call, dict):
        return None
    arguments = call.get("arguments", call.get("args", {}))
    if isinstance(arguments, str):
        arguments = loads(arguments)
    if not isinstance(arguments, dict):
        return None
    verb = arguments.get("action", call.get("name", ""))
    return _called(verb.lower().strip(), arguments) if isinstance(verb, str) else None


def _called(verb: str, given: Mapping[str, Any]) -> dict[str, Any] | None:
    if verb == "swipe":
        return _swipe(given)
    if verb == "system_button":
        button = str(given.get("button", given.get("key", ""))).lower().strip()
        return {"action_type": _BUTTONS.get(button, Primitive.BACK)}
    if verb == "terminate":
        status = str(given.get("status", given.get("reason", "success"))).lower().strip()
        return {"action_type": Primitive.TASK_COMPLETE if status in _DONE else Primitive.TASK_IMPOSSIBLE}
    action = _VERBS.get(verb)
    if action is not None:
        place = given.get("coordinate", given.get("coordinates", given.get("position")))
        if place is None and "x" in given and "y" in given:
            place = [given["x"], given["y"]]
    elif (action := find_action(verb)) is not None:
        place = given.get("coordinate", given.get("coordinates"))
    else:
        return None
    result: dict[str, Any] = {"action_type": action}
    if (at := _listed(place)) is not None:
        result["coordinate"] = list(at)
    if verb == "type" and (typed := given.get("text", given.get("content", given.get("input_text", "")))):
        result["text"] = str(typed)
    return result


def _swipe(given: Mapping[str, Any]) -> dict[str, Any] | None:
    """A swipe from its two places; with only a start, from the named direction, upwards by default."""
    start = given.get("coordinate", given.get("start_coordinate"))
    end = given.get("coordinate2", given.get("end_coordinate", given.get("to")))
    if not start:
        return None
    at = _listed(start)
    if end:
        to = _listed(end)
        if at is None or to is None:
            return None
        return {"action_type": swipe_towards(at, to), "start_coordinate": list(at), "end_coordinate": list(to)}
    direction = str(given.get("direction", "")).lower()
    result: dict[str, Any] = {"action_type": _DIRECTIONS.get(direction, Primitive.SWIPE_UP)}
    if at is not None:
        result["start_coordinate"] = list(at)
    return result


def _listed(value: Any) -> Pair | None:
    return pair(value[0], value[1]) if isinstance(value, list) and len(value) >= 2 else None


def written_call(reply: str) -> dict[str, Any] | None:
    """The first call written as text, such as `click(12, 34)`, `type(1, 2, "x")`, `type("x")` or `back()`."""
    for form in (_PLACED_CALL, _PLACED_TEXT, _TEXT_CALL, _BARE_CALL):
        match = form.search(reply)
        if match is None:
            continue
        said = match.groupdict()
        result: dict[str, Any] = {"action_type": find_action(said["name"])}
        if (at := pair(said.get("x"), said.get("y"))) is not None:
            result["coordinate"] = list(at)
        if typed := said.get("closed") or said.get("open"):
            result["text"] = typed
        return result
    return None
