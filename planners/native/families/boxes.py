"""GLM-V and UI-Venus: calls with boxes, using the models' own names."""

from __future__ import annotations

from collections.abc import Iterable

from omnipilot.envs import Done, Intent, Press, Swipe, System, TypeText
from omnipilot.envs.types import SmartResize
from omnipilot.planners.native.actions_pointing import click, drag, long_press, move, scroll, swipe
from omnipilot.planners.native.actions_text import (
    always,
    answer,
    ask,
    finish,
    launch,
    open_app,
    press,
    terminate,
    type_text,
    wait,
)
from omnipilot.planners.native.arguments import Arguments, NativeAction
from omnipilot.planners.native.family import ConversationLayout, NativeFamily
from omnipilot.planners.native.reader import action_object, scan_calls

BOX = "start_box"
GLM_ACTIONS = {
    "left_click": click(BOX),
    "right_click": click(BOX, button="right"),
    "middle_click": click(BOX, button="middle"),
    "left_double_click": click(BOX, count=2),
    "hover": move(BOX),
    "left_drag": drag((BOX,), ("end_box",)),
    "key": press("keys"),
    "type": type_text("content"),
    "scroll": scroll(BOX, amount="step", usual=5),
    "wait": wait(usual=5.0),
    "done": always(Done("success")),
    "fail": always(Done("infeasible")),
}

BOX_2D = "box_2d"


def _input(a: Arguments) -> Iterable[Intent]:
    """Typing into a field, and Enter: so the model is told."""
    return [TypeText(a.text("text"), a.point_or_none(BOX_2D), clear=a.flag("override", False), submit=True)]


GLM_PHONE = {
    "status": terminate("goal_status"),
    "answer": answer("text"),
    "click": click(BOX_2D),
    "long_press": long_press(BOX_2D),
    "input_text": NativeAction(("text", BOX_2D, "override"), _input),
    "keyboard_enter": always(Press(("enter",))),
    "navigate_home": always(System("home")),
    "navigate_back": always(System("back")),
    "swipe": swipe((BOX_2D,), (), direction="direction"),
    "open_app": open_app("app_name"),
}
"""Actions of its form for phones, each an object with an `action_type`; a place is the middle of its box."""

GLM_V = NativeFamily(
    name="glm-v",
    example="… Action: <|begin_of_box|>left_click(start_box='[500,500]', element_info='')<|end_of_box|>\nMemory:\n[]",
    models=("zai-org/GLM-4.5V", "zai-org/GLM-4.6V", "zai-org/GLM-4.1V-9B-Thinking"),
    space="norm999",
    read=action_object(scan_calls(tuple(GLM_ACTIONS), until="Memory", marks=("<|begin_of_box|>", "<|end_of_box|>"))),
    actions={**GLM_ACTIONS, **GLM_PHONE},
    ignores=frozenset(("element_info",)),
    layout=ConversationLayout("glm_v", "glm_v_mobile", images=3),
    parameters={"temperature": 0.0, "max_tokens": 4096, "extra_body": {"skip_special_tokens": False}},
    evidence="code",
    source="GLM-V examples/gui-agent/glm-45v/{agent.md,gui_agent_45v.py} (8fc9756); cua loops/glm45v.py (b296ec9)",
    note="the prompt is our wording; FAIL() says that the task cannot be done; phones have a form of their own, an "
    "object after Action:; its form for web pages, which names numbered elements, is not read",
)


def _scroll(a: Arguments) -> Iterable[Intent]:
    if a.raw("start", "end") is not None:
        return [Swipe(None, a.point("start"), a.point("end"))]
    return _NAMED_SCROLL.make(a)


_NAMED_SCROLL = scroll(usual=5)
VENUS_ACTIONS = {
    "click": click("box", "point"),
    "doubleclick": click("box", "point", count=2),
    "hover": move("box", "point"),
    "longpress": long_press("box", "point"),
    "drag": drag(("start",), ("end",)),
    "scroll": NativeAction(("start", "end", "direction"), _scroll),
    "type": type_text("content"),
    "hotkey": press("keys"),
    "launch": launch("app", "url"),
    "pressback": always(System("back")),
    "presshome": always(System("home")),
    "pressrecent": always(System("recents")),
    "pressenter": always(Press(("enter",))),
    "wait": wait(usual=5.0),
    "calluser": ask("content"),
    "finished": finish("content"),
}

UI_VENUS = NativeFamily(
    name="ui-venus-1.5",
    example="<think>…</think><action>Click(box=(500,500))</action>",
    models=tuple(f"inclusionAI/UI-Venus-1.5-{size}" for size in ("8B", "2B", "30B-A3B")),
    space="norm1000",
    resize=SmartResize(32, 65_536, 16_777_216),
    read=scan_calls(tuple(VENUS_ACTIONS), tag="action"),
    actions=VENUS_ACTIONS,
    corners="refuse",
    layout=ConversationLayout("ui_venus", images=3),
    parameters={"temperature": 0.0, "max_tokens": 1024},
    evidence="code",
    source="UI-Venus models/navigation/utils.py, branch 1.5 (c3a1442)",
    note="the prompt is our wording; Scroll with a start and an end is the finger's path",
)

FAMILIES = (GLM_V, UI_VENUS)
