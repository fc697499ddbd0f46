"""What could stand in the place of a text in the state of a world: the other names of a collection."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any


def alternatives_to(texts: Collection[str], state: Any) -> set[str]:
    """What stands elsewhere in the place of one of these texts: in the same attribute of another item.

    Args:
        state: built of dataclasses; collections are tuples, lists, or the values of mappings. What items are made of,
            as the messages of a conversation, is not looked into.
    """
    found: set[str] = set()
    for values in _columns(state):
        if not values.isdisjoint(texts):
            found |= values
    return found.difference(texts, [""])


def _columns(state: Any) -> Iterator[set[str]]:
    """The texts of each attribute of the items of each collection."""
    if is_dataclass(state):
        for one in fields(state):
            yield from _columns(getattr(state, one.name))
        return
    items = list(state.values()) if isinstance(state, Mapping) else state
    if not isinstance(items, tuple | list):
        return
    items = [item for item in items if is_dataclass(item)]
    for name in dict.fromkeys(one.name for item in items for one in fields(item)):
        yield {value for item in items if isinstance(value := getattr(item, name, None), str)}
