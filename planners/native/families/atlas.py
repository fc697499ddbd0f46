"""OS-Atlas-Pro and CogAgent: single actions in capitals, with boxes or points in thousandths."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from omnipilot.envs import Done, Intent, Press, System
from omnipilot.envs.types import SmartResize
from omnipilot.memory import MalformedReply
from omnipilot.memory.models.replies import Call
from omnipilot.memory.models.replies.action_text import (
    after,
    excerpt,
    join_thoughts,
    refuse_long,
    split_reasoning,
    without_fences,
    without_tokens,
)
from omnipilot.memory.models.replies.keyword_calls import scan
from omnipilot.memory.models.replies.quoted import veil
from omnipilot.planners.native.actions_pointing import click, long_press, move, scroll
from omnipilot.planners.native.actions_text import (
    always,
    finish,
    focus_and_type,
    key_down,
    key_up,
    launch,
    open_app,
    press,
    type_text,
    wait,
)
from omnipilot.planners.native.arguments import Arguments, NativeAction
from omnipilot.planners.native.family import ConversationLayout, NativeFamily, perform
from omnipilot.planners.native.reader import scan_calls, thought_before

ATLAS_ACTIONS = {
    "click": click("point"),
    "doubleclick": click("point", count=2),
    "rightclick": click("point", button="right"),
    "long_press": long_press("point"),
    "moveto": move("point"),
    "scroll": scroll(usual=5),
    "type": type_text("text"),
    "enter": always(Press(("enter",))),
    "press_enter": always(Press(("enter",))),
    "press_key": press("key"),
    "hotkey": press("key"),
    "open_app": open_app("app"),
    "press_back": always(System("back")),
    "press_home": always(System("home")),
    "press_recent": always(System("recents")),
    "complete": always(Done("success")),
    "impossible": always(Done("infeasible")),
    "wait": wait(usual=5.0),
}
_WORDS = {"scroll": "direction", "type": "text", "hotkey": "key", "open_app": "app"}
"""Actions with one argument in square brackets, and its name."""
_POINTS = frozenset(("click", "doubleclick", "rightclick", "long_press", "moveto"))
_BULLET = r"(?:(?:[-*•]|\d{1,2}[.)])[ \t]{1,8}+)?"
_LINE = re.compile(rf"\s*+{_BULLET}([A-Z][A-Z_]{{2,30}}+)(?![\w(])\s*+(.*)", re.DOTALL)


def atlas(reply: str) -> tuple[list[Call], str]:
    """`CLICK <point>[[x,y]]</point>`, `TYPE [text]`, … one per line, after `actions:`."""
    refuse_long(reply)
    veiled = veil(reply, _BRACKETED, _bracketed, _ANNOUNCED)
    thought, rest = split_reasoning(veiled.text, _ANNOUNCED)
    before, region = after(rest, "actions?") or ("", rest)
    calls: list[Call] = []
    for line in _actions(without_fences(without_tokens(region))):
        calls.append(_atlas_call(line, veiled.restore))
    return calls, veiled.restore(join_thoughts([thought, thought_before(before)]))


def _bracketed(text: str, start: re.Match[str]) -> tuple[list[tuple[int, int]], int] | None:
    """The text in the brackets of an action: it goes to the first `]` at the end of a line."""
    end = _LINE_END.search(text, start.end())
    return None if end is None else ([(start.end(), end.start())], end.start() + 1)


_BRACKETED = re.compile(rf"^[ \t]{{0,8}}{_BULLET}(?:TYPE|OPEN_APP) \[", re.MULTILINE)
_LINE_END = re.compile(r"\](?=[ \t]{0,8}+(?:<\|[a-z_]{1,40}\|>[ \t]{0,8}+)*(?:\n|\Z))")
_ANNOUNCED = re.compile(r"^[ \t]{0,8}actions?[ \t]{0,8}[:：]", re.IGNORECASE | re.MULTILINE)


def _actions(region: str) -> Iterable[str]:
    """The actions in a region, one per line; a text to type continues until its closing bracket."""
    open_text: list[str] = []
    for line in region.splitlines():
        if open_text or line.strip():
            open_text.append(line if open_text else line.strip())
        if open_text and not (open_text[0].startswith("TYPE [") and not line.rstrip().endswith("]")):
            yield "\n".join(open_text)
            open_text = []
    if open_text:
        raise MalformedReply(f"the text {excerpt(open_text[0], 40)} is not closed with ]")


def _atlas_call(line: str, restore: Callable[[str], str]) -> Call:
    found = _LINE.fullmatch(line)
    if found is None:
        raise MalformedReply(f"expected an action such as CLICK <point>[[x,y]]</point>, not {excerpt(restore(line))}")
    name, rest = found[1].lower(), found[2].strip()
    if name in _POINTS:
        return Call(found[1], named={"point": rest} if rest else {})
    if name in _WORDS:
        if not (rest.startswith("[") and rest.endswith("]") and len(rest) > 2):
            raise MalformedReply(f"write {found[1]} [{_WORDS[name]}], not {excerpt(restore(line))}")
        return Call(found[1], named={_WORDS[name]: restore(rest[1:-1])})
    if rest:
        raise MalformedReply(f"{found[1]} takes nothing, not {excerpt(restore(rest))}")
    if name.startswith("press_") and name not in ATLAS_ACTIONS:
        return Call("press_key", named={"key": name.removeprefix("press_")})
    return Call(found[1])


def atlas_done(reply: str) -> str:
    """The actions of a reply, for the list of past actions."""
    found = after(reply, "actions?")
    return " ".join((found[1] if found else reply).split())


OS_ATLAS_PRO = NativeFamily(
    name="os-atlas-pro",
    example="thoughts:\n…\nactions:\nCLICK <point>[[500,500]]</point>",
    models=("OS-Copilot/OS-Atlas-Pro-7B",),
    space="norm1000",
    resize=SmartResize(),
    read=atlas,
    actions=ATLAS_ACTIONS,
    layout=ConversationLayout("os_atlas", history="list", images=1, done=atlas_done),
    parameters={"temperature": 0.0, "max_tokens": 512, "extra_body": {"skip_special_tokens": False}},
    evidence="code",
    source="OS-Atlas README.md (bad0840)",
    note="the prompt is our wording, its last lines (Task, History) are the authors'",
)


def _gesture(a: Arguments) -> Iterable[Intent]:
    written = a.text("actions").strip()
    if not (written.startswith("[") and written.endswith("]")):
        a.bad("actions is a list such as [KEY_DOWN(key='Lcontrol'), KEY_PRESS(key='a')]")
    inner = scan(written[1:-1])
    return [intent for call in inner for intent in perform(call, KEYS, COGAGENT_IGNORES, a.frame, a.cursor)]


KEYS = {"key_press": press("key"), "key_down": key_down("key"), "key_up": key_up("key")}
COGAGENT_IGNORES = frozenset(("element_type", "element_info", "duration"))
COGAGENT_ACTIONS = {
    "click": click("box"),
    "double_click": click("box", count=2),
    "right_click": click("box", button="right"),
    "hover": move("box"),
    "long_press": long_press("box"),
    **{f"scroll_{way}": scroll("box", way=way, amount="step_count") for way in ("up", "down", "left", "right")},
    "type": focus_and_type("box", text="text"),
    **KEYS,
    "gesture": NativeAction(("actions",), _gesture),
    "launch": launch("app", "url"),
    "end": finish(),
}


def cogagent_done(reply: str) -> str:
    """A step in the format of CogAgent's history: the operation, a tab, and the action in words."""
    operation = after(reply, "Grounded Operation")
    words = after(operation[0] if operation else reply, "Action")
    told = [operation[1] if operation else reply, words[1] if words else ""]
    return "\t".join(" ".join(part.split()) for part in told)


COGAGENT = NativeFamily(
    name="cogagent",
    example="Action: …\nGrounded Operation: CLICK(box=[[450,450,550,550]])",
    models=("zai-org/cogagent-9b-20241220", "THUDM/cogagent-9b-20241220"),
    space="norm1000",
    read=scan_calls(tuple(COGAGENT_ACTIONS), label="Grounded Operation"),
    actions=COGAGENT_ACTIONS,
    ignores=COGAGENT_IGNORES,
    layout=ConversationLayout("cogagent", history="list", images=1, done=cogagent_done, ours=False),
    parameters={"temperature": 0.0, "max_tokens": 512},
    evidence="code",
    source="CogAgent README.md, app/ (5fde01e)",
    note="the question is the authors' (README.md); the image goes to a processor that makes it 1120x1120",
)

FAMILIES = (OS_ATLAS_PRO, COGAGENT)
