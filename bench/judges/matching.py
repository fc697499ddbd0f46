"""How checks compare texts: case and blanks are folded; a text need only be contained, unless it must be exact."""

from __future__ import annotations


def fold_text(text: str) -> str:
    """A text in lower case, with one space for each run of blanks."""
    return " ".join(text.split()).casefold()


def matches(wanted: str, shown: str, exact: bool = False) -> bool:
    """Whether a text shows what is wanted.

    Args:
        exact: the whole text must be it, up to case and blanks; otherwise it need only contain it.

    Returns:
        False for an empty `wanted`, which every text would contain.
    """
    folded, text = fold_text(wanted), fold_text(shown)
    return bool(folded) and (folded == text if exact else folded in text)
