"""Structured answers: JSON, JSON with one brace too few or too many, and Python literals. Never `eval`."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator
from typing import Any, NoReturn

from omnipilot.memory.messages import MalformedReply
from omnipilot.memory.models.replies.python_calls import LONGEST_LITERAL, literal

STARTS = 4
"""Maximum number of opening brackets that are tried as the start of the JSON."""
NODES = 1000
"""Maximum number of values of a decoded answer that are examined."""
NESTED = 4
"""Maximum number of texts inside a decoded answer that are decoded in turn."""
_ARGUMENTS = frozenset({"arguments", "parameters", "args", "input", "function", "function_call", "tool_call", "action"})
"""Names under which some servers and models put an object as text."""
_OPENING = re.compile(r"[{\[]")


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


# Whole numbers are read as floats: a text of a million digits is no reason to stop.
_DECODER = json.JSONDecoder(parse_int=float, parse_constant=_refuse, strict=False)


def load(text: str) -> Any | None:
    """The first JSON object or list in a text, with a missing or extra brace repaired; else None.

    Scalars do not count. Time is linear in the length of the text.
    """
    text = text.strip()
    starts = [match.start() for match, _ in zip(_OPENING.finditer(text), range(STARTS), strict=False)]
    if not starts:
        return None
    try:
        for start in starts:
            if (data := _decode(text[start:])) is not None:
                return data
        for mended in _mended(text[starts[0] :]):
            if (data := _decode(mended)) is not None:
                return data
    except RecursionError:
        return None
    for candidate in (text[starts[0] :], *_mended(text[starts[0] :])):
        if (data := _literal(candidate)) is not None:
            return data
    return None


def end_of_object(text: str) -> int:
    """Where the first whole JSON object or list in a text ends; the end of the text if none is whole."""
    for match, _ in zip(_OPENING.finditer(text), range(STARTS), strict=False):
        try:
            return int(_DECODER.raw_decode(text, match.start())[1])
        except (ValueError, RecursionError):
            continue
    return len(text)


def _mended(text: str) -> Iterator[str]:
    """With one or two closing braces added or one removed, up to the last bracket or whole.

    A text that ends in a number gets none: the number may be cut off.
    """
    end = max(text.rfind("}"), text.rfind("]")) + 1
    if 0 < end < len(text):
        yield text[:end]
    for closed in dict.fromkeys((text, text[:end])) if end else (text,):
        if not closed[-1:].isdigit() and closed[-1:] not in ".-":
            yield closed + "}"
            yield closed + "}}"
    if text[:end].endswith("}"):
        yield text[: end - 1]


def _decode(text: str) -> Any | None:
    try:
        data, _ = _DECODER.raw_decode(text)
    except ValueError:
        return None
    return data if isinstance(data, dict | list) else None


def _literal(text: str) -> Any | None:
    try:
        data = literal(text)
    except MalformedReply:
        return None
    if isinstance(data, tuple):
        data = list(data)
    return data if isinstance(data, dict | list) else None


def dicts(data: Any) -> Iterator[dict[Any, Any]]:
    """Every object in a decoded answer, outer ones first.

    A text that contains an object is decoded too where it is an item of a list or under a name of arguments: any other
    text is said or typed.
    """
    queue = deque([data])
    nested = 0
    for _ in range(NODES):
        if not queue:
            return
        item = queue.popleft()
        if isinstance(item, str) and "{" in item and len(item) <= LONGEST_LITERAL and nested < NESTED:
            nested += 1
            item = load(item)
        if isinstance(item, dict):
            yield item
            queue.extend(value for key, value in item.items() if key in _ARGUMENTS or not isinstance(value, str))
        elif isinstance(item, list | tuple):
            queue.extend(item)
