"""Refusals: answers that say, in words or in an object, that what was asked for is not there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

OBJECT_SAYS_NO = re.compile(r"\s{0,20}+(?:null|None)\s{0,20}+")
"""A whole answer that is nothing, in JSON or in Python."""
_ABSENT = re.compile(
    r"\W{0,8}(?:the \w{1,20} (?:is|was) )?(?:not[ _-]?found|none|null|n/?a|not (?:visible|present|there)|refusal|"
    r"infeasible|impossible)\W{0,8}",
    re.IGNORECASE,
)
_ERRORS = ("error", "Error", "error_message")
_THERE = ("found", "visible", "exists", "present")
_QUOTED = re.compile(r"\"[^\"\n]{0,200}+\"|“[^”\n]{0,200}+”|(?<!\w)'[^'\n]{1,80}+'(?!\w)")
_WORDS = re.compile(
    r"\b(?:is|was|are|were|do|does|did|could|can)(?:\s{1,4}not|n['’]t)\s{1,4}(?:be\s{1,4})?"
    r"(?:found|present|exist|located|there)\b"
    r"|\b(?:cannot|can['’]t|can\s{1,4}not|could\s{1,4}not|couldn['’]t|unable\s{1,4}to|failed\s{1,4}to)\s{1,4}"
    r"(?:find|locate|see|identify)\b"
    r"|^\W{0,8}not[ _-]?found\b",
    re.IGNORECASE | re.MULTILINE,
)
_PAIR = re.compile(
    r"\d[\"'\]]?\s{0,8}(?:[,;]\s{0,8}|\s)(?:[\"']?y[\"']?\s{0,4}[=:]\s{0,4})?[\"']?-?\.?\d", re.IGNORECASE
)
LONGEST_REFUSAL = 2_000
"""Characters at the start of an answer that are searched for a refusal in words."""


def says_absent(value: Any) -> bool:
    """Whether a value in the place of numbers says that there is nothing: null, "not found", two of them in a list."""
    if isinstance(value, list | tuple):
        return bool(value) and all(item is None for item in value)
    return value is None or (isinstance(value, str) and len(value) <= 80 and _ABSENT.fullmatch(value) is not None)


def object_says_absent(item: Mapping[Any, Any]) -> bool:
    """Whether an object without a place refuses: it has an error, says `found: false`, or a value is "not found"."""
    if any(item.get(key) not in (None, "", False) for key in _ERRORS):
        return True
    if any(item.get(key) is False for key in _THERE):
        return True
    return any(isinstance(value, str) and says_absent(value) for value in item.values())


def says_absent_before_place(text: str) -> bool:
    """Whether words say that the target is not there, before any two numbers; words in quotes do not count."""
    plain = _QUOTED.sub(" ", text[:LONGEST_REFUSAL])
    said = _WORDS.search(plain)
    if said is None:
        return False
    place = _PAIR.search(plain)
    return place is None or said.start() < place.start()
