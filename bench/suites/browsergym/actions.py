"""Verbs as BrowserGym's actions: lines of Python calls, which its environment executes.

They are built of our typed verbs, each argument by `repr`; nothing that a model wrote becomes code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from omnipilot.envs import (
    Action,
    ActionRejected,
    Answer,
    Browser,
    Click,
    Done,
    Drag,
    Element,
    KeyDown,
    KeyUp,
    LongPress,
    MouseDown,
    MouseMove,
    MouseUp,
    OpenUrl,
    Point,
    Press,
    Scroll,
    Select,
    Size,
    TypeText,
    Wait,
)
from omnipilot.envs.web import playwright_key

Addressing: TypeAlias = Literal["coord", "bid"]
"""Whether a place goes out as coordinates, or as the id of the smallest element at it, where there is one."""

NOTCH = 100.0
"""Pixels of a notch of the wheel."""
SELECTABLE = ("combobox", "listbox", "select", "menulistpopup")


class ActionWriter:
    """Writes the action for a verb, as things stand on one page.

    Args:
        size: of the screenshot; all coordinates are its pixels, which need not be those of the browser's viewport.
        elements: of the page, with BrowserGym's ids.
        pointer: where the pointer is; verbs without a place happen there.
    """

    def __init__(
        self, addressing: Addressing, size: Size, elements: Sequence[Element], pointer: Point | None = None
    ) -> None:
        self._bid = addressing == "bid"
        self._size = size
        self._elements = elements
        self._pointer = pointer or Point(0.5, 0.5)

    def write(self, action: Action) -> str:
        """The action's lines.

        Raises:
            ActionRejected: BrowserGym has no action for it.
        """
        return "\n".join(self._lines(action))

    def _lines(self, action: Any) -> list[str]:
        match action:
            case Click():
                return self._click(action)
            case LongPress(at=at, seconds=seconds):
                return [self._mouse("down", at), _call("noop", round(seconds * 1000)), self._mouse("up", at)]
            case MouseMove(at=at):
                return [self._at(at, "hover") or self._mouse("move", at)]
            case MouseDown(at=at, button=button):
                return [self._mouse("down", at, button)]
            case MouseUp(at=at, button=button):
                return [self._mouse("up", at, button)]
            case Drag():
                return self._drag(action)
            case Scroll():
                return [self._scroll(action)]
            case TypeText():
                return self._type(action)
            case Press(keys=keys, repeat=repeat, seconds=seconds):
                combination = _call("keyboard_press", "+".join(playwright_key(name) for name in keys))
                return [combination] * repeat if seconds is None else self._hold(keys, seconds)
            case KeyDown(keys=keys):
                return [_call("keyboard_down", playwright_key(name)) for name in keys]
            case KeyUp(keys=keys):
                return [_call("keyboard_up", playwright_key(name)) for name in keys]
            case Select(at=at, value=value):
                return [_call("select_option", self._list_at(at), value)]
            case OpenUrl(url=url):
                return [_call("goto", url)]
            case Browser(op="reload"):
                return [_call("keyboard_press", "F5")]
            case Browser(op="close_tab", tab=int(tab)):
                return [_call("tab_focus", tab), _call("tab_close")]
            case Browser(op="focus_tab", tab=tab):
                return [_call("tab_focus", tab)]
            case Browser(op=op):
                names = {"back": "go_back", "forward": "go_forward", "new_tab": "new_tab", "close_tab": "tab_close"}
                return [_call(names[op])]
            case Wait(seconds=seconds):
                return [write_wait(seconds)]
        raise ActionRejected(f"BrowserGym has no action for {action.kind}")

    def _click(self, action: Click[Point]) -> list[str]:
        if action.count > 2:
            raise ActionRejected("BrowserGym clicks once or twice, not three times: click twice, or press keys")
        if action.button not in ("left", "middle", "right"):
            raise ActionRejected(f"BrowserGym's mouse has no button {action.button!r}")
        held = [playwright_key(name) for name in action.modifiers]
        name = "click" if action.count == 1 else "dblclick"
        if action.at is not None and (bid := self._bid_at(action.at)):
            return [_call(name, bid, action.button, held)]
        return [
            *(_call("keyboard_down", name) for name in held),
            self._mouse(name, action.at, action.button),
            *(_call("keyboard_up", name) for name in reversed(held)),
        ]

    def _drag(self, action: Drag[Point]) -> list[str]:
        ends = [self._bid_at(at) for at in (action.start, action.end) if at is not None]
        if len(ends) == 2 and all(ends) and ends[0] != ends[1] and not action.path and action.button == "left":
            return [_call("drag_and_drop", *ends)]
        if not action.path and action.button == "left":
            return [_call("mouse_drag_and_drop", *self._pixels(action.start), *self._pixels(action.end))]
        return [
            self._mouse("down", action.start, action.button),
            *(self._mouse("move", at) for at in action.path),
            self._mouse("move", action.end),
            self._mouse("up", action.end, action.button),
        ]

    def _scroll(self, action: Scroll[Point]) -> str:
        across = action.direction in ("left", "right")
        side = self._size.width if across else self._size.height
        distance = action.amount * {"notch": NOTCH, "px": 1.0, "page": float(side)}[action.unit]
        by = _rounded(-distance if action.direction in ("left", "up") else distance)
        deltas = (by, 0) if across else (0, by)
        if action.at is None or self._bid:
            return _call("scroll", *deltas)
        return _call("scroll_at", *self._pixels(action.at), *deltas)

    def _type(self, action: TypeText[Point]) -> list[str]:
        submit = [_call("keyboard_press", "Enter")] * action.submit
        if action.at is not None and (bid := self._bid_at(action.at)):
            present = next(one.value for one in self._elements if one.id == bid)
            return [_call("fill", bid, action.text if action.clear else present + action.text), *submit]
        clear = [_call("keyboard_press", "ControlOrMeta+a"), _call("keyboard_press", "Delete")] if action.clear else []
        click = [self._mouse("click", action.at)] if action.at is not None else []
        typed = [_call("keyboard_type", action.text)] * bool(action.text)
        if lines := [*click, *clear, *typed, *submit]:
            return lines
        raise ActionRejected("there is nothing to type; give a text, a place, clear or submit")

    def _hold(self, keys: Sequence[str], seconds: float) -> list[str]:
        names = [playwright_key(name) for name in keys]
        return [
            *(_call("keyboard_down", name) for name in names),
            write_wait(seconds),
            *(_call("keyboard_up", name) for name in reversed(names)),
        ]

    def _list_at(self, at: Point) -> str:
        found = [one for one in self._elements if one.id and one.box.contains(at) and one.role in SELECTABLE]
        if not found:
            raise ActionRejected("there is no drop-down list at this place; select one that is in the list of elements")
        return str(min(found, key=lambda one: one.box.area).id)

    def _at(self, at: Point, name: str) -> str:
        bid = self._bid_at(at)
        return _call(name, bid) if bid else ""

    def _bid_at(self, at: Point) -> str:
        """The id of the smallest element at a place; "" where coordinates are sent."""
        found = [one for one in self._elements if one.id and one.box.contains(at)] if self._bid else []
        return str(min(found, key=lambda one: one.box.area).id) if found else ""

    def _mouse(self, name: str, at: Point | None, button: str = "left") -> str:
        arguments: tuple[Any, ...] = self._pixels(at)
        return _call(f"mouse_{name}", *arguments, *([button] if button != "left" else []))

    def _pixels(self, at: Point | None) -> tuple[float, float]:
        x, y = (at or self._pointer).to_pixels(self._size)
        return _rounded(x), _rounded(y)


def write_wait(seconds: float) -> str:
    """The action that lets time pass."""
    return _call("noop", round(seconds * 1000))


def write_said(said: Answer | Done) -> str:
    """The action by which an answer, or an ending, reaches BrowserGym's judges; "" for an ending that says nothing.

    An ending with words is a message to the user, and one that is infeasible is reported as such.
    """
    if isinstance(said, Done) and said.status == "infeasible":
        return _call("report_infeasible", said.text or "The task cannot be done as it was asked.")
    return _call("send_msg_to_user", said.text) if said.text else ""


def _call(name: str, *arguments: Any) -> str:
    return f"{name}({', '.join(map(repr, arguments))})"


def _rounded(number: float) -> float:
    """With two digits after the point, whole numbers without any."""
    rounded = round(number, 2)
    return int(rounded) if rounded == int(rounded) else rounded
