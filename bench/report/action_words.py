"""Actions and endings of a journal as text for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Json = Mapping[str, Any]

ENDINGS = {
    "success": "Solved",
    "stopped": "A rule stopped it: another turn was not worth it",
    "turns": "Turn limit reached",
    "actions": "Action limit reached",
    "tokens": "Token limit reached",
    "seconds": "Time limit reached",
    "cost": "Cost limit reached",
    "working": "Working-time limit reached",
    "idle": "Too many steps without a new sub-goal",
    "invalid": "Too many invalid actions",
    "denied": "The guard refused too many moves",
    "world": "The world ended the episode",
    "unjudged": "Unjudged: it was not for the judges to say whether it was solved",
    "void": "Void: a device or a model was lost",
    "": "Interrupted before its end",
}
"""What `EpisodeEnded.reason` means; "" stands for an attempt without an end."""

_DONE = {
    "success": "False completion: the agent said that it was done",
    "failure": "The agent gave up",
    "infeasible": "The agent said that the task cannot be done",
}


def ending(reason: str, status: str, solved: bool) -> str:
    """Why an attempt ended: its journal reason, the status of the Done, and whether every node was reached."""
    if solved:
        return ENDINGS["success"]
    if reason == "done":
        return _DONE.get(status, "The agent ended it")
    return ENDINGS.get(reason, reason)


def action(data: Json | None) -> str:
    """One action or intent, as `omnipilot.envs.schema.codec.to_json` writes it, in words; "" for None.

    Kinds that are not known here are shown by name with their arguments, so that no journal is unreadable.
    """
    if data is None:
        return ""
    kind = str(data.get("kind", "?"))
    rest = {name: value for name, value in data.items() if name != "kind"}
    return _WORDS[kind](rest) if kind in _WORDS else _call(kind, rest)


def place(data: Any) -> str:
    """A place in words: a description in quotes, an id in brackets, a point as shares of the screen's sides."""
    if isinstance(data, str):
        return f"“{data}”"
    if isinstance(data, Mapping) and "id" in data:
        return f"[{data['id']}]"
    if isinstance(data, Mapping):
        return f"({data.get('x', 0):.3f}, {data.get('y', 0):.3f})"
    return str(data)


def _at(data: Json, word: str = " ", missing: str = "") -> str:
    return f"{word}{place(data['at'])}" if data.get("at") is not None else missing


def _call(name: str, arguments: Json) -> str:
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"


def _button(data: Json) -> str:
    button = str(data.get("button", "left"))
    return "" if button == "left" else f"{button}-"


def _click(data: Json) -> str:
    times = {1: "", 2: "double-", 3: "triple-"}.get(data.get("count", 1), "")
    held = "".join(f"{key}+" for key in data.get("modifiers", ()))
    return f"{held}{_button(data)}{times}click".capitalize() + _at(data, missing=" at the cursor")


def _press(data: Json) -> str:
    held = "+".join(map(str, data.get("keys", ())))
    times = f" × {data['repeat']}" if data.get("repeat", 1) != 1 else ""
    return f"Press {held}{times}" + (f" for {data['seconds']:g} s" if data.get("seconds") else "")


def _type(data: Json) -> str:
    words = f"Type “{data.get('text', '')}”" + _at(data, " into ")
    return words + (", emptied first" if data.get("clear") else "") + (", then Enter" if data.get("submit") else "")


def _drag(data: Json) -> str:
    start = place(data["start"]) if data.get("start") is not None else "the cursor"
    through = f" through {len(data['path'])} places" if data.get("path") else ""
    return f"Drag from {start}{through} to {place(data.get('end'))}"


def _swipe(data: Json) -> str:
    start = f" from {place(data['start'])}" if data.get("start") is not None else ""
    return f"Swipe {data['direction']}{start}" if data.get("direction") else f"Swipe{start} to {place(data.get('end'))}"


def _scroll(data: Json) -> str:
    amount, unit = data.get("amount", 3.0), data.get("unit", "notch")
    unit = {"notch": "notch" if amount == 1 else "notches", "page": "page" if amount == 1 else "pages"}.get(unit, unit)
    return f"Scroll {data.get('direction', '')} {amount:g} {unit}" + _at(data, " at ")


def _browser(data: Json) -> str:
    op = str(data.get("op", "")).replace("_", " ")
    return f"Browser: {op}" + (f" {data['tab']}" if data.get("tab") is not None else "")


def _done(data: Json) -> str:
    return f"Done: {data.get('status', 'success')}" + (f" — {data['text']}" if data.get("text") else "")


_WORDS: dict[str, Callable[[Json], str]] = {
    "click": _click,
    "long_press": lambda d: f"Hold{_at(d)} for {d.get('seconds', 1.0):g} s",
    "move": lambda d: f"Move to{_at(d)}",
    "mouse_down": lambda d: f"{_button(d)}button down".capitalize() + _at(d, " at ", " at the cursor"),
    "mouse_up": lambda d: f"{_button(d)}button up".capitalize() + _at(d, " at ", " at the cursor"),
    "drag": _drag,
    "swipe": _swipe,
    "scroll": _scroll,
    "type": _type,
    "press": _press,
    "key_down": lambda d: f"Key down {'+'.join(map(str, d.get('keys', ())))}",
    "key_up": lambda d: f"Key up {'+'.join(map(str, d.get('keys', ())))}",
    "system": lambda d: f"System key {d.get('name', '')}",
    "open_app": lambda d: f"Open app “{d.get('app', '')}”",
    "open_url": lambda d: f"Open {d.get('url', '')}",
    "browser": _browser,
    "select": lambda d: f"Select “{d.get('value', '')}”" + _at(d, " in "),
    "wait": lambda d: f"Wait {d.get('seconds', 1.0):g} s",
    "screenshot": lambda d: "Look again" + (" at a region" if d.get("region") else ""),
    "answer": lambda d: f"Answer “{d.get('text', '')}”",
    "ask_user": lambda d: f"Ask the user “{d.get('text', '')}”",
    "done": _done,
    "noop": lambda _: "Skip",
    "custom": lambda d: _call(str(d.get("name", "custom")), d.get("arguments", {})),
}
