"""Reads JSON as models write it: amid prose, in fences, with a trailing comma or a missing bracket at the end.

The library json-repair is not used: of a reply that was cut off it makes shorter texts and other numbers ("unread mail,
20" becomes "unread mail, 2"), and an action that the model never wrote would be carried out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from omnipilot.envs.schema.validation_messages import short
from omnipilot.memory.messages import MalformedReply

DEEPEST = 64
"""Maximum nesting of brackets."""

MOST_STARTS = 200
"""Maximum number of brackets at which JSON is searched for."""

_PAIRS = {"{": "}", "[": "]"}
_TELLING = re.compile(r'"(?:kind|actions?|arguments)"')
"""What tells JSON that was meant as a reply from brackets in words."""


def objects_in(text: str, mend: bool = True) -> list[Any]:
    """Every JSON object and list in a text, in order, except nested ones.

    A comma before a closing bracket is left out, and brackets that are missing at the very end are added: neither
    changes what is said. Nothing is taken out of a broken reply, and one that breaks off inside a string is not
    mended: what it was to be is not known. What comes after a broken one counts. Control characters may stand in a
    text as they are: models write line ends so, and the grammars that hold models to a schema allow them.

    Args:
        mend: add missing brackets; false where the text is known to be cut off.

    Raises:
        MalformedReply: there is none, or the last one is broken; the message says why.
    """
    found: list[Any] = []
    problem, at = "there is none in it", 0
    for _ in range(MOST_STARTS):
        start = _next(text, at)
        if start is None:
            break
        piece, at, broken = _balanced(text, start, mend)
        if not broken:
            try:
                found.append(json.loads(piece, strict=False))
                continue
            except (ValueError, RecursionError) as error:
                broken = (
                    f"{error.msg} at {_near(piece, error.pos)}"
                    if isinstance(error, json.JSONDecodeError)
                    else "it is nested too deep"
                )
        if _TELLING.search(piece):
            problem = f"it is broken: {broken}"
            found.clear()
        else:
            # Words may hold brackets; the JSON may begin within.
            at = start + 1
    if not found:
        raise MalformedReply(f"Your reply holds no JSON object that can be read; {problem}.")
    return found


def _next(text: str, at: int) -> int | None:
    places = [place for place in (text.find("{", at), text.find("[", at)) if place >= 0]
    return min(places, default=None)


def _balanced(text: str, start: int, mend: bool) -> tuple[str, int, str]:
    """The text from an opening bracket to its closing one, repaired; its end; and what is wrong with it."""
    closers: list[str] = []
    out: list[str] = []
    at = start
    while at < len(text):
        letter = text[at]
        if letter == '"':
            end = _string_end(text, at)
            if end is None:
                return text[start:], len(text), "it breaks off in the middle of a text"
            out.append(text[at:end])
            at = end
            continue
        at += 1
        if letter in _PAIRS:
            closers.append(_PAIRS[letter])
            if len(closers) > DEEPEST:
                return text[start:at], at, "its brackets are nested too deep"
        elif letter in "}]":
            if letter != closers.pop():
                return text[start:at], at, f"a bracket does not match at {_near(text, at)}"
            _without_comma(out)
        out.append(letter)
        if not closers:
            return "".join(out), at, ""
    _without_comma(out)
    return "".join(out + closers[::-1]), at, "" if mend else "it breaks off"


def _string_end(text: str, start: int) -> int | None:
    at = start + 1
    while at < len(text):
        if text[at] == "\\":
            at += 2
        elif text[at] == '"':
            return at + 1
        else:
            at += 1
    return None


def _without_comma(out: list[str]) -> None:
    """Drop a trailing comma."""
    last = next((i for i in range(len(out) - 1, -1, -1) if not out[i].isspace()), None)
    if last is not None and out[last] == ",":
        del out[last]


def _near(text: str, at: int) -> str:
    return repr(text[max(0, at - 20) : at + 20])


def decisions_in(found: list[Any]) -> Iterator[dict[str, Any]]:
    """The replies among the objects found: objects with actions, or bare actions."""
    bare: list[Any] = []
    for value in found:
        if isinstance(value, dict) and ("actions" in value or "action" in value):
            yield value
        elif isinstance(value, dict) and ("kind" in value or {"name", "arguments"} <= set(value)):
            bare.append(value)
        elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            bare += value
    if bare:
        yield {"actions": bare}


def single_object(text: str) -> Mapping[str, Any]:
    """The only JSON object in a text, from first to last brace; surrounding words are allowed, nothing is repaired.

    Raises:
        MalformedReply: there is none.
        ValueError: what stands between the braces is no JSON.
    """
    first, last = text.find("{"), text.rfind("}")
    if first < 0 or last < first:
        raise MalformedReply("there is no JSON object in it")
    value: dict[str, Any] = json.loads(text[first : last + 1], strict=False)
    return value


def call_arguments(name: str, arguments: str | Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments of a tool call as an object; empty text means no arguments, and nothing is repaired.

    Raises:
        MalformedReply: they are no JSON object; the message, which names the tool, is for the model.
    """
    if isinstance(arguments, Mapping):
        return arguments
    try:
        given = json.loads(arguments, strict=False) if arguments.strip() else {}
    except (ValueError, RecursionError) as error:
        why = f"{error.msg} at character {error.pos}" if isinstance(error, json.JSONDecodeError) else "nested too deep"
        raise MalformedReply(f"the arguments of {name} are no JSON ({why}): {short(arguments)}") from None
    if not isinstance(given, Mapping):
        raise MalformedReply(f"the arguments of {name} are a JSON object, not {short(given)}")
    return given
