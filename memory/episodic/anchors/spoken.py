"""Numbers that are spoken: "four seven double one" is 4711."""

from __future__ import annotations

import re

_DIGITS = {
    "zero": "0", "oh": "0", "o": "0", "nought": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5",
    "six": "6", "seven": "7", "eight": "8", "nine": "9", "niner": "9",
}  # fmt: skip
_TEENS = {
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_TIMES = {"double": 2, "triple": 3, "treble": 3}
_SCALES = {"hundred": 100, "thousand": 1000}
_NUMBER_WORD = "|".join((*_DIGITS, *_TEENS, *_TENS, *_TIMES, *_SCALES))
_RUN = re.compile(
    rf"\b(?:(?:{_NUMBER_WORD})|\d)(?:(?:[\s,.-]+|\s+and\s+)(?:(?:{_NUMBER_WORD})\b|\d(?![\w:%])))+", re.IGNORECASE
)
_ONE = re.compile(rf"\b(?:{'|'.join((*_TEENS, *_TENS))})\b", re.IGNORECASE)
_PLAIN = "oh", "o"


def spoken_digits(text: str) -> str:
    """The text with runs of spoken digits, and numbers in words, written in digits; other words stay."""
    text = _RUN.sub(lambda match: _written(match[0]), text)
    return _ONE.sub(lambda match: str(_TEENS.get(match[0].casefold(), _TENS.get(match[0].casefold()))), text)


def _written(said: str) -> str:
    words = [word.casefold() for word in re.split(r"[\s,.-]+", said) if word]
    spoken = [word for word in words if word != "and"]
    if not any(word in _SCALES for word in spoken) and "and" in words:
        return said
    if any(word in _SCALES for word in spoken):
        number = _cardinal(spoken)
        return said if number is None else str(number)
    if len(spoken) == 1 or all(word in _PLAIN for word in spoken):
        return said
    out, at = "", 0
    while at < len(spoken):
        word, after = spoken[at], spoken[at + 1] if at + 1 < len(spoken) else ""
        if word in _TIMES:
            if not (digit := _DIGITS.get(after, after if after.isdigit() else "")):
                return said
            out += digit * _TIMES[word]
            at += 2
        elif word in _TENS and after in _DIGITS and after not in ("zero", *_PLAIN):
            out += str(_TENS[word] + int(_DIGITS[after]))
            at += 2
        else:
            out += _DIGITS.get(word) or str(_TEENS.get(word) or _TENS.get(word) or word)
            at += 1
    return out


def _cardinal(words: list[str]) -> int | None:
    """The number that words with hundreds or thousands name; None if they name none."""
    total = current = 0
    for word in words:
        if word in _DIGITS:
            current += int(_DIGITS[word])
        elif word in _TEENS or word in _TENS:
            current += _TEENS.get(word, 0) or _TENS.get(word, 0)
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word == "thousand":
            total, current = total + max(current, 1) * 1000, 0
        else:
            return None
    return total + current
