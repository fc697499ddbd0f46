"""Upper bounds for the width of text in a figure, computed without a font; text that fits by them never overlaps."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from xml.sax.saxutils import escape

# Widths in DejaVu Sans, in parts of the size, rounded up.
NARROW = frozenset("iljtfrI.,:;'|!()[]/\\ -·")
SIGNS = frozenset("#&+<=>^~−×≤≥±OQ")
HEADS = (1 / 3, 2 / 3, 0.0, 1.0)
"""Shares of a shortened text that are kept of its beginning, in the order in which they are tried."""
WIDE = frozenset("mwMW@%—…→")


def width(text: str, size: float, bold: bool = False) -> float:
    """Maximum width of text in a sans-serif font of this size; holds for DejaVu Sans, which is wider than most."""
    return size * sum(map(_em, text)) * (1.13 if bold else 1.0)


def shorten(text: str, size: float, most: float, bold: bool = False, head: float = 1 / 3) -> str:
    """The text, with "…" in place of its middle if it is wider than `most`.

    Args:
        head: share of what is kept that is kept of the beginning; the rest is of the end, where most labels differ.
    """
    if width(text, size, bold) <= most:
        return text
    for kept in range(len(text) - 1, 0, -1):
        first = round(head * kept)
        tried = f"{text[:first].rstrip()}…{text[len(text) - (kept - first) :].lstrip()}"
        if width(tried, size, bold) <= most:
            return tried
    return "…"


def shorten_apart(texts: Sequence[str], size: float, most: float) -> dict[str, str]:
    """The shortened form of each text; different texts stay different, by another place of "…" or by a number."""
    for head in HEADS:
        found = {text: shorten(text, size, most, head=head) for text in texts}
        if len(set(found.values())) == len(found):
            return found
    return {
        text: f"{number}. {shorten(text, size, most - width(f'{number}. ', size))}"
        for number, text in enumerate(dict.fromkeys(texts), 1)
    }


def escape_text(text: str) -> str:
    """Text for XML: escaped, and without the characters that XML cannot hold."""
    kept = "".join(
        " " if c in "\t\n\r" else "�" if unicodedata.category(c) in ("Cc", "Cs") or c in "￾￿" else c for c in text
    )
    return escape(kept, {'"': "&quot;"})


def _em(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in ("W", "F") or ord(character) >= 0x1F000:
        return 1.25
    # What an accent stands on says how wide it is.
    base = unicodedata.normalize("NFD", character)[0]
    for characters, em in ((WIDE, 1.02), (SIGNS, 0.84), (NARROW, 0.45)):
        if base in characters:
            return em
    if not base.isascii() or unicodedata.category(base) == "Cc":
        return 1.2
    return 0.8 if base.isupper() else 0.64
