"""Reads tool calls in JSON, or nearly JSON, from a model's text or from a server's `tool_calls`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from omnipilot.memory.messages import MalformedReply
from omnipilot.memory.models.replies.absence import refuses
from omnipilot.memory.models.replies.action_text import excerpt
from omnipilot.memory.models.replies.call import Call
from omnipilot.memory.models.replies.python_calls import literal
from omnipilot.memory.models.replies.xml_calls import xml_calls

MOST = 50
"""Maximum number of tool calls in one reply."""
DEEPEST = 64
"""Maximum nesting of brackets."""
_OPEN = ("<tool_call>", "⚗")
"""How a call begins; the second is how some tokenizers print the first."""
_CLOSE = "</tool_call>"
_FUNCTION = re.compile(r"<function\s{0,4}+(?:=|name\s{0,4}+=)")


NOT_THERE = "says that it is not there; name a place, or say that it cannot be done"
"""What a model is told whose action refuses to name a place."""


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no number")


_DECODER = json.JSONDecoder(parse_constant=_refuse, strict=False)


TOOL_VALUE = re.compile(r"\{(?=\s{0,20}+['\"])|<parameter\s{0,4}+(?:=|name\s{0,4}+=)[^<>]{0,120}+>")
"""How JSON begins, or a parameter in XML: what holds quoted values."""
_DOUBLE = r"\"[^\"\\]*+(?:\\.[^\"\\]*+)*\""
_SINGLE = r"'[^'\\]*+(?:\\.[^'\\]*+)*'"
_JSON_STEP = {
    '"': re.compile(rf"{_DOUBLE}|[{{}}\[\]]|</?tool_call>|(\")", re.DOTALL),
    "'": re.compile(rf"{_DOUBLE}|{_SINGLE}|[{{}}\[\]]|</?tool_call>|(['\"])", re.DOTALL),
}


def tool_values(text: str, start: re.Match[str]) -> tuple[list[tuple[int, int]], int] | None:
    """Where the texts of a JSON object, or of one parameter in XML, stand, and where it ends; None without an end.

    Args:
        start: a match of `TOOL_VALUE`.
    """
    if start[0] != "{":
        end = text.find("</parameter>", start.end())
        return None if end < 0 else ([(start.end(), end)], end)
    spans: list[tuple[int, int]] = []
    depth = 1
    for step in _JSON_STEP[text[start.end() : start.end() + 24].lstrip()[:1]].finditer(text, start.end()):
        mark = step[0]
        if step[1]:
            return None
        if mark in "{[":
            depth += 1
            if depth > DEEPEST:
                return None
        elif mark in "]}":
            depth -= 1
            if depth == 0:
                return spans, step.end()
        elif mark[0] == "<":
            return spans, step.start()
        else:
            spans.append((step.start() + 1, step.end() - 1))
    return spans, len(text)


def tool_calls(text: str, restore: Callable[[str], str] = str) -> tuple[list[Call], str]:
    """The calls in a text and the text before the first: `<tool_call>` blocks of JSON or XML, or bare JSON.

    Args:
        restore: puts back what is quoted, where it was hidden; see `omnipilot.memory.models.replies.quoted`.

    Raises:
        MalformedReply: there is none, or one cannot be read.
    """
    blocks, before = _blocks(text)
    if not blocks:
        first = _FUNCTION.search(text) or TOOL_VALUE.search(text)
        start = first.start() if first is not None else -1
        if start < 0:
            raise MalformedReply(f'no <tool_call> {{"name": …, "arguments": …}} in {excerpt(restore(text))}')
        blocks, before = [text[start:]], text[:start]
    calls: list[Call] = []
    for hidden in blocks:
        block = restore(hidden)
        if "<function" in hidden:
            calls += [_named(call.name, dict(call.named)) for call in xml_calls(block)]
        else:
            begins = re.search(r"[{\[]", block)
            found = values(block[begins.start() :] if begins else block)
            calls += [_call(value) for listed in found for value in _each(listed)]
    if len(calls) > MOST:
        raise MalformedReply(f"more than {MOST} tool calls in one reply; give fewer at a time")
    return calls, before


def server_calls(calls: Iterable[tuple[str, str]]) -> list[Call]:
    """The calls in a server's `tool_calls`: names and JSON arguments.

    Raises:
        MalformedReply: arguments are not a JSON object.
    """
    return [_named(name, _object(arguments or "{}", name)) for name, arguments in calls]


def first_value(text: str) -> Any:
    """The JSON value that a text begins with; what follows counts for nothing, and nothing is repaired.

    Raises:
        MalformedReply: it begins with something else.
    """
    try:
        return _DECODER.raw_decode(text.lstrip())[0]
    except (ValueError, RecursionError):
        raise MalformedReply(f"this is no JSON: {excerpt(text)}; write it with every brace closed") from None


def values(text: str) -> list[Any]:
    """Every JSON object or list in a text, in order; one missing or extra brace is repaired.

    Raises:
        MalformedReply: it holds something else.
    """
    text = text.strip()
    found: list[Any] = []
    while text and len(found) <= MOST:
        if text[0] not in "{[":
            raise MalformedReply(f"expected a JSON object, not {excerpt(text)}")
        try:
            value, end = _DECODER.raw_decode(text)
            found.append(value)
            text = text[end:].lstrip(" \t\r\n,;")
            # Words may follow, and closing brackets too many.
            if "{" not in text:
                break
        except (ValueError, RecursionError):
            found.append(_mended(text))
            break
    return found


def _mended(text: str) -> Any:
    # A text that ends in a number gets no brace: the number may be cut off.
    closed = () if text[-1].isdigit() or text[-1] in ".-" else (text + "}", text + "}}")
    for candidate in (*closed, text[:-1]):
        try:
            value, end = _DECODER.raw_decode(candidate)
        except (ValueError, RecursionError):
            continue
        if not candidate[end:].strip():
            return value
    for candidate in (text, *closed):
        try:
            return literal(candidate)
        except MalformedReply:
            continue
    raise MalformedReply(f"this is no JSON: {excerpt(text)}; write it on one line, with every brace closed")


def _blocks(text: str) -> tuple[list[str], str]:
    blocks: list[str] = []
    opening = next((mark for mark in _OPEN if mark in text), "")
    if not opening:
        return [], ""
    before, *rest = text.split(opening)
    for piece in rest:
        end = piece.find(_CLOSE)
        blocks.append(piece if end < 0 else piece[:end])
    return [block for block in blocks if block.strip()], before


def _object(text: str, name: str) -> dict[str, Any]:
    found = values(text)
    if len(found) != 1 or not isinstance(found[0], dict):
        raise MalformedReply(f"{name[:80]}: the arguments are a JSON object, not {excerpt(text)}")
    return found[0]


def _each(value: Any) -> list[Any]:
    """The calls in a list of them, or in an object that holds such a list."""
    listed = value.get("tool_calls") if isinstance(value, dict) else value
    return listed if isinstance(listed, list) else [value]


def _call(value: Any) -> Call:
    if not isinstance(value, dict):
        raise MalformedReply(f"a tool call is a JSON object, not {excerpt(str(value))}")
    if isinstance(value.get("function"), dict):
        value = value["function"]
    name = next((value[key] for key in _NAMED if isinstance(value.get(key), str)), None)
    given = next((key for key in _GIVEN if key in value), "")
    if not given and ("action" in value or "type" in value):
        return _named("", value)
    if name is None and refuses(value):
        raise MalformedReply(f"{excerpt(str(value))} {NOT_THERE}")
    if name is None:
        raise MalformedReply(f'the tool call has no "name": {excerpt(str(value))}')
    arguments = value.get(given, {})
    for nested in _unwrapped(arguments, name):
        arguments = nested
    return _named(name, arguments)


_NAMED = ("name", "function", "tool", "tool_name")
_GIVEN = ("arguments", "parameters", "input", "args")
"""How models of other makers, and servers, call a tool's name and its arguments."""


def _unwrapped(arguments: Any, name: str) -> Iterator[dict[str, Any]]:
    """The arguments as an object: parsed from text, and unwrapped from a second `arguments`."""
    for _ in range(4):
        if isinstance(arguments, str):
            arguments = _object(arguments, name)
        if not isinstance(arguments, dict):
            raise MalformedReply(f"{name[:80]}: the arguments are a JSON object, not {excerpt(str(arguments))}")
        yield arguments
        if arguments.keys() not in ({"arguments"}, {"name", "arguments"}):
            return
        arguments = arguments["arguments"]


def _named(name: str, arguments: dict[str, Any]) -> Call:
    """A call of the action named in the arguments, or of the tool itself."""
    rest = {str(key): value for key, value in arguments.items()}
    for word in ("action", "type"):
        action = rest.get(word)
        if isinstance(action, dict) and len(rest) == 1:
            return _named(name, action)
        if isinstance(action, str) and name.split(":")[-1] in _TOOLS:
            del rest[word]
            return Call(action.strip().strip("'\""), named=rest)
    return Call(name, named=rest)


_TOOLS = frozenset({"", "computer", "computer_use", "mobile_use", "computer_call", "grounding"})
"""Tools whose argument `action` (or `type`) says what to do; other tools are the action."""
