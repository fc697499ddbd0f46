"""What a person did with hands, as it came: one event after another, on one clock."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeAlias, get_args

from omnipilot.envs import ConfigError, Point

EventKind: TypeAlias = Literal[
    "down", "move", "up", "wheel", "key", "text", "system", "app", "browser", "url", "wait", "answer", "ask", "done"
]
"""`down`, `move` and `up` of a finger or a mouse button, `wheel`, `key` (one key, with the modifiers that were held),
`text` (pasted, or from an input method); the others are the buttons around the screen."""
POINTED = frozenset({"down", "move", "up", "wheel"})
DEVICE = POINTED | {"key", "text", "system", "app", "browser", "url"}
"""Those that happen on one device, which they name."""
MOST_EVENTS = 20_000
"""Events that are taken at once."""


@dataclass(frozen=True, slots=True)
class RawEvent:
    """One event.

    Attributes:
        time: seconds on the clock of the whole recording.
        env: the device; "" for what concerns none.
        at: of a finger, the mouse or the wheel: where, as shares of the screen.
        button: of the mouse; "touch" for a finger.
        keys: for `key`, the modifiers that were held and then the key itself, by canonical names; for the others, the
            modifiers that were held.
        text: the character that `key` writes ("" for none), a text, the name of a system key, an app or a button of the
            browser, an address, an answer, a question, or how it ended (`success` or `failure`).
        across, down: for `wheel`, notches to the right and downwards.
        seconds: for `wait`, how long.

    Raises:
        ValueError: it is not so.
    """

    kind: EventKind
    time: float
    env: str = ""
    at: Point | None = None
    button: str = ""
    keys: tuple[str, ...] = ()
    text: str = ""
    across: float = 0.0
    down: float = 0.0
    seconds: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in get_args(EventKind):
            raise ValueError(f"no event is of the kind {self.kind!r:.60}; there are {', '.join(get_args(EventKind))}")
        if not (math.isfinite(self.time) and self.time >= 0):
            raise ValueError(f"the time of an event is a number of seconds from 0, not {self.time!r:.60}")
        if self.kind in DEVICE and not self.env:
            raise ValueError(f"a {self.kind} event names the device that it happened on")
        if (self.kind in POINTED) != (self.at is not None):
            raise ValueError(f"a {self.kind} event has {'a' if self.kind in POINTED else 'no'} place")
        if self.kind == "key" and not self.keys:
            raise ValueError("a key event names its key")

    def to_json(self) -> dict[str, Any]:
        """As JSON values: what is empty is left out, `at` is [x, y]."""
        out: dict[str, Any] = {}
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, Point):
                out[one.name] = [value.x, value.y]
            elif value or one.name == "time":
                out[one.name] = list(value) if isinstance(value, tuple) else value
        return out


def read_raw_events(values: object) -> tuple[RawEvent, ...]:
    """The events of a JSON list, in the order of their times.

    Raises:
        ConfigError: it is none; the message says which event is wrong, and how.
    """
    if not isinstance(values, list) or len(values) > MOST_EVENTS:
        raise ConfigError(f"events are a list of at most {MOST_EVENTS} entries")
    found: list[RawEvent] = []
    for number, value in enumerate(values):
        try:
            found.append(_event(value))
        except (ValueError, TypeError) as error:
            raise ConfigError(f"event {number} cannot be read: {error}") from None
        if number and found[number].time < found[number - 1].time:
            raise ConfigError(f"event {number} is earlier than the one before; events come in the order of their times")
    return tuple(found)


def _event(value: object) -> RawEvent:
    if not isinstance(value, Mapping):
        raise ValueError("it is no object")
    texts = {name: value.get(name, "") for name in ("kind", "env", "button", "text")}
    numbers = {name: value.get(name, 0.0) for name in ("time", "across", "down", "seconds")}
    for name, one in texts.items():
        if not isinstance(one, str):
            raise ValueError(f"{name} is a text")
    for name, one in numbers.items():
        if type(one) not in (int, float) or not math.isfinite(one):
            raise ValueError(f"{name} is a number")
    keys, at = value.get("keys", []), value.get("at")
    if not isinstance(keys, Sequence) or isinstance(keys, str) or not all(type(key) is str for key in keys):
        raise ValueError("keys is a list of names")
    place = None
    if at is not None:
        if not isinstance(at, list) or len(at) != 2 or any(type(one) not in (int, float) for one in at):
            raise ValueError("at is [x, y], both as shares of the screen")
        place = Point(float(at[0]), float(at[1]))
    made: dict[str, Any] = {**texts, **{name: float(one) for name, one in numbers.items()}}
    return RawEvent(**made, keys=tuple(keys), at=place)
