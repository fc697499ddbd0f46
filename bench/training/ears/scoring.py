"""How much of what was said was heard right: the same rules for every model, however it writes."""

from __future__ import annotations

import re
from collections.abc import Sequence

SIGN_KINDS = ("digits", "letters", "codes")
"""Kinds of texts that are scored sign by sign, the others word by word."""
_DIGITS = {word: str(number) for number, word in enumerate("zero one two three four five six seven eight nine".split())}
_HALF_DAY = re.compile(r"(?<=\d) ?[ap]\.?m\b\.?")
_OCLOCK = re.compile(r"(?<![\d:.])(\d{1,2}) ?o'? ?clock\b")
_TIME = re.compile(r"(?<![\d:.])(\d{1,2})[.:, -] ?(\d\d)(?!\d)")
_ALONE = re.compile(r"^\W*(\d{1,2})\W*$")
_ONE_SIGN = re.compile(r"(?<![^ ])([a-z0-9]) (?=[a-z0-9](?: |$))")


def scored_units(text: str, kind: str) -> tuple[str, ...]:
    """What of a text is counted: signs of what was spelled, and words of all else.

    Case, punctuation, hyphens and the spaces between single signs make no difference, nor whether a digit is written as
    a word, nor how a time is written.
    """
    text = text.lower().replace("’", "'")
    if kind in SIGN_KINDS:
        words = re.findall(r"[a-z]+|\d", text)
        return tuple("".join(_DIGITS.get(word, word) for word in words))
    text = re.sub(r"[a-z]+", lambda match: _DIGITS.get(match[0], match[0]), text)
    text = _OCLOCK.sub(r"\1:00", _HALF_DAY.sub("", text))
    if kind == "times":
        text = _ALONE.sub(r"\1:00", _TIME.sub(r"\1:\2", text))
    text = re.sub(r"[^a-z0-9:' ]", " ", text)
    words = [word.strip("':") for word in text.split()]
    return tuple(_ONE_SIGN.sub(r"\1", " ".join(words)).split())


def word_errors(heard: Sequence[str], said: Sequence[str]) -> int:
    """The fewest words that are put in, left out or exchanged to make one text of the other (Levenshtein 1966)."""
    row = list(range(len(said) + 1))
    for number, word in enumerate(heard, 1):
        before, row[0] = row[0], number
        for at, wanted in enumerate(said, 1):
            before, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, before + (word != wanted))
    return row[-1]
