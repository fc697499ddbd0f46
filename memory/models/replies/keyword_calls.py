"""Actions written as `name(key='value', …)`, read without evaluating anything.

The text is not quite Python: values may be quoted with unescaped quotes inside, or not be quoted at all, and
punctuation may be full-width.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from omnipilot.memory.messages import MalformedReply
from omnipilot.memory.models.replies.action_text import excerpt
from omnipilot.memory.models.replies.call import Call
from omnipilot.memory.models.replies.coordinates import number

_HEAD = re.compile(r"[A-Za-z_][\w.]{0,80}+\s{0,8}+[(（]")
_BETWEEN = re.compile(r"[\s;；,，。]*+(?:Action\s{0,4}+[:：][\s]*+)?+")
_KEY = re.compile(r"\s*+([A-Za-z_]\w{0,60}+)\s{0,8}+[=＝]\s*+")
_SPACE = re.compile(r"\s*+")
_CLOSES = re.compile(
    r"\s{0,20}+(?:"
    r"[,，]\s{0,20}+(?:[A-Za-z_]\w{0,60}+\s{0,8}+[=＝]|['\"\d\[(-])"
    r"|[)）]\s{0,200}?(?:$|\n|[;；,，\]<]|[A-Za-z_][\w.]{0,80}+\s{0,8}+[(（]))"
)
"""What follows the quote that ends a value: the next argument, or the end of the call."""
_QUOTE = {"'": re.compile("'"), '"': re.compile('"')}
_INSIDE = re.compile(r"""[(\[{（［)\]}）］,，'"]""")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_MEANING = {"n": "\n", "t": "\t", "r": "\r", "'": "'", '"': '"', "\\": "\\"}
_WORDS = {"true": True, "false": False, "none": None, "null": None}
MOST = 50
"""Maximum number of actions in one reply."""


def scan(text: str) -> list[Call]:
    """The calls of a text that contains nothing else, in order, separated by commas, semicolons or whitespace.

    Raises:
        MalformedReply: it holds something else, or a call that is not closed.
    """
    calls: list[Call] = []
    at = _skip(_BETWEEN, text, 0)
    while at < len(text):
        head = _HEAD.match(text, at)
        if head is None:
            raise MalformedReply(f"expected an action such as name(key='value'), not {excerpt(text[at : at + 400])}")
        name = head[0][:-1].strip()
        call, at = _call(name, text, head.end())
        calls.append(call)
        if len(calls) > MOST:
            raise MalformedReply(f"more than {MOST} actions in one reply; give fewer at a time")
        at = _skip(_BETWEEN, text, at)
    return calls


def heads(text: str) -> Iterator[tuple[int, str]]:
    """Positions in a text that look like a call, with its name."""
    for match in _HEAD.finditer(text):
        yield match.start(), match[0][:-1].strip()


def unescape(text: str) -> str:
    r"""Replace `\n`, `\t`, `\r`, `\'`, `\"` and `\\` by their Python meaning; other backslashes stay."""
    return _ESCAPE.sub(lambda match: _MEANING.get(match[1], match[0]), text)


def _call(name: str, text: str, at: int) -> tuple[Call, int]:
    args: list[Any] = []
    named: dict[str, Any] = {}
    while True:
        at = _skip(_SPACE, text, at)
        if at >= len(text):
            raise MalformedReply(f"{name}: the action is not closed with )")
        if text[at] in ")）":
            return Call(name, tuple(args), named), at + 1
        key = _KEY.match(text, at)
        value, at = _value(name, text, key.end() if key else at)
        if key is None:
            args.append(value)
        elif key[1] in named:
            raise MalformedReply(f"{name}: {key[1]} is given twice")
        else:
            named[key[1]] = value
        at = _skip(_SPACE, text, at)
        if at < len(text) and text[at] in ",，":
            at += 1
        elif at < len(text) and text[at] not in ")）":
            raise MalformedReply(f"{name}: expected , or ) and not {excerpt(text[at : at + 400], 40)}")


def _value(name: str, text: str, at: int) -> tuple[Any, int]:
    if at < len(text) and text[at] in _QUOTE:
        return _quoted(name, text, at)
    end = _unquoted_end(name, text, at)
    raw = text[at:end].strip()
    if not raw:
        raise MalformedReply(f"{name}: an argument has no value")
    if raw.lower() in _WORDS:
        return _WORDS[raw.lower()], end
    found = number(raw)
    return (raw if found is None else int(found) if found == int(found) and "." not in raw else found), end


def _quoted(name: str, text: str, at: int) -> tuple[str, int]:
    start = at + 1
    for quote in _QUOTE[text[at]].finditer(text, start):
        end = quote.start()
        backslashes = 0
        while end - backslashes > start and text[end - backslashes - 1] == "\\":
            backslashes += 1
        if backslashes % 2 == 0 and _CLOSES.match(text, quote.end()):
            return unescape(text[start:end]), quote.end()
    raise MalformedReply(
        f"{name}: the text {excerpt(text[start : start + 400], 40)} is not closed, or no action follows the action"
    )


def _unquoted_end(name: str, text: str, at: int) -> int:
    depth, quote = 0, ""
    for match in _INSIDE.finditer(text, at):
        mark = match[0]
        if quote:
            quote = "" if mark == quote else quote
        elif mark in "'\"":
            quote = mark if depth else ""
        elif mark in "([{（［":
            depth += 1
        elif depth == 0:
            return match.start()
        elif mark in ")]}）］":
            depth -= 1
    raise MalformedReply(f"{name}: the action is not closed with )")


def _skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at
