"""What readers tell of sounds, as the small planner is told it: what sounded, without times and voices."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_TIMES = re.compile(r"^[\d.]+ s (?:to [\d.]+ s|and goes on), ")
_VOICE = re.compile(r"\s*\(voice [^)]*\)")
_BETWEEN_DIGITS = re.compile(r"(?<=\d) (?=\d)")
_CAPITAL = re.compile(r"[A-Z][a-z]+\b")
_IN_CODE = re.compile(r"(?<=\d), ?(?=\d\b)|(?<=\d)-(?=\d)|(?<=\b[A-Z])[- ](?=\d)")
"""What a transcriber puts between the signs of a code that was spelled."""
_NOTE = re.compile(r"[A-G]#?\d")
GOES_ON = "…"
"""Ends what is still being said."""


def heard_lines(words: str) -> list[str]:
    """A transcript's sounds, one a line; speech as the planner was taught it, however a transcriber writes it."""
    lines = [_VOICE.sub("", _TIMES.sub("", line)).strip() for line in words.splitlines()]
    return [_plain_speech(line) if line.startswith("speech: ") else line for line in lines if line]


def _plain_speech(line: str) -> str:
    """Speech without what makes a sentence of it, and a code in one piece: "speech: The room is A-3-1." is "speech:
    the room is A31"."""
    kind, _, words = line.partition(": ")
    words = _IN_CODE.sub("", words.removesuffix(".").rstrip())
    if _CAPITAL.match(words):
        words = words[0].lower() + words[1:]
    return f"{kind}: {words}"


def add_heard(lines: Sequence[str], new: Iterable[str]) -> list[str]:
    """What was heard, and what is heard now. A reader tells each word once, when it has been said: what goes on is
    continued by the next sound of its kind."""
    found = list(lines)
    for line in new:
        kind, _, words = line.partition(": ")
        before, _, begun = found[-1].partition(": ") if found else ("", "", "")
        if before == kind and begun.endswith(GOES_ON):
            between = "" if kind == "digits" else " "
            found[-1] = f"{kind}: {begun.removesuffix(GOES_ON).rstrip()}{between}{words}"
        else:
            found.append(line)
    return found


def shown_lines(lines: Iterable[str]) -> list[str]:
    """What was heard as a prompt shows it: digits that were said in groups as one number, and a note that sounded
    again and again once, as how often."""
    found: list[str] = []
    notes: tuple[str, int] = ("", 0)
    for line in lines:
        kind, _, words = line.partition(": ")
        played = words.split()
        if kind == "melody" and played and len(set(played)) == 1 and _NOTE.fullmatch(played[0]):
            again = notes[0] == played[0]
            notes = played[0], len(played) + (notes[1] if again else 0)
            if again:
                found.pop()
            found.append(f"{kind}: one note, {notes[1]} times")
        else:
            notes = "", 0
            found.append(_BETWEEN_DIGITS.sub("", line))
    return found
