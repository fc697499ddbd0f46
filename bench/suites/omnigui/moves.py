"""Converts between OmniGUI's primitives and our verbs, in both directions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from omnipilot.bench.suites.omnigui.metrics.actions import SWIPES, Primitive, swipe_towards
from omnipilot.bench.suites.omnigui.metrics.fields import Pair
from omnipilot.bench.suites.omnigui.metrics.targets import TargetField
from omnipilot.bench.suites.omnigui.steps import StepRecord
from omnipilot.envs import Action, Click, Done, LongPress, Noop, Point, Scroll, Size, Swipe, System, TypeText, Wait
from omnipilot.envs.types import Direction

VERBS = frozenset({"click", "long_press", "swipe", "scroll", "type", "system"})
"""What a recorded phone is told to be able to do; the loop's own verbs are beside it."""
_BACK: dict[Direction, Direction] = {"up": "down", "down": "up", "left": "right", "right": "left"}
_TOWARDS: dict[Primitive, Direction] = {
    Primitive.SWIPE_UP: "up",
    Primitive.SWIPE_DOWN: "down",
    Primitive.SWIPE_LEFT: "left",
    Primitive.SWIPE_RIGHT: "right",
}
_MIDDLE = Point(0.5, 0.5)


def reply_of(actions: Sequence[Action]) -> str:
    """A prediction as a reply in OmniGUI's format: its first action only; "" without an action."""
    said = primitive(actions[0]) if actions else None
    return "" if said is None else json.dumps(said, ensure_ascii=False)


def primitive(action: Action) -> dict[str, Any] | None:
    """An action as the object that OmniGUI expects; None if no primitive matches it.

    A swipe's direction is that of its two ends in thousandths, as the release reads it (equal sides are vertical). A
    swipe or scroll without an end has none here either. By the verbs' definition they start in the middle of the
    screen where no place is given, and the finger moves against the direction of a scroll.
    """
    match action:
        case Click(at, button, count, modifiers) if button == "left" and count < 3 and not modifiers:
            return _told(Primitive.DOUBLE_TAP if count == 2 else Primitive.TAP, coordinate=at)
        case LongPress(at):
            return _told(Primitive.LONG_PRESS, coordinate=at)
        case Swipe(direction=None, start=Point() as start, end=Point() as end):
            towards = swipe_towards(thousandths(start), thousandths(end))
            return _told(towards, start_coordinate=start, end_coordinate=end)
        case Swipe(direction=str() as direction, start=start):
            return _told(_swipe(direction), start_coordinate=start or _MIDDLE)
        case Scroll(direction, at):
            return _told(_swipe(_BACK[direction]), start_coordinate=at or _MIDDLE)
        case TypeText(text):
            return {"action_type": Primitive.INPUT.value, "text": text}
        case System("back"):
            return _told(Primitive.BACK)
        case System("home"):
            return _told(Primitive.HOME)
        case Done(status):
            return _told(Primitive.TASK_COMPLETE if status == "success" else Primitive.TASK_IMPOSSIBLE)
        case Wait() | Noop():
            return _told(Primitive.NONE)
        case _:
            return None


def thousandths(place: Point) -> Pair:
    """A place in the benchmark's units, truncated as its targets are, so that points inside stay inside."""
    # The tiny nudge undoes 570 / 1000 * 1000 falling just below 570.
    x, y = place.to_permille()
    return int(x + 1e-6), int(y + 1e-6)


def step_action(step: StepRecord) -> Action:
    """A step's recorded action as a verb: at the centre of its target, or centre to centre for a swipe.

    Where the data does not say where, a swipe has its direction alone, and a tap is no action that could be told.
    """
    action = step.action
    if action == Primitive.NONE:
        return Wait(1.0)
    if action == Primitive.INPUT:
        return TypeText(step.text)
    if action in (Primitive.BACK, Primitive.HOME):
        return System("back" if action == Primitive.BACK else "home")
    if action in (Primitive.TASK_COMPLETE, Primitive.TASK_IMPOSSIBLE):
        return Done("success" if action == Primitive.TASK_COMPLETE else "infeasible")
    if step.touch is None:
        return Swipe(_TOWARDS[action]) if action in SWIPES else Noop()
    at = middle(step.touch, step.size)
    if action in SWIPES:
        end = None if step.lift is None else middle(step.lift, step.size)
        if end is not None and swipe_towards(thousandths(at), thousandths(end)) == action:
            return Swipe(start=at, end=end)
        return Swipe(_TOWARDS[action], at)
    if action == Primitive.LONG_PRESS:
        return LongPress(at)
    return Click(at, count=2 if action == Primitive.DOUBLE_TAP else 1)


def middle(target: TargetField, size: tuple[int, int]) -> Point:
    """The point, or the centre of the (first) rectangle, kept on the screen."""
    if target.point is not None:
        x, y = target.point
    else:
        x1, y1, x2, y2 = target.rectangles[0]
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
    return Point.from_pixels(min(max(x, 0.0), size[0]), min(max(y, 0.0), size[1]), Size(*size))


def _swipe(direction: Direction) -> Primitive:
    return next(one for one, towards in _TOWARDS.items() if towards == direction)


def _told(action: Primitive, **places: Point | None) -> dict[str, Any]:
    given = {name: list(thousandths(place)) for name, place in places.items() if place is not None}
    return {"action_type": action.value, **given}
