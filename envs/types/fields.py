"""The base of every verb: a frozen dataclass whose fields declare their bounds, checked when it is constructed.

Bounds are declared once, in the metadata of the fields; the JSON codec builds its models and schemas from the same
metadata. Not `Annotated` with annotated-types: those only declare, pydantic checks, and this module must not load it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from typing import Any, ClassVar, TypeAlias, cast

from omnipilot.envs.types.geometry import Box, Point
from omnipilot.envs.types.keys import canonical

LONGEST_TEXT = 10_000
LONGEST_NAME = 500
LONGEST_WAIT = 600.0
LONGEST_PATH = 100
"""Maximum number of places that a drag passes through."""


@dataclass(frozen=True, slots=True)
class Ref:
    """The id of an element or of a drawn mark, used as a place; its coordinates are looked up later."""

    id: str

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or not 1 <= len(self.id) <= LONGEST_NAME:
            raise ValueError(f"an element id is text of 1..{LONGEST_NAME} characters, not {self.id!r:.60}")


_Check: TypeAlias = Callable[[Any, Mapping[str, Any]], str | None]
Described: TypeAlias = str | Ref
"""A place in words ("the Save button") or by the id of an element or mark: a grounder has to find it."""
Place: TypeAlias = Point | str | Ref
"""Where an intent acts: a point (x and y in 0..1), or a described place."""


def _field(default: Any, **bounds: Any) -> Any:
    bounds["optional"] = default is None
    return field(metadata=bounds) if default is MISSING else field(default=default, metadata=bounds)


def number(default: Any, low: float, high: float, whole: bool = False) -> Any:
    """A field that holds a number in `low`..`high`; also None if that is the default."""
    return _field(default, low=low, high=high, whole=whole)


def text(default: Any = MISSING, longest: int = LONGEST_TEXT, shortest: int = 0, example: str = "hi") -> Any:
    """A field that holds text of `shortest`..`longest` characters, such as `example`."""
    return _field(default, longest=longest, shortest=shortest, example=example)


def flag() -> Any:
    """A field that holds a truth value; false by default."""
    return _field(False, flag=True)


def choice(default: Any, options: Any, untold: tuple[str, ...] = ()) -> Any:
    """A field that holds one option of a `Literal`; also None if that is the default.

    Args:
        untold: options that are valid, and that the schemas for models do not list.
    """
    return _field(default, options=tuple(options.__args__), untold=untold)


def choices(options: Any) -> Any:
    """A field that holds a tuple of options of a `Literal`, at most as many as there are; empty by default."""
    return _field((), each=tuple(options.__args__), most=len(options.__args__))


def keys(example: str) -> Any:
    """A field that holds a tuple of 1..8 keys, such as `example`; they are stored under their canonical names."""
    return _field(MISSING, keys=True, most=8, example=(example,))


def place(default: Any = MISSING) -> Any:
    """A field that holds a place; also None if that is the default."""
    return _field(default, place=True, most=None)


def path() -> Any:
    """A field that holds a tuple of at most `LONGEST_PATH` places; empty by default."""
    return _field((), place=True, most=LONGEST_PATH)


def box() -> Any:
    """A field that holds a `Box` or None."""
    return _field(None, box=True)


def arguments() -> Any:
    """A field that holds a mapping of names to JSON values; empty by default."""
    return field(default_factory=dict, hash=False, metadata={"json": True, "optional": False})


@dataclass(frozen=True, slots=True)
class Verb:
    """Base of every verb: checks each field against the bounds that it declares.

    Raises:
        ValueError: a field is out of bounds; the message names it.
    """

    kind: ClassVar[str]

    def __post_init__(self) -> None:
        for name, bounds, check in _bounded_fields(cast(Hashable, type(self))):
            value = getattr(self, name)
            problem = None if value is None and bounds["optional"] else check(value, bounds)
            if problem:
                raise ValueError(f"{self.kind}.{name} {problem}")
            if "keys" in bounds:
                object.__setattr__(self, name, tuple(canonical(key) for key in value))
            elif "json" in bounds:
                object.__setattr__(self, name, dict(value))


@cache
def _bounded_fields(verb: Any) -> tuple[tuple[str, Mapping[str, Any], _Check], ...]:
    """The fields of a verb, each with its bounds and its check, which the first bound that is declared selects."""
    return tuple((spec.name, spec.metadata, _check_of(spec.metadata)) for spec in fields(verb))


def _check_of(bounds: Mapping[str, Any]) -> _Check:
    return next((check for name, check in _CHECKS.items() if name in bounds), _no_problem)


def _no_problem(_: Any, __: Mapping[str, Any]) -> None:
    return None


def _number_problem(value: Any, bounds: Mapping[str, Any]) -> str | None:
    kinds: Any = int if bounds["whole"] else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds) or not bounds["low"] <= value <= bounds["high"]:
        return f"must be a {'whole ' * bounds['whole']}number in {bounds['low']}..{bounds['high']}, not {value!r:.60}"
    return None


def _text_problem(value: Any, bounds: Mapping[str, Any]) -> str | None:
    if not isinstance(value, str) or not bounds["shortest"] <= len(value) <= bounds["longest"]:
        return f"must be text of {bounds['shortest']}..{bounds['longest']} characters"
    return None


def _flag_problem(value: Any, _: Mapping[str, Any]) -> str | None:
    return None if isinstance(value, bool) else f"must be true or false, not {value!r:.60}"


def _choice_problem(value: Any, bounds: Mapping[str, Any]) -> str | None:
    return None if value in bounds["options"] else f"must be one of {', '.join(bounds['options'])}, not {value!r:.60}"


def _choices_problem(value: Any, bounds: Mapping[str, Any]) -> str | None:
    if (
        not isinstance(value, tuple)
        or len(value) > bounds["most"]
        or not all(option in bounds["each"] for option in value)
    ):
        return f"must be a tuple of at most {bounds['most']} of {', '.join(bounds['each'])}, not {value!r:.60}"
    return None


def _keys_problem(value: Any, bounds: Mapping[str, Any]) -> str | None:
    if not isinstance(value, tuple) or not 1 <= len(value) <= bounds["most"]:
        return f"must be a tuple of 1..{bounds['most']} keys, not {value!r:.60}"
    if not all(isinstance(key, str) for key in value):
        return f"must be names of keys, not {value!r:.60}"
    return None


def _place_problem(value: Any, bounds: Mapping[str, Any]) -> str | None:
    if bounds["most"] is not None and not (isinstance(value, tuple) and len(value) <= bounds["most"]):
        return f"must be a tuple of at most {bounds['most']} places"
    for item in (value,) if bounds["most"] is None else value:
        if not isinstance(item, Point | str | Ref):
            return f"must be a Point, a description or a Ref, not {item!r:.60}"
        if isinstance(item, str) and not 1 <= len(item) <= LONGEST_NAME:
            return f"must be a description of 1..{LONGEST_NAME} characters"
    return None


def _box_problem(value: Any, _: Mapping[str, Any]) -> str | None:
    return None if isinstance(value, Box) else f"must be a Box, not {value!r:.60}"


def _json_problem(value: Any, _: Mapping[str, Any]) -> str | None:
    if isinstance(value, Mapping) and _is_json(dict(value)):
        return None
    return f"must map names to JSON values (text, finite numbers, true, false, null, lists, maps), not {value!r:.60}"


def _is_json(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(name, str) and _is_json(item) for name, item in value.items())
    if isinstance(value, list):
        return all(_is_json(item) for item in value)
    return value is None or isinstance(value, str | int) or (isinstance(value, float) and abs(value) < float("inf"))


_CHECKS: dict[str, _Check] = {
    "low": _number_problem,
    "longest": _text_problem,
    "flag": _flag_problem,
    "options": _choice_problem,
    "each": _choices_problem,
    "keys": _keys_problem,
    "place": _place_problem,
    "box": _box_problem,
    "json": _json_problem,
}
