"""OmniGUI's lenient parsing of a model's reply.

In this order: a tool call, the whole reply as JSON, a fenced object, the first balanced object that tells an action, a
call written as text. Then the action from the first usable of seven fields, places and text from many more. Where the
release raises (a reply that is a JSON number, a verb that is no text), the reply is a format miss here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from omnipilot.bench.suites.omnigui.metrics.actions import SWIPES, Primitive, directionless, find_action, swipe_towards
from omnipilot.bench.suites.omnigui.metrics.fields import END, PLACE, START, Pair, place, text, whole
from omnipilot.bench.suites.omnigui.metrics.reply_calls import tool_call, written_call
from omnipilot.bench.suites.omnigui.metrics.reply_json import find_json

Variant: TypeAlias = Literal["paper", "release"]
ACTION = ("action_type", "action", "type", "action_name", "actionType", "actiontype", "operation")


@dataclass(frozen=True, slots=True)
class OmniGuiPrediction:
    """The content of a reply.

    Attributes:
        at: the place of a press, or the start of a swipe. to: the end of a swipe. Both as the reply counts.
        text: to be typed; None if the reply has none.
    """

    action: Primitive
    at: Pair | None = None
    to: Pair | None = None
    text: str | None = None


def read_reply(reply: str, variant: Variant = "release") -> OmniGuiPrediction | None:
    """Parse a reply; None if nothing is readable.

    A bare "swipe" or "scroll" has no direction. In the release it is no action: a field like `coordinate` makes a TAP
    of it, and with a start and an end alone the reply is unreadable. In the paper's variant its two places decide.
    """
    reply = reply.strip()
    fields = tool_call(reply)
    if fields is None:
        fields = find_json(reply)
        if fields is None:
            fields = written_call(reply)
    if not isinstance(fields, Mapping):
        return None
    action = _action(fields)
    if action is None and variant == "paper" and any(directionless(fields.get(name)) for name in ACTION):
        start, end = place(fields, START), place(fields, END)
        if start is None or end is None:
            return None
        action = swipe_towards(start, end)
    if action is None:
        if not any(name in fields for name in PLACE):
            return None
        action = Primitive.TAP
    if action in SWIPES:
        return OmniGuiPrediction(action, place(fields, START), place(fields, END), text(fields))
    return OmniGuiPrediction(action, place(fields, PLACE), None, text(fields))


def _action(fields: Mapping[str, Any]) -> Primitive | None:
    """The action from the first field that has one: a number in -1..11, truncated, or a word."""
    for name in ACTION:
        value = fields.get(name)
        if isinstance(value, str):
            action = find_action(value)
            if action is not None:
                return action
        elif isinstance(value, int | float):
            number = value if isinstance(value, int) else whole(value)
            if number is not None and -1 <= number <= 11:
                return Primitive(number)
    return None
