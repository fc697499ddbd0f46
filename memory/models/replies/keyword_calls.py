"""Actions written as `name(key='value', …)`, read without evaluating anything.

The text is not quite Python: values may be quoted with unescaped quotes inside, or not be quoted at all, and
punctuation may be full-width.
"""

from __future__ import annotations

import re
from typing import Any

from omnipilot.memory.messages import MalformedReply
from omnipilot.memory.models.replies.action_text import excerpt
from omnipilot.memory.models.replies.call import Call
from omnipilot.memory.models.replies.coordinates import number

_NAME = r"[A-Za-z_][A-Za-z0-9_.]{0,80}+\s{0,8}+[(（]"
_HEAD = re.compile(_NAME)
_LATER_HEAD = re.compile(rf"(?<![A-Za-z0-9_.]){_NAME}")
_BETWEEN = re.compile(r"[\s;；,，。]*+(?:Action\s{0,4}+[:：][\s]*+)?")
_KEY = re.compile(r"\s*+([A-Za-z_]\w{0,60}+)\s{0,8}+[=＝]\s*+")
_SPACE = re.compile(r"\s*+")
_CLOSES = (
    r"(?=\s{0,20}+(?:"
    r"[,，]\s{0,20}+(?:[A-Za-z_]\w{0,60}+\s{0,8}+[=＝]|['\"\d\[(-])"
    rf"|[)）]\s{{0,200}}?(?:\Z|\n|[;；,，。\]<`]|\*\*|\"\s{{0,4}}\}}|{_NAME})))"
)
"""What follows the quote that ends a value: the next argument, or the end of the call."""
_QUOTE = {quote: re.compile(quote + _CLOSES) for quote in "'\""}
_BEFORE_WORDS = {quote: re.compile(quote + r"(?=\s{0,20}+[)）]\s{1,20}+\S)") for quote in "'\""}
"""The quote that ends the last value of a call which words follow."""
_INSIDE = re.compile(r"""[(\[{（［)\]}）］,，'"]""")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_MEANING = {"n": "\n", "t": "\t", "r": "\r", "'": "'", '"': '"', "\\": "\\"}
_WORDS = {"true": True, "false": False, "none": None, "null": None}
MOST = 50
"""Maximum number of actions in one reply."""
MOST_ARGUMENTS = 100
"""Maximum number of arguments of an action."""
LONGEST_UNQUOTED = 4_000
"""Maximum length of a value without quotation marks, in characters: a number, a list of calls."""


def scan(text: str) -> list[Call]:
    """The calls of a text that contains nothing else, in order, separated by commas, semicolons or whitespace.

    Words without a call may follow the last one, and only the very last bracket may be missing.

    Raises:
        MalformedReply: it holds something else, or a call that is not closed.
    """
    calls: list[Call] = []
    at = _skip(_BETWEEN, text, 0)
    while at < len(text):
        head = _HEAD.match(text, at)
        if head is None:
            if calls and _LATER_HEAD.search(text, at) is None:
                break
            raise MalformedReply(f"expected an action such as name(key='value'), not {excerpt(text[at : at + 400])}")
        name = head[0][:-1].strip()
        call, at = _call(name, text, head.end())
        calls.append(call)
        if len(calls) > MOST:
            raise MalformedReply(f"more than {MOST} actions in one reply; give fewer at a time")
        at = _skip(_BETWEEN, text, at)
    return calls


def quoted_values(text: str, start: re.Match[str]) -> tuple[list[tuple[int, int]], int] | None:
    """Where the quoted values of a call stand, and where it ends; None if it cannot be read.

    Args:
        start: the call's name and opening bracket.
    """
    spans: list[tuple[int, int]] = []
    try:
        return spans, _call("", text, start.end(), spans)[1]
    except MalformedReply:
        return None


def unescape(text: str) -> str:
    r"""Replace `\n`, `\t`, `\r`, `\'`, `\"` and `\\` by their Python meaning; other backslashes stay."""
    return _ESCAPE.sub(lambda match: _MEANING.get(match[1], match[0]), text)


def _call(name: str, text: str, at: int, spans: list[tuple[int, int]] | None = None) -> tuple[Call, int]:
    args: list[Any] = []
    named: dict[str, Any] = {}
    while True:
        at = _skip(_SPACE, text, at)
        if at >= len(text):
            raise MalformedReply(f"{name}: the action is not closed with )")
        if text[at] in ")）":
            return Call(name, tuple(args), named), at + 1
        key = _KEY.match(text, at)
        start = key.end() if key else at
        value, at = _value(name, text, start)
        quoted = text[start] in _QUOTE
        if spans is not None and quoted:
            spans.append((start + 1, at - 1))
        if key is None:
            args.append(value)
        elif key[1] in named:
            raise MalformedReply(f"{name}: {key[1]} is given twice")
        else:
            named[key[1]] = value
        if len(args) + len(named) > MOST_ARGUMENTS:
            raise MalformedReply(f"{name}: more than {MOST_ARGUMENTS} arguments")
        at = _skip(_SPACE, text, at)
        if at >= len(text) and quoted:
            return Call(name, tuple(args), named), at
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
    end = end_of_quote(text, start, text[at])
    if end is None:
        raise MalformedReply(
            f"{name}: the text {excerpt(text[start : start + 400], 40)} is not closed, or no action follows the action"
        )
    return unescape(text[start:end]), end + 1


def end_of_quote(text: str, start: int, mark: str) -> int | None:
    """Where the quoted value ends that begins at `start`, right after its quotation mark; None if it does not."""
    end = _end_of_quote(text, start, _QUOTE[mark])
    if end is None and text.endswith(mark) and len(text) > start and not _escaped(text, start, len(text) - 1):
        # The last bracket is missing: UI-TARS stops before it, and its authors add it.
        end = len(text) - 1
    return _end_of_quote(text, start, _BEFORE_WORDS[mark]) if end is None else end


def _end_of_quote(text: str, start: int, ends: re.Pattern[str]) -> int | None:
    return next(
        (quote.start() for quote in ends.finditer(text, start) if not _escaped(text, start, quote.start())), None
    )


def _escaped(text: str, start: int, at: int) -> bool:
    backslashes = 0
    while at - backslashes > start and text[at - backslashes - 1] == "\\":
        backslashes += 1
    return backslashes % 2 == 1


def _unquoted_end(name: str, text: str, at: int) -> int:
    depth, quote = 0, ""
    for match in _INSIDE.finditer(text, at, at + LONGEST_UNQUOTED):
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
