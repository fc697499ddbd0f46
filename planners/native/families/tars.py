"""UI-TARS and its successors: `click(start_box='(x,y)')` after `Action:`, or the XML equivalent."""

from __future__ import annotations

import re
from collections.abc import Iterable

from omnipilot.envs import Intent, Swipe, System
from omnipilot.envs.types import SmartResize
from omnipilot.memory import MalformedReply
from omnipilot.memory.models.replies import Call
from omnipilot.memory.models.replies.coordinates import coordinates, points_run_on
from omnipilot.planners.native.actions_pointing import click, drag, long_press, mouse_down, mouse_up, move, scroll
from omnipilot.planners.native.actions_text import (
    NOTHING,
    always,
    ask,
    finish,
    give_up,
    key_down,
    key_up,
    look,
    open_app,
    open_url,
    press,
    system_button,
    type_text,
    wait,
)
from omnipilot.planners.native.arguments import Arguments, NativeAction
from omnipilot.planners.native.family import ConversationLayout, NativeFamily
from omnipilot.planners.native.reader import Read, scan_calls, seed

PLACE = ("start_box", "point", "start_point")
END = ("end_box", "end_point")
_NAMED_SCROLL = scroll(*PLACE, usual=5)


def _scroll(a: Arguments) -> Iterable[Intent]:
    """A scroll in a direction; with an end in place of one it is the finger's path, as on its phones."""
    if a.raw("direction") in (None, "") and a.raw(*END) not in (None, ""):
        return [Swipe(None, a.point(*PLACE), a.point(*END))]
    return _NAMED_SCROLL.make(a)


ACTIONS = {
    "click": click(*PLACE),
    "left_single": click(*PLACE),
    "left_double": click(*PLACE, count=2),
    "right_single": click(*PLACE, button="right"),
    "middle_click": click(*PLACE, button="middle"),
    "hover": move(*PLACE),
    "move_to": move(*PLACE),
    "mouse_down": mouse_down(*PLACE),
    "mouse_up": mouse_up(*PLACE),
    "drag": drag(PLACE, END),
    "select": drag(PLACE, END),
    "long_press": long_press(*PLACE, time="time"),
    "scroll": NativeAction((*_NAMED_SCROLL.takes, *END), _scroll),
    "type": type_text("content"),
    "hotkey": press("key", "hotkey"),
    "press": press("key", "press"),
    "keydown": key_down("key"),
    "release": key_up("key"),
    "keyup": key_up("key"),
    "press_home": always(System("home")),
    "press_back": always(System("back")),
    "system_button": system_button("button"),
    "open_app": open_app("app_name"),
    "open_url": open_url("url"),
    "finished": finish("content"),
    "call_user": ask("content"),
    "infeasible": give_up("content"),
    "wait": wait("time", usual=5.0),
    "take_screenshot": look(),
    "noop": NOTHING,
}
"""Actions for computers and phones, and those that exist only in the XML form."""

_BARE = re.compile(r"((?:start|end)_box\s{0,4}+=\s{0,4}+['\"])(\([\d.,\s]{3,40}+\))(?=['\"])")


def box_reader(read: Read) -> Read:
    """Calls as `read` reads them, with four numbers between commas as a box under any name and in any brackets.

    So its authors' parser reads them: two corners give their middle. Two `<point>`s without a comma between are
    neither. A drag without an end keeps its two places.
    """

    def read_boxes(reply: str) -> tuple[list[Call], str]:
        calls, thought = read(reply)
        return [_with_boxes(call) for call in calls], thought

    return read_boxes


def _with_boxes(call: Call) -> Call:
    if call.name.lower() in ("drag", "select") and not any(call.named.get(name) for name in END):
        return call
    named = dict(call.named)
    for name in (*PLACE, *END):
        value = named.get(name)
        found = coordinates(value)
        if found is None or len(found) != 4:
            continue
        if isinstance(value, str) and points_run_on(value):
            raise MalformedReply(f"{call.name}: {name} holds two points; write one")
        if isinstance(value, str) and "," not in value:
            continue
        box = "end_box" if name in END else "start_box"
        del named[name]
        named.setdefault(box, list(found))
    return Call(call.name, call.args, named, call.line)


def with_box_tokens(reply: str) -> str:
    """A reply as UI-TARS expects it in the history: with the box tokens that servers strip from coordinates."""
    return _BARE.sub(r"\1<|box_start|>\2<|box_end|>", reply)


UI_TARS = NativeFamily(
    name="ui-tars",
    example="Thought: …\nAction: click(start_box='<|box_start|>(500,500)<|box_end|>')",
    models=tuple(f"ByteDance-Seed/UI-TARS-{name}" for name in ("7B-DPO", "2B-SFT", "7B-SFT", "72B-SFT", "72B-DPO")),
    space="norm1000",
    resize=SmartResize(28, 3136, 2700 * 28**2),
    read=box_reader(scan_calls(tuple(ACTIONS))),
    actions=ACTIONS,
    layout=ConversationLayout("ui_tars", "ui_tars_mobile", images=5, replay=with_box_tokens, gap=""),
    parameters={"temperature": 0.0, "max_tokens": 512, "extra_body": {"skip_special_tokens": False}},
    evidence="code",
    source="UI-TARS README_v1.md, codes/ui_tars/action_parser.py (582f3a7); UI-TARS-desktop tests (239b654)",
    note="the action prompt is our wording; 'You are a helpful assistant.' is theirs",
)

UI_TARS_15 = NativeFamily(
    name="ui-tars-1.5",
    example="Thought: …\nAction: click(start_box='(500,500)')",
    models=("ByteDance-Seed/UI-TARS-1.5-7B",),
    space="abs_resized",
    resize=SmartResize(28, 100 * 28**2, 16384 * 28**2),
    read=box_reader(scan_calls(tuple(ACTIONS))),
    actions=ACTIONS,
    layout=UI_TARS.layout,
    parameters=UI_TARS.parameters,
    evidence="code",
    source="UI-TARS README_coordinates.md, codes/ui_tars/action_parser.py (582f3a7); UI-TARS#157",
    note="the action prompt is our wording",
)

UI_TARS_2 = NativeFamily(
    name="ui-tars-2",
    example="<seed:tool_call><function=click><parameter=point><point>500 500</point></parameter></function>"
    "</seed:tool_call>",
    models=("doubao-1-5-ui-tars", "doubao-seed-1-8", "ui-tars-2", "seed-ui-tars"),
    space="norm1000",
    read=box_reader(seed(tuple(ACTIONS))),
    actions=ACTIONS,
    layout=ConversationLayout("seed", images=5, gap=""),
    parameters={"temperature": 0.0, "max_tokens": 1024},
    evidence="third-party",
    source="cua loops/uitars2.py (b296ec9); UI-TARS-desktop xmlParser.test.ts (239b654); OSWorld "
    "mm_agents/seed_agent.py (as copied in OSSymphony-Selfuse, 4147cf5)",
    note="the prompt is our wording; the weights are not public",
)

FAMILIES = (UI_TARS, UI_TARS_15, UI_TARS_2)
