"""Numbers with nouns: "1 pair", "2 pairs"."""

from __future__ import annotations


def number_words(number: int, one: str, many: str = "") -> str:
    """A number and what there are of it.

    Args:
        one: what a single one is called, with what follows if that changes, too: "step is". many: "" for that and an s.
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
