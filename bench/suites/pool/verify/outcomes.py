"""What was done to the embedded world: the difference of two states, without what depends on the clock alone.

Numbers of the state that are no whole numbers are times; of them only counts whether they are set. Ids of new items
count for nothing: an item is what it holds.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Literal, TypeAlias

from omnipilot.envs.sim.state.table import FrozenTable
from omnipilot.envs.sim.state.world_state import WorldState

What: TypeAlias = Literal["added", "removed", "changed", "set"]

BOOKKEEPING: frozenset[str] = frozenset(
    {
        "mails.read",
        "threads.unread",
        "voicemails.heard",
        "documents.saved",
        "sheets.saved",
        "clips.saved",
        "playbacks.played",
        "playbacks.at",
        "visits",
        "console.lines",
        "console.past",
        "console.cwd",
    }
)
"""Collections, and fields of collections, that change when something is merely opened."""
DEVICE_FIELDS = ("clipboard", "look.theme", "look.density")
"""What a device keeps that a subtask may be about, as paths."""
DEVICES = ("phone", "desktop")


@dataclass(frozen=True, slots=True)
class RecordChange:
    """A change of one item, or of one record that there is once.

    Attributes:
        kind: the collection, such as "alarms", or the record, such as "phone_settings".
        what: "set" for a record that there is once.
        item: the item's id; "" for a record. before, after: its fields; empty where it is not there.
        fields: names of those that differ, sorted, without bookkeeping.
    """

    kind: str
    what: What
    item: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    fields: tuple[str, ...]

    @property
    def signature(self) -> tuple[str, ...]:
        """The change as `+kind`, `-kind` or `~kind.field`, one each field."""
        if self.what in ("added", "removed"):
            return (f"{'+' if self.what == 'added' else '-'}{self.kind}",)
        return tuple(f"~{self.kind}.{name}" for name in self.fields)

    def content(self) -> tuple[Any, ...]:
        """What tells this change from others, without times and without the ids of new items."""
        item = "" if self.what == "added" else self.item
        fields = tuple((name, timeless(self.after.get(name))) for name in self.fields)
        return (self.kind, self.what, item, fields if self.what != "removed" else ())


@dataclass(frozen=True, slots=True)
class StateOutcome:
    """What playing some moves did.

    Attributes:
        changes: of the account and of what the devices keep; without bookkeeping.
        traces: bookkeeping that changed, sounds that began, and the views in front at the end.
    """

    changes: tuple[RecordChange, ...]
    traces: frozenset[Any]

    def equals(self, other: StateOutcome) -> bool:
        """Whether the same was done; where nothing is done but reading, whether the same was opened."""
        mine, others = self.contents(), other.contents()
        return mine == others and (bool(mine) or self.traces == other.traces)

    def contents(self) -> frozenset[Any]:
        """The changes, without times and without the ids of new items."""
        return frozenset(change.content() for change in self.changes)

    @property
    def signature(self) -> frozenset[str]:
        """See `RecordChange.signature`."""
        return frozenset(part for change in self.changes for part in change.signature)


def outcome_of(before: WorldState, after: WorldState) -> StateOutcome:
    """What changed from one state to a later one."""
    changes = changes_between(before, after)
    kept = tuple(change for change in changes if change.fields or change.what in ("added", "removed"))
    visited = {
        (device, window.app, window.view.name, window.view.arg)
        for device in DEVICES
        if (window := after.device(device).front) is not None  # type: ignore[arg-type]
    }
    sounds = {
        (device, sound.name)
        for device in DEVICES
        for sound in after.device(device).sounds[len(before.device(device).sounds) :]  # type: ignore[arg-type]
    }
    return StateOutcome(kept, frozenset(visited | sounds))


def changes_between(before: WorldState, after: WorldState, bookkeeping: bool = False) -> list[RecordChange]:
    """All changes, in the order of the account's fields.

    Args:
        bookkeeping: whether it counts as a change, too.
    """
    left_out = frozenset() if bookkeeping else BOOKKEEPING
    found: list[RecordChange] = []
    if before.account is not after.account:
        for field in dataclasses.fields(before.account):
            old, new = getattr(before.account, field.name), getattr(after.account, field.name)
            if old is not new and field.name not in left_out:
                found += _changes_of(field.name, old, new, left_out)
    if before.signals != after.signals:
        found += _record("signals", before.signals, after.signals, left_out)
    for device in DEVICES:
        for name in DEVICE_FIELDS:
            old, new = (attrgetter(name)(state.device(device)) for state in (before, after))  # type: ignore[arg-type]
            if old != new:
                found.append(RecordChange(device, "set", "", {name: old}, {name: new}, (name,)))
    return found


def fields_of(record: Any) -> dict[str, Any]:
    """The fields of a record, and the properties that are read off them, such as an alarm's `at`."""
    own = {field.name: getattr(record, field.name) for field in dataclasses.fields(record)}
    properties = [name for name, value in vars(type(record)).items() if isinstance(value, property)]
    return own | {name: getattr(record, name) for name in properties if name != "id"}


def collections_of(state: WorldState) -> tuple[str, ...]:
    """Names of the account's collections."""
    own = dataclasses.fields(state.account)
    return tuple(field.name for field in own if isinstance(getattr(state.account, field.name), tuple))


def items_of(state: WorldState, kind: str) -> dict[str, Any]:
    """The items of a collection by id, a conversation by its contact."""
    return {item_id(item): item for item in getattr(state.account, kind)}


def item_id(item: Any) -> str:
    """The key of an item: its id, or the contact of a conversation."""
    return str(getattr(item, "id", None) or item.contact)


def timeless(value: Any) -> Any:
    """A value of the state in which a time is only set or not set."""
    if isinstance(value, float):
        return "set"
    if isinstance(value, FrozenTable):
        return tuple(sorted((key, timeless(inner)) for key, inner in value.items()))
    if isinstance(value, tuple):
        return tuple(timeless(inner) for inner in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return tuple((field.name, timeless(getattr(value, field.name))) for field in dataclasses.fields(value))
    return value


def _changes_of(kind: str, old: Any, new: Any, left_out: frozenset[str]) -> list[RecordChange]:
    if not isinstance(old, tuple):
        return _record(kind, old, new, left_out)
    before, after = ({item_id(item): item for item in items} for items in (old, new))
    found = []
    for id in dict.fromkeys((*before, *after)):
        was, now = before.get(id), after.get(id)
        if was == now:
            continue
        was_fields, now_fields = ({} if item is None else fields_of(item) for item in (was, now))
        what: What = "added" if was is None else "removed" if now is None else "changed"
        found.append(
            RecordChange(kind, what, id, was_fields, now_fields, _differing(kind, was_fields, now_fields, left_out))
        )
    return found


def _record(kind: str, old: Any, new: Any, left_out: frozenset[str]) -> list[RecordChange]:
    before, after = fields_of(old), fields_of(new)
    fields = _differing(kind, before, after, left_out)
    return [RecordChange(kind, "set", "", before, after, fields)] if before != after else []


def _differing(
    kind: str, before: Mapping[str, Any], after: Mapping[str, Any], left_out: frozenset[str]
) -> tuple[str, ...]:
    return tuple(
        name
        for name in sorted({*before, *after})
        if f"{kind}.{name}" not in left_out and timeless(before.get(name)) != timeless(after.get(name))
    )
