"""Decoding escapes of JSON, source code, URLs and HTML, keeping track of positions in the text."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence

ROUNDS = 3
"""Maximum number of different escapes nested in each other; one kind may be nested in itself any number of times."""
_BLANK = re.compile(r"(?<!\\)\\++[nrtbfv]")
_ESCAPED = re.compile(
    r"(?<!\\)\\++(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})|%(?:25)*[0-9a-fA-F]{2}"
    r"|&(?:amp;)*(?:#\d{1,7};?|#[xX][0-9a-fA-F]{1,6};?|\w{2,8};)"
)


def decode(text: str) -> str:
    """The text without escapes."""
    for _ in range(ROUNDS):
        if "\\" not in text and "%" not in text and "&" not in text:
            break
        before = text
        text = _ESCAPED.sub(_meant, _BLANK.sub("\n", text))
        if text == before:
            break
    return text


def decode_located(text: str) -> tuple[str, Sequence[int], Sequence[int]]:
    """The text without escapes, and the start and end of each of its characters in the original text."""
    starts: Sequence[int] = range(len(text))
    ends: Sequence[int] = range(1, len(text) + 1)
    for _ in range(ROUNDS):
        before = text
        for pattern, meant in ((_BLANK, _blank), (_ESCAPED, _meant)):
            text, starts, ends = _replace(text, starts, ends, pattern, meant)
        if text == before:
            break
    return text, starts, ends


def _replace(
    text: str,
    starts: Sequence[int],
    ends: Sequence[int],
    pattern: re.Pattern[str],
    meant: Callable[[re.Match[str]], str],
) -> tuple[str, Sequence[int], Sequence[int]]:
    pieces: list[str] = []
    begins: list[int] = []
    stops: list[int] = []
    at = 0
    for match in pattern.finditer(text):
        char = meant(match)
        low, high = match.span()
        if low > at:
            pieces.append(text[at:low])
            begins += starts[at:low]
            stops += ends[at:low]
        pieces.append(char)
        begins += [starts[low]] * len(char)
        stops += [ends[high - 1]] * len(char)
        at = high
    if not at:
        return text, starts, ends
    return "".join((*pieces, text[at:])), [*begins, *starts[at:]], [*stops, *ends[at:]]


def _blank(_match: re.Match[str]) -> str:
    return "\n"


def _meant(match: re.Match[str]) -> str:
    escaped = match[0]
    if escaped[0] == "\\":
        return chr(int(escaped.lstrip("\\")[1:], 16))
    if escaped[0] == "%":
        return chr(int(escaped[-2:], 16))
    if escaped.endswith("amp;"):
        return "&"
    return html.unescape(escaped.replace("amp;", ""))
