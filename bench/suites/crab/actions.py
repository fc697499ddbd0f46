"""The actions of CRAB's paper, by their names and in its words (Table 6), as programs of the verbs of devices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal, TypeAlias

from omnipilot.agents.verbs import Look, MoveFromPlace, Program, Refusal, VerbSet, device_of, program_of
from omnipilot.envs import (
    ActionRejected,
    Click,
    Custom,
    CustomVerb,
    Intent,
    LongPress,
    OpenApp,
    Platform,
    Point,
    Press,
    Ref,
    Scroll,
    Size,
    Swipe,
    System,
    TypeText,
)
from omnipilot.memory import Move
from omnipilot.planners import Brief, Verbs


def click(elem: int) -> tuple[Intent, ...]:
    """Click on elem.

    Args:
        elem: the numeric tag of an element.
    """
    return (Click(Ref(str(elem))),)


def right_click(elem: int) -> tuple[Intent, ...]:
    """Right-click on elem.

    Args:
        elem: the numeric tag of an element.
    """
    return (Click(Ref(str(elem)), "right"),)


def double_click(elem: int) -> tuple[Intent, ...]:
    """Double-click on elem.

    Args:
        elem: the numeric tag of an element.
    """
    return (Click(Ref(str(elem)), count=2),)


def write_text(text: str) -> tuple[Intent, ...]:
    """Typing the specified text.

    Args:
        text: what to type.
    """
    return (TypeText(text),)


def press(key: str) -> tuple[Intent, ...]:
    """Press a keyboard key.

    Args:
        key: such as enter.
    """
    return (Press((key,)),)


def hotkey(keys: list[str]) -> tuple[Intent, ...]:
    """Press keyboard keys at the same time.

    Args:
        keys: such as ctrl and c.
    """
    return (Press(tuple(keys)),)


def scroll(direction: Literal["up", "down"]) -> tuple[Intent, ...]:
    """Scrolls page up or down.

    Args:
        direction: up or down.
    """
    return (Scroll(direction),)


def search_app(name: str) -> tuple[Intent, ...]:
    """Search for application with name in the system.

    Args:
        name: the application name.
    """
    return Press(("esc",)), Press(("meta", "a")), TypeText(name)


def tap(elem: int) -> tuple[Intent, ...]:
    """Tap on elem.

    Args:
        elem: the numeric tag of an element.
    """
    return (Click(Ref(str(elem))),)


def long_tap(elem: int) -> tuple[Intent, ...]:
    """Press and hold elem.

    Args:
        elem: the numeric tag of an element.
    """
    return (LongPress(Ref(str(elem)), 1.0),)


def swipe(
    elem: int,
    dire: Literal["right", "left", "up", "down"],
    dist: Literal["short", "medium", "long"],
) -> tuple[MoveFromPlace]:
    """Swipe from elem in a specified direction and distance.

    Args:
        elem: the numeric tag of an element.
        dire: the direction.
        dist: the distance.
    """
    if dire not in WAYS or dist not in TENTHS:
        raise ValueError(f"it goes {', '.join(WAYS)}, and is {', '.join(TENTHS)}, not {dire!r} and {dist!r}")

    def swipe_from(start: Point, size: Size) -> Intent:
        return Swipe(None, start, swipe_end(start, dire, dist, size))

    return (MoveFromPlace("", Ref(str(elem)), swipe_from),)


def swipe_end(start: Point, dire: str, dist: str, size: Size) -> Point:
    """Where CRAB's swipe ends: tenths of the screen's width to a side, twice as many up or down.

    A short swipe is one tenth, a medium one two, a long one three, by CRAB's released code. What would end beyond the
    screen ends at its edge.

    Args:
        start: where it begins. dire: right, left, up or down. dist: short, medium or long.
        size: of the screen, in pixels.
    """
    across, down = WAYS[dire]
    length = TENTHS[dist] * (size.width // 10)
    x = start.x + across * length / size.width
    y = start.y + down * 2 * length / size.height
    return Point(min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0))


WAYS = {"right": (1, 0), "left": (-1, 0), "up": (0, -1), "down": (0, 1)}
"""Directions of a swipe, to the right and down."""
TENTHS = {"short": 1, "medium": 2, "long": 3}
"""Length of a swipe to a side, in tenths of the screen's width."""


def press_on_phone(key: Literal["home", "back"]) -> tuple[Intent, ...]:
    """Press a key, can be home or back.

    Args:
        key: home or back.
    """
    return (System(key),)


def show_all_drawer() -> tuple[Intent, ...]:
    """Show the app drawer to list installed applications."""
    return System("home"), Swipe(None, Point(0.6, 0.67), Point(0.6, 0.03))


Actions: TypeAlias = Mapping[str, Callable[..., tuple[Intent | MoveFromPlace, ...]]]
"""Actions by their names; each makes its program."""
DESKTOP: Actions = {
    "click": click,
    "right_click": right_click,
    "double_click": double_click,
    "write_text": write_text,
    "press": press,
    "hotkey": hotkey,
    "scroll": scroll,
    "search_app": search_app,
}
PHONE: Actions = {
    "tap": tap,
    "long_tap": long_tap,
    "swipe": swipe,
    "write_text": write_text,
    "press": press_on_phone,
    "show_all_drawer": show_all_drawer,
}
ACTIONS: Mapping[Platform, Actions] = {
    "phone": PHONE,
    "desktop": DESKTOP,
    "browser": DESKTOP,
}
"""The actions of a device of each platform, in the order of the table; CRAB has no device that is a browser alone."""


class CrabVerbs(VerbSet):
    """Offers the actions of CRAB's paper instead of a device's own verbs.

    A place is the number of a mark, so the grounder has to draw marks.

    Args:
        keys: `search_app` presses the keys by which Ubuntu searches; otherwise it opens the application on a device
            that can, for desktops on which those keys do nothing.
    """

    main_option = "keys"

    def __init__(self, keys: bool = False) -> None:
        self.keys = keys
        self._devices: Mapping[str, Verbs] = {}

    def begin(self, brief: Brief) -> None:
        """Start an episode: which devices there are."""
        self._devices = brief.envs

    def offer(self, envs: Mapping[str, Verbs]) -> Mapping[str, Verbs]:
        """The devices with these actions alone."""
        only = frozenset({"custom"})
        return {name: replace(verbs, kinds=only, custom=_verbs_of(verbs)) for name, verbs in envs.items()}

    def expand(self, move: Move, look: Look) -> Program | None:  # noqa: ARG002
        """The program of an action; None for any other move."""
        intent = move.intent
        name = device_of(move, self._devices)
        device = self._devices.get(name)
        if not isinstance(intent, Custom) or device is None or intent.name not in ACTIONS[device.platform]:
            return None
        try:
            program = self._program(intent, device)
        except (ActionRejected, ValueError, TypeError) as error:
            return program_of(Refusal(f"{intent.name}: {error}"))
        return program_of(
            *(replace(one, env=name) if isinstance(one, MoveFromPlace) else Move(name, one) for one in program)
        )

    def _program(self, intent: Custom, device: Verbs) -> tuple[Intent | MoveFromPlace, ...]:
        bound = _verbs_of(device)[intent.name].bind(intent.arguments)
        if intent.name == "search_app" and not self.keys and "open_app" in device.kinds:
            return (OpenApp(bound.arguments["name"]),)
        return ACTIONS[device.platform][intent.name](**bound.arguments)


def _verbs_of(device: Verbs) -> dict[str, CustomVerb]:
    return {name: CustomVerb(name, call.__doc__ or "", call) for name, call in ACTIONS[device.platform].items()}
