"""Answers that say that something is not there, by an object, a value or in words: a refusal, and no place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

PLACES = frozenset(
    "coordinate coordinates point point_2d position location click x y "
    "box box_2d bbox bbox_2d start_box element".split()
)
"""Names under which models of all makers put a place."""
OBJECT_SAYS_NO = re.compile(r"\s{0,20}+(?:null|None)\s{0,20}+")
"""A whole answer that is nothing, in JSON or in Python."""
_ABSENT = re.compile(
    r"""\W{0,8}(?:
        (?:it|target|element|the\ \w{1,20})?\s?(?:is|was)?\s?not[\s_-]?
            (?:found|visible|present|there|available|applicable|on\ (?:the\ )?screen)
        | none | null | n/?a | absent | refus(?:al|ed) | infeasible | no\ such\ element
    )\b.{0,120}""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)

_THERE = ("visible", "exists", "present")
_QUOTED = re.compile(r"\"[^\"\n]{0,200}+\"|“[^”\n]{0,200}+”|(?<!\w)'[^'\n]{1,80}+'(?!\w)")
_WORDS = re.compile(
    r"\b(?:is|was|are|were|do|does|did|could|can)(?:\s{1,4}not|n['’]t)\s{1,4}(?:be\s{1,4})?"
    r"(?:found|present|exist|located|there)\b"
    r"|\b(?:cannot|can['’]t|can\s{1,4}not|could\s{1,4}not|couldn['’]t|unable\s{1,4}to|failed\s{1,4}to)\s{1,4}"
    r"(?:find|locate|see|identify)\b"
    r"|^\W{0,8}not[ _-]?found\b|\bno\s{1,4}such\b",
    re.IGNORECASE | re.MULTILINE,
)
_PAIR = re.compile(
    r"\d[\"'\]]?\s{0,8}(?:[,;]\s{0,8}|\s)(?:[\"']?y[\"']?\s{0,4}[=:]\s{0,4})?[\"']?-?\.?\d", re.IGNORECASE
)
LONGEST_REFUSAL = 2_000
"""Characters at the start of an answer that are searched for a refusal in words."""


def says_absent(value: Any) -> bool:
    """Whether a value in place of coordinates says that there are none: null, -1, "not found".

    An empty text or list says nothing: servers leave it where they took out tokens that they do not show.

    Args:
        value: of a JSON object, or the argument of a call.
    """
    if isinstance(value, str):
        return len(value) <= 160 and _ABSENT.fullmatch(value) is not None
    if isinstance(value, Mapping):
        return bool(value) and all(one is None for one in value.values())
    if isinstance(value, list | tuple):
        return bool(value) and all(one is None or one == -1 for one in value)
    return value is None or value is False or value == -1


def refuses(answer: Mapping[str, Any]) -> bool:
    """Whether an object is a refusal: `{"coordinate": null}`, `{"error": "…"}`, `{"found": false}`.

    Args:
        answer: an object that names no action, or the arguments of a click.
    """
    places = [value for name, value in answer.items() if str(name).lower() in PLACES]
    if places:
        return all(map(says_absent, places))
    return (
        bool(answer.get("error")) or answer.get("found") is False or answer.get("status") in ("not_found", "not found")
    )


def says_no_place(answer: Mapping[Any, Any]) -> bool:
    """Whether an object, asked for a place alone, refuses: as in `refuses`, or any value says that it is not there."""
    if refuses(answer) or any(answer.get(key) is False for key in _THERE) or says_absent(answer):
        return True
    if any(answer.get(key) == [] for key in ("points", "objects")):
        return True
    return any(isinstance(value, str) and says_absent(value) for value in answer.values())


def says_absent_before_place(text: str) -> bool:
    """Whether words say that the target is not there, before any two numbers; words in quotes do not count."""
    plain = _QUOTED.sub(" ", text[:LONGEST_REFUSAL])
    said = _WORDS.search(plain)
    if said is None:
        return False
    place = _PAIR.search(plain)
    return place is None or said.start() < place.start()
