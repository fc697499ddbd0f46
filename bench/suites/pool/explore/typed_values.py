"""What is typed into a field while a world is explored: two different values of a form that its name suggests."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields

from omnipilot.envs.sim.inventory import collections_of, item_id
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.scene import Control

FORMS: Mapping[str, tuple[str, str]] = {
    "words": ("Blue lantern", "Seven geese"),
    "number": ("7", "42"),
    "phone": ("555 0182", "555 0147"),
    "email": ("rosa@example.com", "timo@example.com"),
    "time": ("07:45", "16:20"),
    "date": ("2026-03-12", "2026-03-19"),
    "address": ("help.example", "maps.example"),
    "formula": ("=1+2", "=SUM(A1:A3)"),
}
WORD = re.compile(r"[A-Za-z]{4,}")
"""A word of a text by which lines may be looked for."""
HINTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("email", ("mail", "recipient")),
    ("phone", ("phone", "mobile", "dial")),
    ("time", ("time",)),
    ("date", ("date", "day", "due")),
    ("number", ("count", "amount", "minutes", "hours", "quantity")),
)


def form_of(name: str) -> str:
    """The form of text that a field of this name probably wants."""
    words = name.lower()
    return next((form for form, hints in HINTS if any(hint in words for hint in hints)), "words")


def values_for(control: Control) -> tuple[str, str]:
    """Two values for a field, of the form that its name suggests."""
    return FORMS[form_of(f"{control.name} {control.id.rpartition('/')[2]}")]


def other_values(control: Control, state: WorldState, about: str, kinds: Collection[str]) -> list[tuple[str, str]]:
    """What else a field may want: texts of the item that the screen is about, names of things, and other forms.

    Args:
        about: id of the item that the screen is about; "" for none.
        kinds: of the items that the application was seen to show.
    """
    own = [(text, text) for text in texts_of(state, about)]
    others = [pair for form, pair in FORMS.items() if form != form_of(control.name)]
    return [*own, *names_of(state, kinds), *others]


def names_of(state: WorldState, kinds: Collection[str]) -> list[tuple[str, str]]:
    """The names of two items of each kind, where they have names; and of two people, who can be written to."""
    found = []
    for kind, items in collections_of(state.account).items():
        names = [name for item in items[:2] if (name := getattr(item, "name", "") or getattr(item, "title", ""))]
        if kind in {*kinds, "contacts"} and len(names) == 2:
            found.append((names[0], names[1]))
    return found


def texts_of(state: WorldState, id: str) -> Sequence[str]:
    """The texts that the items of an id hold, such as the password of a network."""
    return [
        value
        for items in collections_of(state.account).values()
        for item in items
        if id and item_id(item) == id
        for field in fields(item)
        if field.name != "id" and isinstance(value := getattr(item, field.name), str) and value
    ]
