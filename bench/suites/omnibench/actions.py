"""OmniBench's own actions as a verb set: its three functions in place of our verbs for the same (C.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from omnipilot.agents.verbs import Look, Program, Refusal, VerbSet, program_of
from omnipilot.envs import ActionRejected, Click, Custom, CustomVerb, Intent, Press, Scroll, TypeText
from omnipilot.envs.types import Place, custom_verb
from omnipilot.memory import Move
from omnipilot.planners import Verbs

REPLACED = frozenset({"click", "scroll", "type", "press"})
"""Our verbs that OmniBench's functions stand for; the others of a device stay."""
_HELD = {"^": "ctrl", "%": "alt", "+": "shift"}
_TOKEN = re.compile(r"(?P<held>[\^%+]*)(?:\{(?P<name>[^{}]+|[{}])\}|(?P<group>\([^()]*\))|(?P<letter>[^\^%+{}()]))")
_KEYS = {"ESC": "esc", "BACK": "backspace", "BKSP": "backspace", "BACKSPACE": "backspace", "DEL": "delete"}
_KEYS |= {"PGUP": "pageup", "PGDN": "pagedown", "INS": "insert", "SPACE": "space", "VK_LWIN": "meta", "LWIN": "meta"}


def click_input(control: str, button: str = "left", double: bool = False) -> None:
    """Click a control.

    Args:
        control: what it is, in words.
        button: left, right or middle.
        double: whether to click twice.
    """


def wheel_mouse_input(wheel_dist: int, control: str = "") -> None:
    """Turn the mouse wheel.

    Args:
        wheel_dist: notches; above 0 up, below 0 down.
        control: what the pointer is over, in words; leave it out for the middle of the screen.
    """


def keyboard_input(keys: str, control: str = "") -> None:
    """Press keys, in the notation of pywinauto: hello, {ENTER}, ^a for ctrl+a, {TAB 2} for twice.

    Args:
        keys: what to press.
        control: the field to click before, in words; leave it out for what has the focus.
    """


FUNCTIONS: Mapping[str, CustomVerb] = {
    "click_input": custom_verb(click_input),
    "wheel_mouse_input": custom_verb(wheel_mouse_input),
    "keyboard_input": custom_verb(keyboard_input),
}


class OmniBenchVerbs(VerbSet):
    """Offers OmniBench's `click_input`, `wheel_mouse_input` and `keyboard_input` in place of our verbs for the same."""

    def offer(self, envs: Mapping[str, Verbs]) -> Mapping[str, Verbs]:
        """The devices with these functions."""
        return {
            name: replace(verbs, kinds=verbs.kinds - REPLACED | {"custom"}, custom={**verbs.custom, **FUNCTIONS})
            for name, verbs in envs.items()
        }

    def expand(self, move: Move, look: Look) -> Program | None:  # noqa: ARG002
        """Our verbs for a call of one of the functions; None for any other move."""
        if not isinstance(move.intent, Custom) or move.intent.name not in FUNCTIONS:
            return None
        try:
            return program_of(*(Move(move.env, one) for one in verbs_of(move.intent)))
        except (ActionRejected, ValueError) as error:
            return program_of(Refusal(f"{move.intent.name}: {error}"))


def verbs_of(call: Custom) -> tuple[Intent, ...]:
    """Our verbs for a call.

    Raises:
        ActionRejected: its arguments are not those of the function. ValueError: one has a value that it cannot have.
    """
    bound = FUNCTIONS[call.name].bind(call.arguments)
    bound.apply_defaults()
    told = bound.arguments
    control = str(told["control"])
    if call.name == "click_input":
        if told["button"] not in ("left", "right", "middle"):
            raise ValueError(f"button is left, right or middle, not {told['button']!r:.40}")
        return (Click(control, told["button"], 2 if told["double"] else 1),)
    if call.name == "wheel_mouse_input":
        distance = int(told["wheel_dist"])
        if not distance:
            raise ValueError("wheel_dist is above 0 (up) or below 0 (down)")
        return (Scroll("up" if distance > 0 else "down", control or None, abs(distance)),)
    keys = tuple(read_keys(str(told["keys"])))
    if not keys:
        raise ValueError("keys is empty")
    first = keys[0]
    if not control:
        return keys
    if isinstance(first, TypeText):
        return replace(first, at=control), *keys[1:]
    return Click(control), *keys


def read_keys(keys: str) -> Iterator[TypeText[Place] | Press]:
    """Keys in pywinauto's notation as our verbs: letters in a row are typed, all else is pressed.

    Raises:
        ValueError: it cannot be read; the message says from where on.
    """
    typed, at = "", 0
    while at < len(keys):
        match = _TOKEN.match(keys, at)
        if match is None:
            raise ValueError(f"keys cannot be read from {keys[at:][:20]!r} on; write a brace as {{{{}} and + as {{+}}")
        at = match.end()
        held = tuple(_HELD[sign] for sign in match["held"])
        name, group = match["name"], match["group"]
        if not held and (match["letter"] or (name and len(name) == 1) or group):
            typed += match["letter"] or name or group[1:-1]
            continue
        if typed:
            yield TypeText(typed)
            typed = ""
        if name:
            key, _, times = name.partition(" ")
            key = _KEYS.get(key.upper(), key.lower() if len(key) > 1 else key)
            yield Press((*held, key), int(times) if times.strip().isdigit() else 1)
        else:
            yield from (Press((*held, letter.lower())) for letter in (group[1:-1] if group else match["letter"]))
    if typed:
        yield TypeText(typed)
