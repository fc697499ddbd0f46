"""From raw touches, mouse and keys to the verbs of agents: one pure function, and the thresholds that it goes by."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

from omnipilot.bench.play.raw_events import RawEvent
from omnipilot.envs import (
    Answer,
    AskUser,
    Browser,
    Click,
    Done,
    Drag,
    Intent,
    LongPress,
    OpenApp,
    OpenUrl,
    Point,
    Press,
    Scroll,
    Swipe,
    System,
    TypeText,
    Wait,
)
from omnipilot.memory import Move
from omnipilot.planners import Verbs

LONGEST_HOLD = 60.0
"""Seconds, the most that a `LongPress` holds."""
_MODIFIERS = ("ctrl", "alt", "shift", "meta")


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What makes one gesture another.

    Attributes:
        tap: seconds; a touch that ends earlier, where it began, is a tap, and otherwise a long press.
        double: seconds; taps at one place with at most so much between them are one double tap.
        slop: a finger that ends less than this from where it began has stayed there; a share of the screen's
            shorter side. mouse_slop: the same of a mouse.
        typing: seconds; keys with less than that between them are one text.
        wheel: seconds; notches of a wheel with at most so much between them are one scroll.
    """

    tap: float = 0.5
    double: float = 0.3
    slop: float = 0.02
    mouse_slop: float = 0.005
    typing: float = 1.5
    wheel: float = 0.3


@dataclass(frozen=True, slots=True)
class PlayedPrimitive:
    """One verb that a person carried out.

    Attributes:
        move: the device and the verb; its places are points.
        start, end: seconds on the clock of the events.
        first, last: the indices of the events that it was made of.
    """

    move: Move
    start: float
    end: float
    first: int
    last: int


def primitives_of(
    events: Sequence[RawEvent], screens: Mapping[str, Verbs], thresholds: Thresholds | None = None
) -> tuple[PlayedPrimitive, ...]:
    """The verbs that raw events stand for, in order.

    A finger or a mouse button that goes down and up: near where it went down it is a `Click`, two of a finger in a row
    a double one, three of a mouse a triple one; held longer it is a `LongPress`. Elsewhere, a finger makes a `Swipe`,
    along the axis on which it went further in pixels (the vertical one where both are equal), or a `Drag` if it rested
    at its place first as for a long press; a mouse makes a `Drag`. Keys in a row that write make one `TypeText` with
    the text that remains after its Backspaces; Enter at its end submits it, Shift and Enter begin a line. Other keys
    make a `Press`, equal ones in a row a repeated one; notches of a wheel in a row one `Scroll`.

    A touch without an end makes nothing.

    Args:
        events: in the order of their times.
        screens: what each device can do, and the size of its screen. A device without the verb of a gesture gets the
            nearest that it has, so that what the person did is carried out or refused, and never dropped.
        thresholds: None for the usual ones.

    Raises:
        ValueError: an event names a device that is not there, or the events are not in order.
    """
    maker = _Maker(screens, thresholds or Thresholds())
    for index, event in enumerate(events):
        if index and event.time < events[index - 1].time:
            raise ValueError(f"event {index} is earlier than the one before")
        if event.env and event.env not in screens:
            raise ValueError(f"event {index} is on {event.env!r}, and there are {', '.join(screens)}")
        maker.take(index, event)
    maker.close()
    return tuple(maker.made)


@dataclass(slots=True)
class _Stroke:
    """A finger or mouse button that is down, and where it has been."""

    first: int
    down: RawEvent
    left: float | None = None
    """When it was first away from where it went down."""


@dataclass(slots=True)
class _Taps:
    first: int
    last: int
    down: RawEvent
    end: float
    count: int = 1


@dataclass(slots=True)
class _Typing:
    first: int
    last: int
    env: str
    start: float
    end: float
    text: str = ""


@dataclass(slots=True)
class _Keys:
    first: int
    last: int
    env: str
    start: float
    end: float
    keys: tuple[str, ...]
    repeat: int = 1


@dataclass(slots=True)
class _Turning:
    first: int
    last: int
    env: str
    at: Point
    start: float
    end: float
    direction: str
    amount: float


@dataclass(slots=True)
class _Maker:
    """Takes events one by one; at most one of its parts is open at a time, besides the stroke."""

    screens: Mapping[str, Verbs]
    how: Thresholds
    made: list[PlayedPrimitive] = field(default_factory=list)
    stroke: _Stroke | None = None
    open: _Taps | _Typing | _Keys | _Turning | None = None

    def take(self, index: int, event: RawEvent) -> None:
        """Take the next event."""
        match event.kind:
            case "down":
                self.stroke = _Stroke(index, event)
                if not self._goes_on(event):
                    self.close()
            case "move":
                stroke = self.stroke
                if stroke is not None and stroke.left is None and not self._stayed(stroke.down, event):
                    stroke.left = event.time
            case "up":
                stroke, self.stroke = self.stroke, None
                if stroke is not None and stroke.down.env == event.env:
                    self._lift(stroke, index, event)
            case "wheel":
                self._turn(index, event)
            case "key" | "text":
                self._write(index, event)
            case _:
                self.close()
                self._add(event.env, _control(event), event.time, event.time, index, index)

    def close(self) -> None:
        """Finish what more events might have gone on with."""
        match self.open:
            case _Taps() as taps:
                down = taps.down
                self._add(down.env, _click(down, taps.count), down.time, taps.end, taps.first, taps.last)
            case _Typing() as typing:
                if typing.text:
                    self._type(typing)
            case _Keys() as keys:
                press = Press(keys.keys, keys.repeat)
                self._add(keys.env, press, keys.start, keys.end, keys.first, keys.last)
            case _Turning() as turning:
                scroll = self._scroll(turning)
                self._add(turning.env, scroll, turning.start, turning.end, turning.first, turning.last)
        self.open = None

    def _add(self, env: str, intent: Intent, start: float, end: float, first: int, last: int) -> None:
        self.made.append(PlayedPrimitive(Move(env, intent), start, end, first, last))

    def _type(self, typing: _Typing, submit: bool = False) -> None:
        verb: Intent = TypeText(typing.text, submit=submit)
        self._add(typing.env, verb, typing.start, typing.end, typing.first, typing.last)

    def _stayed(self, one: RawEvent, other: RawEvent) -> bool:
        """Whether two events of a pointer are at one place of one screen."""
        if one.env != other.env:
            return False
        across, down, shorter = self._distance(one, other)
        slop = self.how.slop if one.button == "touch" else self.how.mouse_slop
        return math.hypot(across, down) < slop * shorter

    def _distance(self, one: RawEvent, other: RawEvent) -> tuple[float, float, float]:
        """Pixels to the right and down from one to the other, and the length of the screen's shorter side; where the
        device does not tell its size, its screen counts as a square."""
        size = self.screens[one.env].size
        width, height = (1, 1) if size is None else (size.width, size.height)
        first, last = _place(one), _place(other)
        return (last.x - first.x) * width, (last.y - first.y) * height, float(min(width, height))

    def _goes_on(self, down: RawEvent) -> bool:
        """Whether a touch may be the next of the taps that are open."""
        taps = self.open
        if not isinstance(taps, _Taps) or taps.count >= (2 if down.button == "touch" else 3):
            return False
        same = (taps.down.env, taps.down.button, taps.down.keys) == (down.env, down.button, down.keys)
        return same and down.time - taps.end <= self.how.double and self._stayed(taps.down, down)

    def _lift(self, stroke: _Stroke, index: int, up: RawEvent) -> None:
        """The end of a touch."""
        down, kinds = stroke.down, self.screens[up.env].kinds
        held = up.time - down.time
        if self._stayed(down, up):
            if held < self.how.tap:
                if isinstance(self.open, _Taps):
                    taps = self.open
                    taps.last, taps.end, taps.count = index, up.time, taps.count + 1
                else:
                    self.close()
                    self.open = _Taps(stroke.first, index, down, up.time)
                return
            self.close()
            intent: Intent = _click(down, 1)
            if down.button in ("touch", "left") and not down.keys and "long_press" in kinds:
                intent = LongPress(_place(down), min(round(held, 3), LONGEST_HOLD))
        else:
            self.close()
            intent = self._drawn(stroke, up, kinds)
        self._add(up.env, intent, down.time, up.time, stroke.first, index)

    def _drawn(self, stroke: _Stroke, up: RawEvent, kinds: frozenset[str]) -> Intent:
        """What a touch that ended elsewhere is."""
        down, start, end = stroke.down, _place(stroke.down), _place(up)
        rested = (up.time if stroke.left is None else stroke.left) - down.time >= self.how.tap
        swipes = down.button == "touch" and not rested and "swipe" in kinds
        if swipes or "drag" not in kinds:
            across, along, _ = self._distance(down, up)
            straight = Point(start.x, end.y) if abs(along) >= abs(across) else Point(end.x, start.y)
            return Swipe(start=start, end=straight)
        button = down.button if down.button in ("middle", "right") else "left"
        return Drag(end, start, button=cast("Literal['left', 'middle', 'right']", button))

    def _turn(self, index: int, event: RawEvent) -> None:
        """A wheel."""
        if not event.across and not event.down:
            return
        vertical = abs(event.down) >= abs(event.across)
        notches = event.down if vertical else event.across
        direction = ("down" if notches > 0 else "up") if vertical else ("right" if notches > 0 else "left")
        turning = self.open
        if (
            isinstance(turning, _Turning)
            and (turning.env, turning.direction) == (event.env, direction)
            and event.time - turning.end <= self.how.wheel
        ):
            turning.last, turning.end, turning.amount = index, event.time, turning.amount + abs(notches)
            return
        self.close()
        at = _place(event)
        self.open = _Turning(index, index, event.env, at, event.time, event.time, direction, abs(notches))

    def _scroll(self, turning: _Turning) -> Intent:
        direction = cast("Literal['up', 'down', 'left', 'right']", turning.direction)
        kinds = self.screens[turning.env].kinds
        if "scroll" not in kinds and "swipe" in kinds:
            against = {"up": "down", "down": "up", "left": "right", "right": "left"}[direction]
            return Swipe(cast("Literal['up', 'down', 'left', 'right']", against), start=turning.at)
        return Scroll(direction, turning.at, min(max(round(turning.amount, 2), 0.01), 10_000))

    def _write(self, index: int, event: RawEvent) -> None:
        """A key, or a text."""
        typing = self.open if isinstance(self.open, _Typing) else None
        if typing is not None and (typing.env != event.env or event.time - typing.end >= self.how.typing):
            self.close()
            typing = None
        chord = set(event.keys[:-1]) - {"shift"}
        written = event.text if event.kind == "text" or not chord else ""
        named = event.keys[-1] if event.kind == "key" else ""
        if event.kind == "key" and named == "enter" and event.keys == ("shift", "enter"):
            written = "\n"
        if written:
            if typing is None:
                self.close()
                typing = self.open = _Typing(index, index, event.env, event.time, event.time)
            typing.text += written
            typing.last, typing.end = index, event.time
        elif typing is not None and typing.text and event.keys == ("backspace",):
            typing.text = typing.text[:-1]
            typing.last, typing.end = index, event.time
        elif typing is not None and typing.text and event.keys == ("enter",):
            typing.last, typing.end = index, event.time
            self.open = None
            self._type(typing, submit=True)
        elif event.kind == "key" and named not in _MODIFIERS:
            self._press(index, event)

    def _press(self, index: int, event: RawEvent) -> None:
        """A key that writes nothing."""
        pressed = self.open
        if (
            isinstance(pressed, _Keys)
            and (pressed.env, pressed.keys) == (event.env, event.keys)
            and event.time - pressed.end < self.how.typing
            and pressed.repeat < 100
        ):
            pressed.last, pressed.end, pressed.repeat = index, event.time, pressed.repeat + 1
            return
        self.close()
        self.open = _Keys(index, index, event.env, event.time, event.time, event.keys)


def _place(event: RawEvent) -> Point:
    if event.at is None:
        raise ValueError(f"a {event.kind} event has a place")
    return event.at


def _click(down: RawEvent, count: int) -> Intent:
    button = down.button if down.button in ("middle", "right", "back", "forward") else "left"
    held = tuple(key for key in _MODIFIERS if key in down.keys)
    return Click(
        _place(down),
        cast("Literal['left', 'middle', 'right', 'back', 'forward']", button),
        count,
        cast("tuple[Literal['ctrl', 'alt', 'shift', 'meta'], ...]", held),
    )


def _control(event: RawEvent) -> Intent:
    """The verb of a button around the screens.

    Raises:
        ValueError: there is no such key or ending, or a text is missing.
    """
    match event.kind:
        case "system":
            return System(event.text)  # type: ignore[arg-type]
        case "app":
            return OpenApp(event.text)
        case "browser":
            return Browser(event.text)  # type: ignore[arg-type]
        case "url":
            return OpenUrl(event.text)
        case "wait":
            return Wait(event.seconds)
        case "answer":
            return Answer(event.text)
        case "ask":
            return AskUser(event.text)
    return Done(event.text or "success")  # type: ignore[arg-type]
