"""Error messages for models about mistakes in their JSON."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from typing import Any

MOST_MISTAKES = 6
"""Maximum number of mistakes in one message."""


def short(value: Any) -> str:
    """A value as written, shortened to one line."""
    try:
        text = repr(value)
    except RecursionError:
        text = f"a {type(value).__name__} nested too deep to be shown"
    return text if len(text) <= 80 else f"{text[:76]} ..."


def nearest(name: str, known: Collection[str]) -> str:
    """A suggestion of known names similar to `name`, or else all of them."""
    if not known:
        return "there is none"
    close = difflib.get_close_matches(name.lower(), known, n=3, cutoff=0.6)
    return f"did you mean {' or '.join(close)}?" if close else f"use one of {', '.join(known)}"


def explain(subject: str, mistakes: Iterable[Mapping[str, Any]], known: Collection[str]) -> str:
    """One line per mistake, with the field's path and its value.

    Args:
        subject: what was parsed: the kind of a verb, or "place", "element", ….
        mistakes: as pydantic lists them (`loc`, `type`, `msg`, `input`).
        known: the fields of the subject.
    """
    told = [_tell(subject, mistake, known) for mistake in mistakes]
    rest = f"; and {len(told) - MOST_MISTAKES} more" if len(told) > MOST_MISTAKES else ""
    return "; ".join(told[:MOST_MISTAKES]) + rest


def _tell(subject: str, mistake: Mapping[str, Any], known: Collection[str]) -> str:
    # Tags of a union (which form of a place was tried) are not part of what the model wrote.
    path = [str(part) for part in mistake["loc"] if part not in ("point", "id", "description") or part in known]
    at = ".".join([subject, *path])
    kind, value = mistake["type"], mistake.get("input")
    if kind == "extra_forbidden":
        return f"{at}: no such field" + (f"; {nearest(path[-1], known)}" if len(path) == 1 and known else "")
    if kind == "missing":
        return f"{at}: is missing"
    message = mistake["msg"].removeprefix("Value error, ")
    if kind in ("model_type", "model_attributes_type"):
        message = "Input should be a JSON object" + (
            ' such as {"x": 0.5, "y": 0.25}' if "point" in mistake["loc"] else ""
        )
    if kind in ("less_than_equal", "greater_than_equal") and path and path[-1] in ("x", "y", *_EDGES):
        message += " (coordinates are shares of the screen's sides, not pixels)"
    return f"{at}: {message}, not {short(value)}"


_EDGES = ("left", "top", "right", "bottom")
