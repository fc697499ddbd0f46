"""Regular expressions that come from outside."""

from __future__ import annotations

import re
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

MOST_PATTERN = 1000
CLASSES = {
    **{"alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "space": r"\s", "upper": "A-Z", "lower": "a-z"},
    **{"punct": r"!-/:-@\[-`{-~", "blank": r" \t", "xdigit": "0-9a-fA-F"},
}


def grep_regex(pattern: str, extended: bool, fixed: bool = False, ignore_case: bool = False) -> re.Pattern[str]:
    """A regular expression of grep, basic or extended.

    Raises:
        ValueError: it is none, or one whose search could take forever (a repetition inside a repetition).
    """
    if len(pattern) > MOST_PATTERN:
        raise ValueError("pattern too long")
    if fixed:
        return re.compile(re.escape(pattern), re.IGNORECASE if ignore_case else 0)
    for name, characters in CLASSES.items():
        pattern = pattern.replace(f"[:{name}:]", characters)
    if not extended:
        pattern = re.sub(r"\\([(){}|+?])|([(){}|+?])", lambda m: m[1] if m[1] else "\\" + m[2], pattern)
    return safe_regex(pattern, re.IGNORECASE if ignore_case else 0)


def safe_regex(pattern: str, options: int = 0) -> re.Pattern[str]:
    """A regular expression from outside.

    Raises:
        ValueError: it is none, longer than 1000 characters, or its search could take forever.
    """
    if len(pattern) > MOST_PATTERN:
        raise ValueError("pattern too long")
    try:
        if _explodes(_parser.parse(pattern), False):
            raise ValueError("Regular expression too big")
        return re.compile(pattern, options)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"bad regex '{pattern}': {error}") from None


def _explodes(tree: Any, repeated: bool) -> bool:
    """Whether a repetition or a choice lies inside a repetition: its search may take exponential time."""
    for kind, value in tree:
        if kind in (_constants.MAX_REPEAT, _constants.MIN_REPEAT):
            _, most, inside = value
            if most > 1 and (repeated or _explodes(inside, True)):
                return True
            if most <= 1 and _explodes(inside, repeated):
                return True
        elif kind is _constants.BRANCH:
            if repeated or any(_explodes(branch, repeated) for branch in value[1]):
                return True
        elif kind is _constants.SUBPATTERN:
            if _explodes(value[-1], repeated):
                return True
        elif kind in (_constants.ASSERT, _constants.ASSERT_NOT, _constants.GROUPREF, _constants.GROUPREF_EXISTS):
            return True
    return False
