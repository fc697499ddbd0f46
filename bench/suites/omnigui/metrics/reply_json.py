"""Finds the JSON object in a reply to OmniGUI: as the whole reply, in a code fence, or in prose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from omnipilot.envs.schema import parse_json

FENCE = "```"
_TELLING = ("action_type", "point", "coordinate", "action")
"""An object in prose is an action when it has one of these."""


def loads(text: str) -> Any:
    """Parse JSON; None for invalid JSON. The word `null` also gives None, which is equally useless."""
    try:
        return parse_json(text)
    except ValueError:
        return None


def find_json(reply: str) -> Any:
    """The first JSON in a stripped reply: all of it, a fenced object, or the first balanced object with content."""
    whole = loads(reply)
    if whole is not None:
        return whole
    for opening in (FENCE + "json", FENCE):
        for block in _fenced(reply, opening):
            if block.startswith("{") and (inside := loads(block)) is not None:
                return inside
    for candidate in _balanced(reply):
        if isinstance(inside := loads(candidate), dict) and any(key in inside for key in _TELLING):
            return inside
    return None


def _fenced(text: str, opening: str) -> Iterator[str]:
    """The text between an opening fence and the next fence, stripped."""
    at = text.find(opening)
    while at >= 0:
        start = at + len(opening)
        end = text.find(FENCE, start)
        if end < 0:
            return
        yield text[start:end].strip()
        at = text.find(opening, end + len(FENCE))


def _balanced(text: str) -> Iterator[str]:
    """Outermost stretches with balanced braces; braces inside strings count too."""
    depth = start = 0
    for at, mark in enumerate(text):
        if mark == "{":
            if depth == 0:
                start = at
            depth += 1
        elif mark == "}" and depth:
            depth -= 1
            if depth == 0:
                yield text[start : at + 1]
