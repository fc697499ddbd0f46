"""Holes in the arguments of checks, such as `{note}`, and the values that fill them in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.judges.state_path import plain
from omnipilot.envs import ConfigError

_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


def holes_in(argument: Any) -> Iterator[str]:
    """Names of the holes in an argument, wherever they stand in it."""
    if isinstance(argument, str):
        yield from (found[1] for found in _PIECE.finditer(argument) if found[1] is not None)
    elif isinstance(argument, Mapping):
        yield from (name for one in argument.values() for name in holes_in(one))
    elif isinstance(argument, (list, tuple)):
        yield from (name for one in argument for name in holes_in(one))


def fill(argument: Any, values: Mapping[str, Any]) -> Any:
    """An argument with its holes filled in. A hole that is all of a text keeps the type of its value; `{{` and `}}`
    are braces.

    Raises:
        ConfigError: there is no value for a hole, with the nearest ones.
    """
    if isinstance(argument, Mapping):
        return {name: fill(one, values) for name, one in argument.items()}
    if isinstance(argument, (list, tuple)):
        return [fill(one, values) for one in argument]
    if not isinstance(argument, str):
        return argument
    whole = _PIECE.fullmatch(argument)
    if whole is not None and whole[1] is not None:
        return _value(whole[1], values)
    return _PIECE.sub(lambda found: _piece(found, values, str), argument)


def fill_path(path: str, values: Mapping[str, Any]) -> str:
    """A path into a state with its holes filled in: values stand there as JSON, so that none can end a bracket."""
    quoted = [found.span() for found in re.finditer(r'"(?:[^"\\]|\\.)*"', path)]

    def write(found: re.Match[str]) -> str:
        inside = any(start < found.start() and found.end() < end for start, end in quoted)
        written = _piece(found, values, lambda value: json.dumps(plain(value), ensure_ascii=False))
        return written[1:-1] if inside and written.startswith('"') else written

    return _PIECE.sub(write, path)


def _piece(found: re.Match[str], values: Mapping[str, Any], write: Callable[[Any], str]) -> str:
    return found[0][0] if found[1] is None else write(_value(found[1], values))


def _value(name: str, values: Mapping[str, Any]) -> Any:
    if name not in values:
        raise ConfigError(f"{describe_unknown('value for the hole', name, values)}; write {{{{ for a brace")
    value = values[name]
    return value() if callable(value) else value
