"""Output to consoles, pipes and files whose encoding lacks some of our letters: each is written by its nearest."""

from __future__ import annotations

import codecs
import sys
import unicodedata
from functools import partial

NEAREST = {
    "·": ".",
    "•": "*",
    "…": "...",
    "—": "-",
    "–": "-",
    "−": "-",
    "─": "-",
    "━": "-",
    "│": "|",
    "┼": "+",
    "×": "x",
    "≤": "<=",
    "≥": ">=",
    "±": "+-",
    "✓": "yes",
    "✗": "no",
    "→": "->",
    "←": "<-",
    "“": '"',
    "”": '"',
    "„": '"',
    "’": "'",
    "‘": "'",
    "\u00a0": " ",
    "\u202f": " ",
}
"""What is written for a letter where the encoding lacks it; others lose their accents, or become "?"."""


def nearest_letters(text: str, encoding: str) -> str:
    """A text in letters that an encoding has."""

    def letter(one: str) -> str:
        for candidate in (one, NEAREST.get(one, ""), _without_accents(one)):
            if candidate and _has(encoding, candidate):
                return candidate
        return "?"

    return "".join(map(letter, text))


def write_any_letter() -> None:
    """Let standard output and standard error take every text, whatever their encoding; UTF takes every text anyway."""
    for stream in (sys.stdout, sys.stderr):
        encoding = (getattr(stream, "encoding", None) or "utf-8").lower()
        if hasattr(stream, "reconfigure") and not encoding.startswith("utf"):
            # An error of a code page names no encoding, so each has a handler of its own.
            codecs.register_error(f"omnipilot.{encoding}", partial(_replace, encoding=encoding))
            stream.reconfigure(errors=f"omnipilot.{encoding}")


def _replace(error: UnicodeError, encoding: str) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return nearest_letters(error.object[error.start : error.end], encoding), error.end


def _without_accents(letter: str) -> str:
    return "".join(one for one in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(one))


def _has(encoding: str, text: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
