"""Steps written as the replies of models: the inverse of the readers in `planners.native.families` and `planners.chat`.

A step that a syntax has no action for is `Unsayable`; it is left out, never bent into another one. What is written is
read back by the family's own reader before it is exported.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from omnipilot.envs import (
    Action,
    Click,
    Done,
    Drag,
    Element,
    Elements,
    Intent,
    LongPress,
    OpenApp,
    Point,
    Press,
    Ref,
    Scroll,
    System,
    TypeText,
    Wait,
)
from omnipilot.envs.schema import to_json
from omnipilot.envs.types import Frame, place_fields

DEVICE, THOUGHT, TARGET = "device", "thought", "target"
"""Arguments of tools: on which device, why, and where; the readers of replies know them by these names."""
PAUSE = 5.0
"""Seconds of a wait that names none, in UI-TARS and OS-Atlas."""


class Unsayable(Exception):
    """A syntax has no action for a step."""


@dataclass(frozen=True, slots=True)
class NativeSyntax:
    """How a native family writes a reply.

    Attributes:
        write: from an action, the thought and the frame of the model's coordinates to a reply. Raises `Unsayable`.
        last_words: whether it can say something when it ends, which is how one device's conversation tells another.
        scroll_places: whether a scroll names a place; if not, it is where the pointer was last.
    """

    write: Callable[[Action, str, Frame], str]
    last_words: bool = True
    scroll_places: bool = True


def _tars_call(name: str, arguments: Mapping[str, str], before: str, after: str) -> str:
    told = [
        f"{key}='{before}{value}{after}'" if key.endswith("_box") else f"{key}='{_escaped(value)}'"
        for key, value in arguments.items()
    ]
    return f"{name}({', '.join(told)})"


def _escaped(text: str) -> str:
    for character, written in (("\\", "\\\\"), ("'", "\\'"), ('"', '\\"'), ("\n", "\\n")):
        text = text.replace(character, written)
    return text


def _tars_action(action: Action, place: Callable[[Point], str]) -> tuple[str, dict[str, str]]:
    """The name and the arguments of UI-TARS's action; places as `place` writes them."""
    match action:
        case Click(at=Point() as at, modifiers=()) if action.count < 3 and action.button != "middle":
            if action.count == 2 and action.button != "left":
                raise Unsayable("a double click of the right button")
            name = {"left": "left_double" if action.count == 2 else "click", "right": "right_single"}[action.button]
            return name, {"start_box": place(at)}
        case LongPress(at=at):
            return "long_press", {"start_box": place(at), "time": f"{action.seconds:g}"}
        case Drag(start=Point() as start, path=(), button="left"):
            return "drag", {"start_box": place(start), "end_box": place(action.end)}
        case Scroll(amount=5.0, unit="notch"):
            where = {"start_box": place(action.at)} if action.at is not None else {}
            return "scroll", {**where, "direction": action.direction}
        case TypeText(at=None, clear=False, submit=False) if not action.text.endswith("\n"):
            return "type", {"content": action.text}
        case Press(repeat=1, seconds=None):
            return "hotkey", {"key": " ".join(action.keys)}
        case Wait():
            return "wait", {} if action.seconds == PAUSE else {"time": f"{action.seconds:g}"}
        case OpenApp():
            return "open_app", {"app_name": action.app}
        case System(name="back") | System(name="home"):
            return f"press_{action.name}", {}
        case Done(status="success"):
            return "finished", {"content": action.text}
    raise Unsayable(f"UI-TARS has no {action.kind} of this form")


def _tars(before: str, after: str) -> Callable[[Action, str, Frame], str]:
    def write(action: Action, thought: str, frame: Frame) -> str:
        name, arguments = _tars_action(action, lambda point: "({:.0f},{:.0f})".format(*frame.from_point(point)))
        return f"Thought: {_one_line(thought)}\nAction: {_tars_call(name, arguments, before, after)}"

    return write


def _seed(action: Action, thought: str, frame: Frame) -> str:
    name, arguments = _tars_action(
        action, lambda point: "<point>{:.0f} {:.0f}</point>".format(*frame.from_point(point))
    )
    names = {"start_box": "start_point", "end_box": "end_point"} if "end_box" in arguments else {"start_box": "point"}
    told = "".join(f"<parameter={names.get(key, key)}>{value}</parameter>" for key, value in arguments.items() if value)
    return f"{_one_line(thought)}\n<seed:tool_call><function={name}>{told}</function></seed:tool_call>"


def _atlas(action: Action, thought: str, frame: Frame) -> str:
    return f"thoughts:\n{_one_line(thought)}\nactions:\n{_atlas_action(action, frame)}"


def _atlas_action(action: Action, frame: Frame) -> str:
    def place(point: Point) -> str:
        return "<point>[[{:.0f},{:.0f}]]</point>".format(*frame.from_point(point))

    match action:
        case Click(at=Point() as at, modifiers=()) if action.count == 1 and action.button in ("left", "right"):
            return f"{'CLICK' if action.button == 'left' else 'RIGHTCLICK'} {place(at)}"
        case Click(at=Point() as at, button="left", count=2, modifiers=()):
            return f"DOUBLECLICK {place(at)}"
        case LongPress(at=at, seconds=1.0):
            return f"LONG_PRESS {place(at)}"
        case TypeText(at=None, clear=False, submit=False) if action.text and "]" not in action.text:
            if not action.text.endswith("\n"):
                return f"TYPE [{action.text}]"
        case Scroll(amount=5.0, unit="notch"):
            return f"SCROLL [{action.direction.upper()}]"
        case Press(keys=("enter",), repeat=1, seconds=None):
            return "ENTER"
        case Press(repeat=1, seconds=None):
            return f"HOTKEY [{'+'.join(key.upper() for key in action.keys)}]"
        case OpenApp():
            return f"OPEN_APP [{action.app}]"
        case System(name="back") | System(name="home") | System(name="recents"):
            return f"PRESS_{'RECENT' if action.name == 'recents' else action.name.upper()}"
        case Wait(seconds=5.0):
            return "WAIT"
        case Done(status="success", text=""):
            return "COMPLETE"
        case Done(status="infeasible", text=""):
            return "IMPOSSIBLE"
    raise Unsayable(f"OS-Atlas has no {action.kind} of this form")


NATIVE: Mapping[str, NativeSyntax] = {
    "ui-tars": NativeSyntax(_tars("<|box_start|>", "<|box_end|>")),
    "ui-tars-1.5": NativeSyntax(_tars("", "")),
    "ui-tars-2": NativeSyntax(_seed),
    "os-atlas-pro": NativeSyntax(_atlas, last_words=False, scroll_places=False),
}
"""Native families whose replies are written, by name."""
CHAT = ("function-calling", "json")
"""Planners over any chat model, whose replies name places in words, for a grounder such as UGround."""


def describe_places(intent: Intent, target: Element | None, end: Element | None, elements: Elements) -> Intent:
    """An intent whose places are words, for planners that leave pointing to a grounder.

    A place that is no element, such as the middle of the screen for a scroll, is left out.
    """
    found = {"at": target, "end": end, "start": target}
    changes: dict[str, Any] = {}
    for name in place_fields(intent):
        place = getattr(intent, name)
        if isinstance(place, Ref):
            element = found.get(name)
            if element is None:
                raise Unsayable(f"what {intent.kind} acts on is not on the screen")
            changes[name] = words_for(element, elements)
        elif isinstance(place, Point):
            if name != "at":
                raise Unsayable(f"the {name} of {intent.kind} is no element")
            changes[name] = None
    return cast(Intent, replace(cast(Any, intent), **changes)) if changes else intent


def words_for(element: Element, elements: Elements) -> str:
    """Words by which somebody who sees only the screen finds exactly this element.

    Its role and name; where several are alike, also which of them it is from the top, and from the left.
    """
    role = ROLES.get(element.role, element.role)
    words = f'the {role} "{" ".join(element.name.split())}"' if element.name else f"the {role}"
    alike = [one for one in elements if (one.role, one.name) == (element.role, element.name)]
    if len(alike) < 2:
        return words
    inside = sorted(alike, key=lambda one: (round(one.box.center.y, 3), round(one.box.center.x, 3)))
    number = next(place for place, one in enumerate(inside, 1) if one == element)
    return f"{words}, number {number} of {len(alike)} from the top"


ROLES: Mapping[str, str] = {
    "textbox": "text field",
    "listitem": "row",
    "treeitem": "entry",
    "menuitem": "entry",
    "image": "picture",
}
"""How a role is called in a description, where not by its own name."""


def function_call(env: str, intent: Intent, thought: str, several: bool) -> tuple[str, str]:
    """A step as a call of a tool of the planner `function-calling`.

    Args:
        several: whether more than one device can do it, so that the call names its device.
    """
    told = to_json(intent)
    kind = told.pop("kind")
    if "at" in told and "at" in place_fields(intent):
        told[TARGET] = told.pop("at")
    device = {DEVICE: env} if several else {}
    return kind, json.dumps({THOUGHT: _one_line(thought), **device, **told}, ensure_ascii=False)


def json_reply(env: str, intent: Intent, thought: str, several: bool) -> str:
    """A step as the planner `json` writes it.

    Args:
        several: whether the task has more than one device.
    """
    told = to_json(intent)
    device = {DEVICE: env} if several else {}
    action = {"kind": told.pop("kind"), **device, **told}
    return json.dumps({"thought": _one_line(thought), "actions": [action]}, ensure_ascii=False)


def same_action(meant: Intent, read: Intent, frame: Frame | None = None) -> bool:
    """Whether what was read is what was meant, up to the grid of a model's coordinates.

    The place of a scroll counts only where both have one: OS-Atlas and descriptions name none.

    Args:
        frame: of the model's coordinates; None where places are words.
    """
    if type(meant) is not type(read):
        return False
    changes: dict[str, Any] = {}
    for name in place_fields(meant):
        one, other = getattr(meant, name), getattr(read, name)
        if isinstance(meant, Scroll) and not (isinstance(one, Point) and isinstance(other, Point)):
            changes[name] = one
        elif isinstance(one, Point) and isinstance(other, Point):
            if frame is None or not _near(one, other, frame):
                return False
            changes[name] = one
    return bool(replace(cast(Any, read), **changes) == meant)


def _near(one: Point, other: Point, frame: Frame) -> bool:
    """Whether two points are one step of the model's grid apart, or one pixel of the screenshot."""
    across, down = frame.ranges
    width, height = frame.screenshot.width, frame.screenshot.height
    return abs(one.x - other.x) <= max(1 / across, 1 / width) and abs(one.y - other.y) <= max(1 / down, 1 / height)


def _one_line(thought: str) -> str:
    return " ".join(thought.split())
