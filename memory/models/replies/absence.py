"""Answers that say that something is not there by an object or a value: a refusal, and no place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

PLACES = frozenset(
    "coordinate coordinates point point_2d position location click x y "
    "box box_2d bbox bbox_2d start_box element".split()
)
"""Names under which models of all makers put a place."""
_ABSENT = re.compile(
    r"""\W{0,8}(?:
        (?:it|target|element|the\ \w{1,20})?\s?(?:is|was)?\s?not[\s_-]?
            (?:found|visible|present|there|available|applicable|on\ (?:the\ )?screen)
        | none | null | n/?a | absent | refus(?:al|ed) | infeasible | no\ such\ element
    )\b.{0,120}""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


def says_absent(value: Any) -> bool:
    """Whether a value in place of coordinates says that there are none: null, -1, "not found".

    An empty text or list says nothing: servers leave it where they took out tokens that they do not show.

    Args:
        value: of a JSON object, or the argument of a call.
    """
    if isinstance(value, str):
        return len(value) <= 160 and _ABSENT.fullmatch(value) is not None
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
