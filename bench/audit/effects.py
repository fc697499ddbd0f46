"""What changed between two states of a world: compared piece by piece, by content, whatever the ids of new items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple, TypeAlias


class StateEffect(NamedTuple):
    """One change: where, and what is there now; for what is new in a collection or gone from it, the place ends in
    "[+]" or "[-]". Numbers with a fraction are times in nearly all worlds: only that they changed counts."""

    place: str
    value: Any


Effects: TypeAlias = "Counter[StateEffect]"


def effects_between(before: Any, after: Any) -> Effects:
    """All changes from one state to another.

    Args:
        before, after: built of dataclasses, mappings, tuples and plain values; parts that are the same object are not
            looked into.
    """
    return Counter(_changes("", before, after))


def places_between(before: Any, after: Any) -> frozenset[str]:
    """Where two states differ, with small values: what tells apart one kind of state from another in a search."""
    return frozenset(
        f"{place}={value}" if isinstance(value, bool | str) and len(str(value)) < 25 else place
        for place, value in _changes("", before, after)
    )


def general(place: str) -> str:
    """A place without the names of items: `mails[mail-3].read` as `mails[*].read`."""
    head, *rest = place.split("[")
    return head + "".join(
        ("[" if one[:2] in ("+]", "-]") else "[*]") + (one if one[:2] in ("+]", "-]") else one.partition("]")[2])
        for one in rest
    )


def words_of(effect: StateEffect) -> str:
    """An effect in a few words."""
    return f"{effect.place.lstrip('.')} = {effect.value!r}"[:200]


def _changes(place: str, before: Any, after: Any) -> Iterator[StateEffect]:
    if before is after:
        return
    if type(before) is type(after) and is_dataclass(before):
        for field in fields(before):
            yield from _changes(f"{place}.{field.name}", getattr(before, field.name), getattr(after, field.name))
    elif isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from _keyed(place, before, after)
    elif isinstance(before, tuple | list) and isinstance(after, tuple | list):
        keys = _ids(before), _ids(after)
        if keys[0] is not None and keys[1] is not None:
            yield from _keyed(place, keys[0], keys[1])
        else:
            yield from _listed(place, before, after)
    elif before != after:
        yield StateEffect(place, content(after))


def _ids(items: tuple[Any, ...] | list[Any]) -> dict[Any, Any] | None:
    found = {getattr(item, "id", None): item for item in items}
    return None if None in found or len(found) != len(items) else found


def _keyed(place: str, before: Mapping[Any, Any], after: Mapping[Any, Any]) -> Iterator[StateEffect]:
    for key, item in before.items():
        if key in after:
            yield from _changes(f"{place}[{key}]", item, after[key])
        else:
            yield StateEffect(f"{place}[-]", content(item, keep=key))
    for key, item in after.items():
        if key not in before:
            named = isinstance(getattr(item, "id", None), str)
            yield StateEffect(f"{place}[+]", content(item) if named else (key, content(item)))


def _listed(place: str, before: Any, after: Any) -> Iterator[StateEffect]:
    if len(before) == len(after):
        for number, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _changes(f"{place}[{number}]", one, other)
        return
    known, now = Counter(map(content, before)), Counter(map(content, after))
    yield from (StateEffect(f"{place}[+]", one) for one in (now - known).elements())
    yield from (StateEffect(f"{place}[-]", one) for one in (known - now).elements())


def content(value: Any, keep: Any = None) -> Any:
    """A value as something that can be compared and hashed: without the id of an item (unless it is told to `keep`
    it), without times, and texts without regard to case and blanks."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return "(a time)"
    if isinstance(value, str):
        return " ".join(value.casefold().split())
    if is_dataclass(value):
        named = {field.name: content(getattr(value, field.name)) for field in fields(value) if field.name != "id"}
        return (type(value).__name__, *([str(keep)] if keep is not None else []), *named.values())
    if isinstance(value, Mapping):
        return tuple(sorted(((str(key), content(one)) for key, one in value.items()), key=str))
    if isinstance(value, tuple | list):
        return tuple(map(content, value))
    if isinstance(value, set | frozenset):
        return tuple(sorted(map(content, value), key=str))
    return type(value).__name__
