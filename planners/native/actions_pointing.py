"""Meanings of native actions, shared by all families: pointing, dragging, scrolling.

A scroll direction says where new content appears (down shows what is further down), a swipe direction how the finger
moves (up shows what is further down). A drag without a start begins at the cursor. Coordinates that are present but
invalid are errors, never a click at the cursor.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from omnipilot.envs import Click, Drag, Intent, LongPress, MouseDown, MouseMove, MouseUp, Point, Scroll, Swipe
from omnipilot.envs.types import Direction
from omnipilot.envs.types.actions import Button, Unit
from omnipilot.planners.native.arguments import Arguments, NativeAction

DIRECTIONS: dict[str, Direction] = {"up": "up", "down": "down", "left": "left", "right": "right"}
BUTTONS: dict[str, Button] = {"left": "left", "middle": "middle", "wheel": "middle", "right": "right"}
OPPOSITE: dict[Direction, Direction] = {"up": "down", "down": "up", "left": "right", "right": "left"}


def spread(*places: str) -> tuple[str, ...]:
    """Argument names, with `x/y` split in two."""
    return tuple(part for place in places for part in place.split("/"))


def click(
    *places: str, button: Button = "left", count: int = 1, cursor: bool = False, held: tuple[str, ...] = ()
) -> NativeAction:
    """A click; at the cursor if no place is given and `cursor` allows it.

    Args:
        held: names of the argument with modifier keys, () for none.
    """

    def make(a: Arguments) -> Iterable[Intent]:
        at = a.point_or_none(*places) if cursor else a.point(*places)
        named = next((name for name in held if a.raw(name) not in (None, "")), "")
        keys = a.keys(named) if named else ()
        return [Click(at, button, count, keys)]  # type: ignore[arg-type]

    return NativeAction((*spread(*places), *held), make)


def long_press(*places: str, time: str = "", unit: float = 1.0) -> NativeAction:
    """A long press; `time` names the argument with its duration, in units of 1/`unit` seconds."""

    def make(a: Arguments) -> Iterable[Intent]:
        seconds = a.number(time, default=unit) / unit if time else 1.0
        return [LongPress(a.point(*places), seconds)]

    return NativeAction(spread(*places, time) if time else spread(*places), make)


def move(*places: str) -> NativeAction:
    """Moving the pointer without pressing."""
    return NativeAction(spread(*places), lambda a: [MouseMove(a.point(*places))])


def mouse_down(*places: str) -> NativeAction:
    """Pressing a button and holding it; at the cursor if no place is given."""
    return NativeAction(
        (*spread(*places), "button"),
        lambda a: [MouseDown(a.point_or_none(*places), a.option("button", options=BUTTONS, default="left"))],
    )


def mouse_up(*places: str) -> NativeAction:
    """Releasing a button; at the cursor if no place is given."""
    return NativeAction(
        (*spread(*places), "button"),
        lambda a: [MouseUp(a.point_or_none(*places), a.option("button", options=BUTTONS, default="left"))],
    )


def drag(starts: tuple[str, ...], ends: tuple[str, ...]) -> NativeAction:
    """A drag from the start, or else from the cursor, to the end; two places in one argument are both."""

    def make(a: Arguments) -> Iterable[Intent]:
        start = a.point_or_none(*starts) if starts else None
        if start is None and (path := a.path_or_none(*ends)) is not None:
            return [Drag(path[1], path[0])]
        if a.raw(*spread(*ends)) is None and starts and (path := a.path_or_none(*starts)) is not None:
            return [Drag(path[1], path[0])]
        return [Drag(a.point(*ends), start)]

    return NativeAction(spread(*starts, *ends), make)


def swipe(
    starts: tuple[str, ...], ends: tuple[str, ...], direction: str = "", names: Literal["finger", "content"] = "finger"
) -> NativeAction:
    """A swipe of the finger from start to end, or in a direction.

    Args:
        direction: name of the argument with a direction, "" for none.
        names: whether the direction says where the finger goes or where new content appears.
    """

    def make(a: Arguments) -> Iterable[Intent]:
        end = a.point_or_none(*ends) if ends else None
        if end is not None:
            return [Swipe(None, a.point(*starts), end)]
        if (path := a.path_or_none(*starts)) is not None:
            return [Swipe(None, *path)]
        if not direction:
            a.bad(f"needs {' or '.join(ends)}")
        way: Direction = a.option(direction, options=DIRECTIONS)
        return [Swipe(way if names == "finger" else OPPOSITE[way], a.point_or_none(*starts))]

    return NativeAction(spread(*starts, *ends, *((direction,) if direction else ())), make)


def scroll(
    *places: str, way: Direction | None = None, amount: str = "", usual: float = 5, unit: Unit = "notch"
) -> NativeAction:
    """Scrolling in a named direction (where new content appears); at the cursor if no place is given.

    Args:
        way: the direction, if the action's name implies it; None to read the argument `direction`.
        amount: name of the argument with the amount, "" to always use `usual`.
    """

    def make(a: Arguments) -> Iterable[Intent]:
        direction: Direction = way or a.option("direction", options=DIRECTIONS)
        size = a.number(amount, default=usual) if amount else usual
        return [_scroll(a, direction, a.point_or_none(*places), size, unit)]

    names = (*spread(*places), *(() if way else ("direction",)), *((amount,) if amount else ()))
    return NativeAction(names, make)


def scroll_signed(*places: str, amount: str, unit: Unit, across: bool = False) -> NativeAction:
    """Scrolling by a signed amount as in PyAutoGUI and Qwen: + is up (or right); at the cursor if no place is given."""

    def make(a: Arguments) -> Iterable[Intent]:
        return scroll_by(a, a.number(amount), a.point_or_none(*places), unit, across)

    return NativeAction((amount, *spread(*places)), make)


def scroll_by(a: Arguments, amount: float, at: Point | None, unit: Unit, across: bool) -> Iterable[Intent]:
    """Scrolling by an amount whose sign is the direction: + is up, or right if `across`."""
    ways: tuple[Direction, Direction] = ("right", "left") if across else ("up", "down")
    return [_scroll(a, ways[0] if amount > 0 else ways[1], at, abs(amount), unit)]


def scroll_delta(*places: str, across: str, down: str) -> NativeAction:
    """Scrolling by two deltas in pixels as in OpenAI's tool and the DOM: + is right and down."""

    def make(a: Arguments) -> Iterable[Intent]:
        at = a.point_or_none(*places)
        dx, dy = a.number(across, default=0.0), a.number(down, default=0.0)
        made: list[Intent] = []
        if dy:
            made.append(_scroll(a, "down" if dy > 0 else "up", at, abs(dy), "px"))
        if dx:
            made.append(_scroll(a, "right" if dx > 0 else "left", at, abs(dx), "px"))
        if not made:
            a.bad("an amount of 0 scrolls nothing")
        return made

    return NativeAction((*spread(*places), across, down), make)


def _scroll(a: Arguments, way: Direction, at: Point | None, amount: float, unit: Unit) -> Intent:
    if amount < 0:
        way, amount = OPPOSITE[way], -amount
    if amount == 0:
        a.bad("an amount of 0 scrolls nothing")
    return Scroll(way, at or a.cursor, amount, unit)


def cursor_after(intent: Intent, cursor: Point | None) -> Point | None:
    """The pointer's position after an action, given the one before."""
    for name in ("end", "at"):
        place = getattr(intent, name, None)
        if isinstance(place, Point):
            return place
    return cursor
