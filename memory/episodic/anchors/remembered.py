"""Anchors in words: the notes that name a value, and the lines that list anchors."""

from __future__ import annotations

import re

LONGEST = 40
"""Characters of an anchor's name."""
_WORD = re.compile(r"[a-z0-9]+")
_LINE = re.compile(r'^@(?P<name>[a-z0-9-]+) = "(?P<value>.*)" \((?P<told>.*)\)$', re.DOTALL)
_NAMED = re.compile(r"^@(?P<name>[a-z0-9-]+) = (?P<value>\S.*)$", re.DOTALL)


def anchor_name(words: str) -> str:
    """The name of an anchor from words: "Door code" is "door-code"; "" if no letter or digit is in them."""
    return "-".join(_WORD.findall(words.casefold()))[:LONGEST].strip("-")


def naming_note(name: str, value: str) -> str:
    """The note that makes a value an anchor: `@door-code = 4711`."""
    return f"@{name} = {value}"


def named_in(note: str) -> tuple[str, str] | None:
    """The name and the value of such a note; None for any other."""
    found = _NAMED.match(note)
    return None if found is None else (found["name"], found["value"].strip())


def anchor_line(name: str, value: str, told: str) -> str:
    """An anchor in a line: `@code-1 = "7394" (door code; heard; at 12.3 s)`."""
    return f'@{name} = "{value}" ({told})'


def anchor_in(line: str) -> tuple[str, str, str] | None:
    """Name, value and what is told of an anchor in such a line; None for any other text."""
    found = _LINE.match(line)
    return None if found is None else (found["name"], found["value"], found["told"])
