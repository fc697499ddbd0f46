"""Judges of a subtask from the difference that it makes: each change is there, and nothing else was touched.

Items are found by what is in them, and not by an id that is only made while the task is played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
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


@dataclass(frozen=True, slots=True)
class PassedItems:
    """Which items a subtask takes from others and passes on, by their ids when its changes were found.

    Attributes:
        taken: id → name of the input. given: id of what it yields; "" if that is no item.
        passing: changes that time alone undoes, as (kind, field), such as that a song plays.
    """

    taken: Mapping[str, str] = field(default_factory=dict)
    given: str = ""
    passing: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class NewItem:
    """An item that some subtask of a task makes.

    Attributes:
        item: as it is made. unseen: fields that no judge looks at.
        later: field → the values that other subtasks give it.
    """

    item: Any
    unseen: frozenset[str]
    later: Mapping[str, tuple[Any, ...]]

    def may_be(self, item: Any) -> bool:
        """Whether an item is this one, with or without what others do to it."""
        return all(
            name in self.unseen
            or (name == "id" and not _keyed_by_hand(item))
            or self._fits(getattr(item, name), getattr(self.item, name), self.later.get(name, ()))
            for name in (one.name for one in fields(self.item))
        )

    @staticmethod
    def _fits(now: Any, made: Any, later: Sequence[Any]) -> bool:
        values = [timeless(made), *map(timeless, later)]
        if isinstance(now, tuple) and len(values) > 1:
            return {repr(one) for one in timeless(now)} <= {repr(one) for value in values for one in value}
        return timeless(now) in values


def judge_changes(
    changes: Sequence[StateChange],
    ignored: Sequence[str],
    draw: TaskSampler,
    made_before: Mapping[str, MadeBefore],
    passed: PassedItems | None = None,
) -> JudgeGraph:
    """A judge for each kind of thing that is changed.

    Args:
        changes: what is to differ, without what is ignored.
        ignored: entries that no judge looks at.
        draw: knows which items other subtasks of the task use; what this one uses is claimed here.
        made_before: items that another subtask makes, by the id that they had when the changes were found.
        passed: what it takes and yields, for `with_lasting`.
    """
    judges = []
    for kind, some in groupby(sorted(changes, key=lambda change: change.kind), lambda change: change.kind):
        wanted = tuple(some)
        unseen = {entry.rpartition(".")[2] for entry in ignored if entry.startswith(f"~{kind}.")}
        for change in wanted:
            draw.claim(kind, change.id or change.field)
            draw.claim(_parts_claim(change), *map(repr, _new_parts(change)))
            if change.sign == "+":
                draw.claim(f"new {kind}", _content(change.after, unseen))
        name = f"{kind.replace('_', ' ')} {' and '.join(dict.fromkeys(VERBS[c.sign] for c in wanted))}"
        ask = ChangeJudge(kind, wanted, frozenset(unseen), draw, made_before, passed or PassedItems())
        judges.append(Judge(name, ask))
    return JudgeGraph(tuple(judges))


@dataclass(frozen=True, slots=True)
class ChangeJudge:
    """Examines one kind of thing; see `judge_changes`. What concerns the whole task is filled in by `with_lasting`.

    Attributes:
        new: all items of the kind that the task makes; None where that is not known.
        rest: judges of earlier subtasks that need not last, with what this one leaves of what they want.
        spared: of `rest`, fields of a new item that others change, by its id.
        renamed: of `rest`, ids of items made before that others give another key.
    """

    kind: str
    wanted: tuple[StateChange, ...]
    unseen: frozenset[str]
    draw: TaskSampler
    made_before: Mapping[str, MadeBefore]
    passed: PassedItems
    new: tuple[NewItem, ...] | None = None
    rest: tuple[ChangeJudge, ...] = ()
    spared: Mapping[str, frozenset[str]] = field(default_factory=dict)
    renamed: frozenset[str] = frozenset()

    def __call__(self, case: Case) -> Verdict:
        missing, astray = self._found(case)
        missing += [id for one in self.rest for id in one._found(case)[0]]
        return _verdict(sum(len(one.wanted) for one in (self, *self.rest)), missing, astray)

    def _found(self, case: Case) -> tuple[list[str], list[str]]:
        """What is not as wanted, and what else was touched."""
        if self.kind in ("phone", "desktop", "signals"):
            record = getattr(case.state, self.kind)
            return [one.field for one in self.wanted if _device_field(record, one.field) != one.after], []
        account, start = case.state.account, case.start.account
        if self.kind not in collections_of(account):
            return self._found_of_one(getattr(account, self.kind), getattr(start, self.kind))
        now = {item_id(item): item for item in getattr(account, self.kind)}
        was = {item_id(item): item for item in getattr(start, self.kind)}
        missing = [change.id for change in self.wanted if not self._holds(change, account, now, was)]
        return missing, self._astray(now, was)

    def _found_of_one(self, now: Any, was: Any) -> tuple[list[str], list[str]]:
        missing = [one.field for one in self.wanted if not self._is_as(one, getattr(now, one.field))]
        changed = {change.field for change in self.wanted}
        free = {field.name for field in fields(now)} - changed - self.unseen - self.draw.claimed(self.kind)
        return missing, [name for name in sorted(free) if getattr(now, name) != getattr(was, name)]

    def _holds(self, change: StateChange, account: Account, now: Mapping[str, Any], was: Mapping[str, Any]) -> bool:
        if change.sign == "+":
            spared = self.spared.get(change.id, frozenset())
            content = _content(change.after, self.unseen | spared)
            alike = sum(_content(item, self.unseen | spared) == content for key, item in now.items() if key not in was)
            return alike > 0 if spared else alike == 1
        before = self.made_before.get(change.id)
        if change.sign == "-":
            gone = change.id if before is None else before.value
            return gone not in now if before is None else find_item(account, before.entry, before.value) is None
        if before is None:
            item = now.get(change.id)
            return item is not None and self._is_as(change, getattr(item, change.field))
        meant = self._meant(before, change.id, account, now)
        return any(self._is_as(change, getattr(item, change.field)) for item in meant)

    def _meant(self, before: MadeBefore, id: str, account: Account, now: Mapping[str, Any]) -> list[Any]:
        """The items that may be the one made before: the one with its key, or, if the key itself is changed, any that
        is changed in all that is wanted of it."""
        wanted = [change for change in self.wanted if change.id == id]
        if id in self.renamed or any(change.field in before.entry.key for change in wanted):
            return [item for item in now.values() if all(self._is_as(one, getattr(item, one.field)) for one in wanted)]
        found = find_item(account, before.entry, before.value)
        return [] if found is None else [found]

    def _is_as(self, change: StateChange, now: Any) -> bool:
        """Whether a field is as a change leaves it; of a table or a list that grew, what the change does is there,
        and besides only what other subtasks do to it."""
        before, after = change.before, change.after
        if grew(change) and isinstance(now, type(after)):
            mine = Counter(map(repr, _new_parts(change)))
            found = Counter(map(repr, _new_parts(StateChange("~", "", before=before, after=now))))
            others = self.draw.claimed(_parts_claim(change)) - set(mine)
            return mine <= found and set(found - mine) <= others
        return bool(timeless(now) == timeless(after))

    def _astray(self, now: Mapping[str, Any], was: Mapping[str, Any]) -> list[str]:
        """Items that were changed, removed or made although no subtask of the task is about them."""
        ours = self.draw.claimed(self.kind)
        touched = [
            key
            for key, item in was.items()
            if key not in ours
            and now.get(key) is not item
            and (key not in now or _content(item, self.unseen) != _content(now[key], self.unseen))
        ]
        made = [key for key in now if key not in was]
        if self.new is not None:
            strange = [key for key in made if not any(one.may_be(now[key]) for one in self.new)]
            return [*touched, *(strange or made[len(self.new) :])]
        if STAND_IN in "".join(ours):
            return touched
        contents = self.draw.claimed(f"new {self.kind}")
        return touched + [key for key in made if key not in ours and _content(now[key], self.unseen) not in contents]


def grew(change: StateChange) -> bool:
    """Whether a change only adds to a list, or sets parts of a table, so that others may do so beside it."""
    before, after = change.before, change.after
    if isinstance(after, FrozenTable):
        return isinstance(before, FrozenTable)
    if not isinstance(after, tuple) or not isinstance(before, tuple):
        return False
    return len(after) > len(before) and timeless(after[: len(before)]) == timeless(before)


def _new_parts(change: StateChange) -> list[Any]:
    """What was added to a list, or the cells of a table that differ, with what they hold; nothing for other changes."""
    if not grew(change):
        return []
    before, after = change.before, change.after
    if isinstance(after, FrozenTable):
        keys = sorted({*before, *after})
        return [(key, after.get(key) or "") for key in keys if (before.get(key) or "") != (after.get(key) or "")]
    return list(timeless(after[len(before) :]))


def _parts_claim(change: StateChange) -> str:
    """The name by which subtasks of a task claim what they add to one list or table."""
    return f"parts of {change.kind} {change.id} {change.field}"


def timeless(value: Any) -> Any:
    """A value without the times in the records that it holds, such as when a message was sent."""
    if isinstance(value, tuple):
        return tuple(timeless(one) for one in value)
    if is_dataclass(value) and not isinstance(value, type):
        held = {field.name: getattr(value, field.name) for field in fields(value)}
        return tuple((name, timeless(one)) for name, one in held.items() if not isinstance(one, float))
    return value


def _keyed_by_hand(item: Any) -> bool:
    """Whether an item's id says what it is, and is not merely counted."""
    return not item_id(item).rpartition("-")[2].isdigit()


def _content(item: Any, unseen: frozenset[str] | set[str]) -> str:
    """What is in an item, without its id and what no judge looks at."""
    keyed_by_hand = _keyed_by_hand(item)
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
