"""Options of devices: what a class takes is read from its signature, and what a file gives is checked against it."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from omnipilot.envs.schema.validation_messages import nearest, short
from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.types.geometry import Size

GIVEN = frozenset({"name", "clock", "thinking"})
"""Arguments that are no options: the world gives them."""
_SIZE = re.compile(r"([1-9]\d{0,4})x([1-9]\d{0,4})")
_WORDS: Mapping[Any, tuple[str, str]] = {
    str: ("a text", "texts"),
    bool: ("true or false", "true or false"),
    int: ("a whole number", "whole numbers"),
    float: ("a number", "numbers"),
    Path: ("the path of a file or folder", "paths"),
    Size: ('a size such as "1280x800"', "sizes"),
}
"""What to write for a value of a type, and for several of them."""
# Numbers beyond a billion are no seconds, pixels or megabytes, and the system takes them for none.
_CHECKED: Mapping[Any, Any] = {
    str: Annotated[str, Field(pattern=r"^[^\x00]*\z")],
    bool: bool,
    int: Annotated[int, Field(ge=-(10**9), le=10**9)],
    float: Annotated[float, Field(ge=-1e9, le=1e9)],
    Path: Annotated[str, Field(pattern=r"^[^\x00]+\z")],
    Size: Annotated[str, Field(pattern=rf"^{_SIZE.pattern}\z")],
}


def takes(factory: Any) -> tuple[str, ...]:
    """The options of a class, in the order of its arguments: those that a file can give."""
    return tuple(_options(factory))


def option_words(factory: Any) -> dict[str, str]:
    """What to write for each option of a class, in words."""
    return {name: words(hint) for name, hint in _options(factory).items()}


def check_options(kind: str, factory: Any, options: Mapping[str, Any]) -> None:
    """Refuse options that a class does not take or that are not what it takes, and the lack of one that it needs.

    Raises:
        ConfigError: there are such; the message names all of them.
    """
    if found := list(option_mistakes(kind, factory, options)):
        raise ConfigError("; ".join(found))


def option_mistakes(kind: str, factory: Any, options: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with options, each with the option's name, and what to write instead."""
    known, parameters = _options(factory), inspect.signature(factory).parameters
    open_to_all = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    # None of our kinds takes a number below zero; others say themselves what they take.
    ours = getattr(factory, "__module__", "").startswith("omnipilot.")
    right = {}
    for name, value in options.items():
        if name not in known and (not open_to_all or name in parameters):
            cure = nearest(name, known) if known else "it takes no options"
            yield f"{name}: a device of kind {kind!r} takes no {name!r}; {cure}"
        elif name in known and (told := misfit(known[name], value)):
            yield f"{name} must be {told}"
        elif ours and isinstance(value, int | float) and value < 0:
            yield f"{name} must be at least 0, not {short(value)}"
        elif name in known:
            right[name] = value
    for name, parameter in parameters.items():
        if parameter.default is parameter.empty and parameter.kind not in (
            parameter.VAR_POSITIONAL,
            parameter.VAR_KEYWORD,
        ):
            if name in known and name not in options:
                yield f"{name}: a device of kind {kind!r} needs {name!r}: {words(known[name])}"
            elif name not in known and name not in GIVEN:
                yield f"{name}: a device of kind {kind!r} needs {name!r}, which no file can give; give it a default"
    mistakes = getattr(factory, "option_mistakes", None)
    if mistakes is not None:
        # A kind of device may be a function, which tells none.
        yield from mistakes(right)


def typed_options(factory: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as the class wants them: sizes, which files and flags write as "1280x800", and paths."""
    made = dict(options)
    known = _options(factory)
    for name, value in options.items():
        if isinstance(value, str) and name in known:
            hints = _alternatives(known[name])
            if Size in hints and (size := _SIZE.fullmatch(value)):
                made[name] = Size(int(size[1]), int(size[2]))
            elif Path in hints and str not in hints:
                made[name] = Path(value)
    return made


def is_path(factory: Any, option: str) -> bool:
    """Whether an option of a class names a file or folder of this machine."""
    hint = _options(factory).get(option)
    return hint is not None and (Path in _alternatives(hint) or option.endswith(("_file", "_dir")))


def misfit(hint: Any, value: Any) -> str:
    """What must be written instead of a value that is none of a type: "a text, not 5"; "" if it is one."""
    try:
        _adapter(hint).validate_python(value)
    except ValidationError:
        return f"{words(hint)}, not {short(value)}"
    return ""


def words(hint: Any) -> str:
    """What to write for a value of a type: "a text", "a list of numbers", …"""
    told = dict.fromkeys(_told(one) for one in _alternatives(hint) if not (one is str and Path in _alternatives(hint)))
    return " or ".join(told)


def _told(hint: Any, several: bool = False) -> str:
    if hint in _WORDS:
        return _WORDS[hint][several]
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return f"one of {', '.join(map(str, inner))}"
    if origin in (list, dict):
        lists = "lists" if several else "a list"
        tables = "tables" if several else "a table"
        what = " or ".join(_told(one, True) for one in _alternatives(inner[-1])) if inner else "values"
        return f"{lists if origin is list else tables} of {what}"
    return "values" if several else "a value"


@cache
def _adapter(hint: Any) -> TypeAdapter[Any]:
    return TypeAdapter(_checked(hint), config=ConfigDict(strict=True))


def _checked(hint: Any) -> Any:
    """A type as pydantic checks it."""
    if hint in _CHECKED:
        return _CHECKED[hint]
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Union:
        return Union[tuple(map(_checked, inner))]  # noqa: UP007
    if origin is list:
        return list[_checked(inner[0])]  # type: ignore[misc]
    if origin is dict:
        return dict[str, _checked(inner[1])]  # type: ignore[misc]
    return hint


@cache
def _options(factory: Any) -> dict[str, Any]:
    """The types of a class's options by name, as TOML has them; of an argument that says none, `Any`."""
    try:
        hints = get_type_hints(factory.__init__ if isinstance(factory, type) else factory)  # type: ignore[misc]
    except (NameError, TypeError, AttributeError, SyntaxError):
        # Names that only a type checker imports: what an option is cannot be told then.
        hints = {}
    found = {}
    for name, one in inspect.signature(factory).parameters.items():
        if name in GIVEN or one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD, one.POSITIONAL_ONLY):
            continue
        if (shape := _shape(hints.get(name, Any))) is not None:
            found[name] = shape
    return found


def _shape(hint: Any) -> Any:
    """A type as far as TOML can write it: texts, numbers, lists and tables; None for what it cannot.

    Of alternatives those that it can write are left.
    """
    if hint is Any or hint in _WORDS:
        return hint
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _shape(inner[0])
    if origin is Literal:
        return hint if all(isinstance(one, str | int) for one in inner) else None
    if origin in (Union, types.UnionType):
        shapes = [shape for one in inner if one is not types.NoneType and (shape := _shape(one)) is not None]
        return Union[tuple(shapes)] if shapes else None  # noqa: UP007
    if origin in (list, tuple, Sequence) and inner:
        shape = _shape(inner[0])
        return None if shape is None else list[shape]  # type: ignore[valid-type]
    if origin in (dict, Mapping) and inner:
        shape = _shape(inner[1])
        return None if shape is None else dict[str, shape]  # type: ignore[valid-type]
    plain = {list: list[Any], tuple: list[Any], Sequence: list[Any], dict: dict[str, Any], Mapping: dict[str, Any]}
    return plain.get(hint)


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) is Union else (hint,)
