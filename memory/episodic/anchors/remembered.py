"""Anchors in words: the notes that name a value, and the lines that list anchors."""

from __future__ import annotations

import hashlib
import re

from omnipilot.memory.quoting import quote, unquote

LONGEST = 40
"""Characters of an anchor's name."""
_WORD = re.compile(r"[a-z0-9]+")
_LINE = re.compile(r'^@(?P<name>[a-z0-9-]+) = (?P<value>"(?:[^"\\]|\\.)*") \((?P<told>.*)\)$')
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_KEY_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
_NAMED = re.compile(r"^@(?P<name>[a-z0-9-]+) = (?P<value>\S.*)$", re.DOTALL)


def anchor_name(words: str) -> str:
    """The name of an anchor from words: "Door code" is "door-code"; "" if no letter or digit is in them."""
    return "-".join(_WORD.findall(words.casefold()))[:LONGEST].strip("-")


def anchor_key(seed: int, instruction: str) -> str:
    """What a planner writes before an anchor's name, so that no text from outside can name one: four signs.

    They follow from the seed and the instruction, so that a run can be repeated; neither is known to what devices show.
    """
    digest = hashlib.sha256(f"anchors {seed} {instruction}".encode("utf-8", "replace")).digest()
    return "".join(_KEY_SIGNS[byte % len(_KEY_SIGNS)] for byte in digest[:4])


def note_words(note: str) -> str:
    """A note in words: the value that it names is quoted."""
    named = named_in(note)
    return note if named is None else f"@{named[0]} = {quote(named[1])}"


def naming_note(name: str, value: str) -> str:
    """The note that makes a value an anchor: `@door-code = 4711`."""
    return f"@{name} = {value}"


def named_in(note: str) -> tuple[str, str] | None:
    """The name and the value of such a note; None for any other."""
    found = _NAMED.match(note)
    return None if found is None else (found["name"], found["value"].strip())


def anchor_label(told: str) -> str:
    """The label of an anchor, or its type where it has none; `told` is the last text that `parse_anchor_line` gives."""
    if (quoted := _QUOTED.match(told)) is not None:
        return unquote(quoted[0])
    return re.split("[;)]", told)[0]


def anchor_line(name: str, value: str, told: str) -> str:
    """An anchor in a line: `@code-1 = "7394" (door code; heard; at 12.3 s)`."""
    return f"@{name} = {quote(value)} ({told})"


def parse_anchor_line(line: str) -> tuple[str, str, str] | None:
    """Name, value and what is told of an anchor in a line that lists it (`anchor_line`); None for any other text."""
    found = _LINE.match(line)
    try:
        return None if found is None else (found["name"], unquote(found["value"]), found["told"])
    except ValueError:
        return None
