"""Kinds of elements: a role, and which family an id belongs to, as far as a planner asks for it."""

from __future__ import annotations

import re

_FAMILIES = re.compile(r"(taskbar|status|home|system)/|window/\w+/(title|minimise)$|(banner)$")


def kind_of(role: str, id: str | None) -> str:
    """The kind of an element of a tree, such as `button`, `button taskbar`, or `text -` for one without an id."""
    if id is None:
        return f"{role} -"
    found = _FAMILIES.match(id)
    family = next((part for part in found.groups() if part), "") if found else ""
    return f"{role} {family}".strip()


def group_of(kind: str) -> int:
    """Which group of the network looks for a kind: 0 for those without an id."""
    return 0 if kind.endswith(" -") else 1


def role_of(kind: str) -> str:
    """The role of a kind."""
    return kind.split(" ")[0]


def id_of(kind: str, number: int) -> str | None:
    """An id for the element with a number on its screen, of the family of its kind; it means nothing to a device."""
    _, _, family = kind.partition(" ")
    if family == "-":
        return None
    if family in ("title", "minimise"):
        return f"window/seen{number}/{family}"
    if family == "banner":
        return family
    return f"{family or 'seen'}/{number}"
