"""What differs between two states of the embedded world, exactly: item by item and field by field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from omnipilot.bench.suites.pool.worlds import Change
from omnipilot.envs.sim.inventory import collections_of, item_id, singles_of
from omnipilot.envs.sim.state.world_state import DeviceState, WorldState

DEVICES = ("phone", "desktop")


def changes(before: WorldState, after: WorldState) -> list[Change]:
    """All differences of the account, the signals, and what the devices hold (clipboard, look, what rings).

    What is on the screens and how late it is are no differences.
    """
    found = [
        *_account_changes(before, after),
        *_fields("signals", "", before.signals, after.signals),
        *(change for name in DEVICES for change in _device_changes(name, getattr(before, name), getattr(after, name))),
    ]
    return [
        replace(change, stamp=True)
        if isinstance(change.after, float) and before.time <= change.after <= after.time
        else change
        for change in found
    ]


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
