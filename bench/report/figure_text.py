"""How wide text is in a figure, without a font to ask: an upper bound, so that nothing that fits by it overlaps."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from xml.sax.saxutils import escape

# Widths in DejaVu Sans, in parts of the size, rounded up.
NARROW = frozenset("iljtfrI.,:;'|!()[]/\\ -·")
SIGNS = frozenset("#&+<=>^~−×≤≥±OQ")
HEADS = (1 / 3, 2 / 3, 0.0, 1.0)
"""How much of a text's beginning is kept when it is shortened, in the order in which it is tried."""
WIDE = frozenset("mwMW@%—…→")


def width(text: str, size: float, bold: bool = False) -> float:
    """The most that text takes in a sans-serif font of this size; DejaVu Sans, which is wider than most, fits in it."""
    return size * sum(map(_em, text)) * (1.13 if bold else 1.0)


def shorten(text: str, size: float, most: float, bold: bool = False, head: float = 1 / 3) -> str:
    """The text, with "…" in place of as much as it has to lose to take no more than `most`.

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
    """Texts by their shortened forms, which differ where they do: "…" stands elsewhere, or they are numbered."""
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
