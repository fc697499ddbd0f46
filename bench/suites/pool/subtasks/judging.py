"""Judges of a subtask from the difference that it makes: each change is there, and nothing else was touched.

Items are found by what is in them, and not by an id that is only made while the task is played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import groupby
from typing import Any

from omnipilot.bench.suites.pool.subtasks.items import STAND_IN, find_item
from omnipilot.bench.suites.pool.subtasks.resource_types import ItemKind
from omnipilot.bench.suites.pool.worlds import StateChange
from omnipilot.bench.synthesis.sampling import TaskSampler
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs.sim.inventory import collections_of, item_id
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.table import FrozenTable

VERBS = {"+": "added", "-": "removed", "~": "changed"}


@dataclass(frozen=True, slots=True)
class MadeBefore:
    """An item that an earlier subtask makes: its kind, and the resource's value, which says which it is."""

    entry: ItemKind
    value: str


def judge_changes(
    changes: Sequence[StateChange],
    ignored: Sequence[str],
    draw: TaskSampler,
    made_before: Mapping[str, MadeBefore],
) -> JudgeGraph:
    """A judge for each kind of thing that is changed.

    Args:
        changes: what is to differ, without what is ignored.
        ignored: entries that no judge looks at.
        draw: knows which items other subtasks of the task use; what this one uses is claimed here.
        made_before: items that another subtask makes, by the id that they had when the changes were found.
    """
    judges = []
    for kind, some in groupby(sorted(changes, key=lambda change: change.kind), lambda change: change.kind):
        wanted = tuple(some)
        unseen = {entry.rpartition(".")[2] for entry in ignored if entry.startswith(f"~{kind}.")}
        for change in wanted:
            draw.claim(kind, change.id or change.field)
            if change.sign == "+":
                draw.claim(f"new {kind}", _content(change.after, unseen))
        name = f"{kind.replace('_', ' ')} {' and '.join(dict.fromkeys(VERBS[c.sign] for c in wanted))}"
        judges.append(Judge(name, _Asks(kind, wanted, frozenset(unseen), draw, made_before)))
    return JudgeGraph(tuple(judges))


@dataclass(frozen=True, slots=True)
class _Asks:
    """Examines one kind of thing; see `judge_changes`."""

    kind: str
    wanted: tuple[StateChange, ...]
    unseen: frozenset[str]
    draw: TaskSampler
    made_before: Mapping[str, MadeBefore]

    def __call__(self, case: Case) -> Verdict:
        if self.kind in ("phone", "desktop", "signals"):
            record = getattr(case.state, self.kind)
            missing = [change.field for change in self.wanted if _device_field(record, change.field) != change.after]
            return _verdict(len(self.wanted), missing, [])
        account, start = case.state.account, case.start.account
        if self.kind not in collections_of(account):
            return self._one(getattr(account, self.kind), getattr(start, self.kind))
        now = {item_id(item): item for item in getattr(account, self.kind)}
        was = {item_id(item): item for item in getattr(start, self.kind)}
        missing = [str(change.id) for change in self.wanted if not self._holds(change, account, now, was)]
        return _verdict(len(self.wanted), missing, self._astray(now, was))

    def _one(self, now: Any, was: Any) -> Verdict:
        changed = {change.field: change.after for change in self.wanted}
        missing = [one.field for one in self.wanted if not _is_as(one, getattr(now, one.field))]
        free = {field.name for field in fields(now)} - set(changed) - self.unseen - self.draw.claimed(self.kind)
        return _verdict(
            len(changed), missing, [name for name in sorted(free) if getattr(now, name) != getattr(was, name)]
        )

    def _holds(self, change: StateChange, account: Account, now: Mapping[str, Any], was: Mapping[str, Any]) -> bool:
        if change.sign == "+":
            content = _content(change.after, self.unseen)
            return sum(_content(item, self.unseen) == content for key, item in now.items() if key not in was) == 1
        before = self.made_before.get(change.id)
        if change.sign == "-":
            gone = change.id if before is None else before.value
            return gone not in now if before is None else find_item(account, before.entry, before.value) is None
        if before is None:
            item = now.get(change.id)
            return item is not None and _is_as(change, getattr(item, change.field))
        return any(_is_as(change, getattr(item, change.field)) for item in self._meant(before, change.id, account, now))

    def _meant(self, before: MadeBefore, id: str, account: Account, now: Mapping[str, Any]) -> list[Any]:
        """The items that may be the one made before: the one with its key, or, if the key itself is changed, any that
        is changed in all that is wanted of it."""
        wanted = [change for change in self.wanted if change.id == id]
        if any(change.field in before.entry.key for change in wanted):
            return [item for item in now.values() if all(_is_as(one, getattr(item, one.field)) for one in wanted)]
        found = find_item(account, before.entry, before.value)
        return [] if found is None else [found]

    def _astray(self, now: Mapping[str, Any], was: Mapping[str, Any]) -> list[str]:
        """Items that were changed, removed or made although no subtask of the task is about them."""
        ours = self.draw.claimed(self.kind)
        made = self.draw.claimed(f"new {self.kind}")
        touched = [
            key
            for key, item in was.items()
            if key not in ours
            and now.get(key) is not item
            and (key not in now or _content(item, self.unseen) != _content(now[key], self.unseen))
        ]
        if STAND_IN in "".join(ours):
            return touched
        return touched + [
            key
            for key, item in now.items()
            if key not in was and key not in ours and _content(item, self.unseen) not in made
        ]


def _is_as(change: StateChange, now: Any) -> bool:
    """Whether a field is as a change leaves it; of a table or a list that grew, only what is new or other counts."""
    before, after = change.before, change.after
    if isinstance(after, FrozenTable) and isinstance(before, FrozenTable) and isinstance(now, FrozenTable):
        keys = {key for key in {*before, *after} if before.get(key) != after.get(key)}
        return all(now.get(key) == after.get(key) for key in keys)
    was, wanted, is_now = timeless(before), timeless(after), timeless(now)
    if isinstance(wanted, tuple) and isinstance(was, tuple) and len(wanted) > len(was) and wanted[: len(was)] == was:
        added = wanted[len(was) :]
        return bool(is_now[: len(was)] == was and all(one in is_now[len(was) :] for one in added))
    return bool(is_now == wanted)


def timeless(value: Any) -> Any:
    """A value without the times in the records that it holds, such as when a message was sent."""
    if isinstance(value, tuple):
        return tuple(timeless(one) for one in value)
    if is_dataclass(value) and not isinstance(value, type):
        held = {field.name: getattr(value, field.name) for field in fields(value)}
        return tuple((name, timeless(one)) for name, one in held.items() if not isinstance(one, float))
    return value


def _content(item: Any, unseen: frozenset[str] | set[str]) -> str:
    """What is in an item, without its id and what no judge looks at."""
    keyed_by_hand = not item_id(item).rpartition("-")[2].isdigit()
    return repr(
        [
            (field.name, timeless(getattr(item, field.name)))
            for field in fields(item)
            if field.name not in unseen and (field.name != "id" or keyed_by_hand)
        ]
    )


def _device_field(record: Any, name: str) -> Any:
    if name in ("theme", "density"):
        return getattr(record.look, name)
    value = getattr(record, name)
    return value and value.kind if name == "ringing" else value


def _verdict(wanted: int, missing: Sequence[str], astray: Sequence[str]) -> Verdict:
    if not missing and not astray:
        return Verdict(1.0)
    share = (wanted - len(missing)) / wanted if wanted else 0.0
    return Verdict(min(share, 0.9), f"not as wanted: {list(missing)}; others touched: {list(astray)}")
