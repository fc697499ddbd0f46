"""Strict parsing of the arguments of one action written by a native model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, TypeAlias

from omnipilot.envs import Intent, Point
from omnipilot.envs.types import Frame, OutOfRange, parse_combination
from omnipilot.envs.types.keys import canonical
from omnipilot.memory import MalformedReply
from omnipilot.memory.models.replies import Call
from omnipilot.memory.models.replies.absence import says_absent
from omnipilot.memory.models.replies.action_text import excerpt
from omnipilot.memory.models.replies.coordinates import coordinates, number, two_places
from omnipilot.memory.models.replies.json_calls import NOT_THERE
from omnipilot.memory.models.replies.values import characters, key_name, parse_list

Corners: TypeAlias = Literal["named", "centre", "refuse"]
"""What four numbers for one place are: a box where the argument's name says box, always one, or no place."""


class Arguments:
    """The arguments of one call, read by name; invalid ones raise MalformedReply.

    An unknown argument is an error: a misspelled `coordinate` must never become a click at the
    cursor.

    Args:
        call: the call as written.
        takes: argument names, in the order of positional arguments.
        ignores: names of arguments without effect.
        frame: converts the model's numbers to points. cursor: position of the pointer, if known.
        corners: what four numbers for one place are.
    """

    def __init__(
        self,
        call: Call,
        takes: Sequence[str],
        ignores: Iterable[str],
        frame: Frame,
        cursor: Point | None,
        corners: Corners = "named",
    ) -> None:
        self.name = call.name
        self.line = call.line
        self.frame = frame
        self.cursor = cursor
        self._corners = corners
        if len(call.args) > len(takes):
            self.bad(f"takes at most {len(takes)} arguments without a name, not {len(call.args)}")
        self._given = dict(zip(takes, call.args, strict=False))
        for name, value in call.named.items():
            if name in self._given:
                self.bad(f"{name} is given twice")
            self._given[name] = value
        # Flat schemas make models fill in every argument: an empty one that the action does not take says nothing.
        strangers = [
            name
            for name, value in self._given.items()
            if name not in takes and name not in ignores and value not in (None, "", [], {})
        ]
        if strangers:
            self.bad(f"does not take {', '.join(map(repr, strangers))[:200]}; it takes {', '.join(takes) or 'nothing'}")

    def bad(self, problem: str) -> NoReturn:
        """Raise MalformedReply for this call."""
        where = f"line {self.line}: " if self.line else ""
        raise MalformedReply(f"{where}{self.name}: {problem}")

    def raw(self, *names: str) -> Any:
        """The first of the named arguments that is present and not None."""
        return next((self._given[name] for name in names if self._given.get(name) is not None), None)

    def point(self, *names: str) -> Point:
        """The point under the first name that is present; `x/y` means two arguments, one per coordinate.

        Of two places the first counts. Four numbers are a box, and give its centre, where the name says box, or the
        family's released code does so; elsewhere they are an error, because nobody named their middle.
        """
        place = self.point_or_none(*names)
        if place is None and any(part in self._given for name in names for part in name.split("/")):
            self.bad(f"null {NOT_THERE}")
        if place is None:
            self.bad(f"needs {' or '.join(name.replace('/', ' and ') for name in names)}")
        return place

    def point_or_none(self, *names: str) -> Point | None:
        """Like `point`, or None if no name is present. An invalid value is still an error."""
        for name in names:
            across, _, down = name.partition("/")
            given = [self._given.get(part) for part in (across, down) if part]
            if all(value is None for value in given):
                continue
            if any(value is None for value in given):
                # PyAutoGUI accepts a pair in place of x.
                if given[0] is not None and (found := coordinates(given[0])) is not None and len(found) == 2:
                    return self._place(found)
                self.bad(f"{across} and {down} belong together")
            return self._place(self._one_place(name, given[0] if len(given) == 1 else given))
        return None

    def path_or_none(self, *names: str) -> tuple[Point, Point] | None:
        """The start and the end where the first name that is present holds two places; else None."""
        value = self.raw(*names)
        if not two_places(value) or (found := coordinates(value)) is None or len(found) != 4:
            return None
        return self._place(found[:2]), self._place(found[2:])

    def _one_place(self, name: str, value: Any) -> tuple[float, ...]:
        found = self._numbers(name, value)
        if len(found) == 4 and "/" not in name and two_places(value):
            return found[:2]
        boxed = "box" in name or (isinstance(value, str) and "box>" in value)
        if len(found) == 4 and (self._corners == "refuse" or not (boxed or self._corners == "centre")):
            self.bad(f"{name.replace('/', ' and ')} is one place, not four numbers: {excerpt(str(value))}")
        return found

    def places(self, name: str) -> tuple[Point, ...]:
        """A list of points; empty if absent."""
        value = parse_list(self.raw(name))
        if value is None:
            return ()
        if not isinstance(value, list | tuple):
            self.bad(f"{name} is a list of places, not {excerpt(str(value))}")
        return tuple(self._place(self._one_place(name, item)) for item in value)

    def box(self, name: str) -> tuple[Point, Point] | None:
        """The upper left and lower right corner of a region; None if absent."""
        value = self.raw(name)
        if value is None:
            return None
        found = coordinates(value)
        if found is None or len(found) != 4:
            self.bad(f"{name} is four numbers, not {excerpt(str(value))}")
        one, other = self._place(found[:2]), self._place(found[2:])
        return Point(min(one.x, other.x), min(one.y, other.y)), Point(max(one.x, other.x), max(one.y, other.y))

    def text(self, *names: str, default: str | None = None) -> str:
        """Text under the first name that is present; numbers are kept as written."""
        value = self.raw(*names)
        if value is None:
            if default is None:
                self.bad(f"needs {' or '.join(names)}")
            return default
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            self.bad(f"{names[0]} is text, not {excerpt(str(value))}")
        return characters(value if isinstance(value, str) else f"{value}")

    def number(self, *names: str, default: float | None = None) -> float:
        """A finite number under the first name that is present; an empty text is none."""
        value = self.raw(*names)
        if value is None or (default is not None and isinstance(value, str) and not value.strip()):
            if default is None:
                self.bad(f"needs {' or '.join(names)}")
            return default
        found = number(value)
        if found is None:
            self.bad(f"{names[0]} is a number, not {excerpt(str(value))}")
        return found

    def whole(self, *names: str, default: int | None = None) -> int:
        """An integer under the first name that is present."""
        found = self.number(*names, default=default)
        if found != int(found):
            self.bad(f"{names[0]} is a whole number, not {found:g}")
        return int(found)

    def flag(self, name: str, default: bool) -> bool:
        """A boolean, also as the words true and false."""
        value = self.raw(name)
        if value is None or value == "":
            return default
        if isinstance(value, str) and value.strip().lower() in ("true", "false"):
            return value.strip().lower() == "true"
        if not isinstance(value, bool):
            self.bad(f"{name} is true or false, not {excerpt(str(value))}")
        return value

    def option(self, *names: str, options: Mapping[str, Any], default: Any = None) -> Any:
        """The value of a named option, ignoring case."""
        value = self.raw(*names)
        if value is None or (value == "" and default is not None):
            if default is None:
                self.bad(f"needs {' or '.join(names)}: {', '.join(options)}")
            return default
        found = options.get(str(value).strip().lower())
        if found is None:
            self.bad(f"{names[0]} is one of {', '.join(options)}, not {excerpt(str(value))}")
        return found

    def keys(self, *names: str) -> tuple[str, ...]:
        """Keys to press together: a list, or a combination such as "ctrl+c" or "ctrl c"."""
        value = parse_list(self.raw(*names))
        if value is None:
            self.bad(f"needs {' or '.join(names)}")
        try:
            if not isinstance(value, list | tuple):
                return parse_combination(key_name(value))
            if len(value) == 1:
                return parse_combination(key_name(value[0]))
            return tuple(canonical(key_name(item)) for item in value)
        except ValueError as error:
            self.bad(str(error))

    def key_list(self, *names: str) -> list[tuple[str, ...]]:
        """Keys to press one after the other: a list, or a single key."""
        value = parse_list(self.raw(*names))
        if value is None:
            self.bad(f"needs {' or '.join(names)}")
        return self.combinations(value if isinstance(value, list | tuple) else [value])

    def combinations(self, written: Iterable[Any]) -> list[tuple[str, ...]]:
        """Parse combinations such as "ctrl+c"."""
        try:
            return [parse_combination(key_name(item)) for item in written]
        except ValueError as error:
            self.bad(str(error))

    def place_at(self, x: float, y: float) -> Point:
        """The point for two numbers in the model's space."""
        return self._place((x, y))

    def _numbers(self, name: str, value: Any) -> tuple[float, ...]:
        found = coordinates(value)
        if found is None and says_absent(value):
            self.bad(f"{name.replace('/', ' and ')} {excerpt(str(value))} {NOT_THERE}")
        if found is None:
            self.bad(f"{name.replace('/', ' and ')} is no place: {excerpt(str(value))}; write its coordinates")
        return found

    def _place(self, found: Sequence[float]) -> Point:
        if len(found) == 4:
            found = (found[0] + found[2]) / 2, (found[1] + found[3]) / 2
        if tuple(found) == (-1, -1):
            self.bad(f"(-1, -1) {NOT_THERE}")
        try:
            return self.frame.to_point(*found)
        except OutOfRange as error:
            self.bad(str(error))


Make: TypeAlias = Callable[[Arguments], Iterable[Intent]]


@dataclass(frozen=True, slots=True)
class NativeAction:
    """The arguments and the meaning of one name in a family's vocabulary."""

    takes: tuple[str, ...]
    make: Make
