"""What differs between two states of the embedded world, exactly: item by item and field by field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from omnipilot.envs.sim.inventory import collections_of, item_id, singles_of
from omnipilot.envs.sim.state.world_state import DeviceState, WorldState

DEVICES = ("phone", "desktop")


@dataclass(frozen=True, slots=True)
class Change:
    """One difference of two states.

    Attributes:
        sign: "+" an item is new, "-" it is gone, "~" a field differs.
        kind: of the account's items ("todos"), of what it has one of ("phone_settings"), "signals", or a device.
        id: of the item; "" where there is only one.
        field: for "~".
        before, after: the item, or the field's values; None where there is none.
    """

    sign: str
    kind: str
    id: str = ""
    field: str = ""
    before: Any = None
    after: Any = None

    @property
    def signature(self) -> str:
        """Without the item: `+todos`, `-todos`, `~todos.done`."""
        return f"{self.sign}{self.kind}" + (f".{self.field}" if self.field else "")


def changes(before: WorldState, after: WorldState) -> list[Change]:
    """All differences of the account, the signals, and what the devices hold (clipboard, look, what rings).

    What is on the screens and how late it is are no differences.
    """
    return [
        *_account_changes(before, after),
        *_fields("signals", "", before.signals, after.signals),
        *(change for name in DEVICES for change in _device_changes(name, getattr(before, name), getattr(after, name))),
    ]


def signature(before: WorldState, after: WorldState) -> frozenset[str]:
    """The signatures of all changes, without their items."""
    return frozenset(change.signature for change in changes(before, after))


def _account_changes(before: WorldState, after: WorldState) -> Iterator[Change]:
    if before.account is after.account:
        return
    was, now = collections_of(before.account), collections_of(after.account)
    for kind, items in now.items():
        if items is was[kind]:
            continue
        old = {item_id(item): item for item in was[kind]}
        new = {item_id(item): item for item in items}
        for id, item in new.items():
            if id not in old:
                yield Change("+", kind, id, after=item)
            elif item is not old[id]:
                yield from _fields(kind, id, old[id], item)
        for id, item in old.items():
            if id not in new:
                yield Change("-", kind, id, before=item)
    single = singles_of(after.account)
    for kind, item in singles_of(before.account).items():
        yield from _fields(kind, "", item, single[kind])


def _fields(kind: str, id: str, before: Any, after: Any) -> Iterator[Change]:
    if before is after:
        return
    for field in fields(before):
        was, now = getattr(before, field.name), getattr(after, field.name)
        if was != now:
            yield Change("~", kind, id, field.name, was, now)


def _device_changes(name: str, before: DeviceState, after: DeviceState) -> Iterator[Change]:
    if before is after:
        return
    pairs = (
        ("clipboard", before.clipboard, after.clipboard),
        ("theme", before.look.theme, after.look.theme),
        ("density", before.look.density, after.look.density),
        ("ringing", before.ringing and before.ringing.kind, after.ringing and after.ringing.kind),
    )
    for field, was, now in pairs:
        if was != now:
            yield Change("~", name, "", field, was, now)
