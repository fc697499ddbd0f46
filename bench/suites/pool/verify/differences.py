"""Evaluators from differences of states: what every right trajectory changed becomes checks as data, never code.

A change of several instances is said with holes: the item is found by what it holds, never by an id that it got while
the task was done. Beside the changes stands that nothing else of the same collections was touched, and before them the
views that every recorded way passes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omnipilot.bench.suites.pool.records import Evaluator
from omnipilot.bench.suites.pool.verify.explanations import UNEXPLAINED, as_condition, explain_values, new_parts
from omnipilot.bench.suites.pool.verify.instances import SubtaskInstance
from omnipilot.bench.suites.pool.verify.outcomes import (
    BOOKKEEPING,
    DEVICES,
    RecordChange,
    changes_between,
    collections_of,
    fields_of,
    items_of,
    timeless,
)
from omnipilot.bench.suites.pool.verify.trials import Trace
from omnipilot.envs.sim.state.table import FrozenTable

Entry = dict[str, Any]
MOST_CONDITIONS = 2
"""Fields that together find an item by what it holds."""


@dataclass(frozen=True, slots=True)
class RightTrace:
    """A trajectory that did what the subtask asks, on an instance, and maybe another way on the same one."""

    instance: SubtaskInstance
    trace: Trace
    other_way: Trace | None = None


class NoEvaluator(Exception):
    """Nothing that could be checked is common to the right trajectories; the message says what is missing."""


def evaluator_of(
    subtask: str, samples: Sequence[RightTrace], milestones: bool = True, dropped: Iterable[str] = ()
) -> Evaluator:
    """The evaluator of a subtask from right trajectories on several instances.

    Args:
        samples: at least two, so that what is the same in all can be told from what is drawn.
        milestones: whether the views on the way are checked, too.
        dropped: labels of milestones that are left out.

    Raises:
        NoEvaluator: the trajectories have nothing in common that could be checked.
    """
    holes = [sample.instance.holes() for sample in samples]
    changed = _aligned([sample.trace.outcome.changes for sample in samples])
    checks = [entry for slot in changed for entry in _change_checks(slot, samples, holes)]
    if checks:
        checks += [*_none_besides(changed, samples, holes), *_untouched(changed, samples, holes)]
    way = [view for view in _milestones(samples) if _label(view) not in set(dropped)]
    if not checks:
        checks, way = _being_there(samples, holes), way[:-1]
    if not checks:
        raise NoEvaluator("its trajectories change nothing in common and end at no common screen")
    entries = [_view_check(view) for view in way] if milestones else []
    goal: Entry = {"all": checks, "name": "goal", "say": _say(changed)}
    return Evaluator(subtask, {"ordered": True, "checks": [*entries, goal]}, "difference", barrier=False)


@dataclass(frozen=True, slots=True)
class _Slot:
    """The same change in all instances."""

    kind: str
    what: str
    changes: tuple[RecordChange, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """Fields that differ in every instance."""
        common = set(self.changes[0].fields).intersection(*(change.fields for change in self.changes))
        return tuple(name for name in self.changes[0].fields if name in common)


def _aligned(changes: Sequence[Sequence[RecordChange]]) -> list[_Slot]:
    """The changes that all instances have, by kind, in the order in which they stand."""
    grouped = []
    for own in changes:
        table: dict[tuple[str, str], list[RecordChange]] = {}
        for change in own:
            table.setdefault((change.kind, change.what), []).append(change)
        grouped.append(table)
    return [
        _Slot(kind, what, parts)
        for kind, what in grouped[0]
        if all((kind, what) in table for table in grouped)
        for parts in zip(*(table[kind, what] for table in grouped), strict=False)
    ]


def _change_checks(slot: _Slot, samples: Sequence[RightTrace], holes: Sequence[Mapping[str, Any]]) -> list[Entry]:
    if slot.what == "added":
        return _added(slot, holes)
    if slot.what == "set":
        base = slot.kind if slot.kind in (*DEVICES, "signals") else f"account.{slot.kind}"
        return [entry for name in slot.fields for entry in _field_checks(f"{base}.{name}", name, slot, holes)]
    where = _found_by_content(slot, samples, holes)
    if slot.what == "removed":
        if where is None:
            return []
        return [_state(f"account.{slot.kind}[{where}]", "absent")]
    base = f"account.{slot.kind}[{where}]" if where is not None else f"account.{slot.kind}[changed]"
    entries = [entry for name in slot.fields for entry in _field_checks(f"{base}.{name}", name, slot, holes)]
    telling = [entry for entry in entries if entry != changed_check(entry.get("args", {}).get("path", ""))]
    return telling or entries


def _added(slot: _Slot, holes: Sequence[Mapping[str, Any]]) -> list[Entry]:
    conditions = ["new"]
    for name in slot.changes[0].after:
        values = [change.after.get(name) for change in slot.changes]
        said = explain_values(values, holes, constants=name != "id")
        if said is not UNEXPLAINED and f"{slot.kind}.{name}" not in BOOKKEEPING:
            conditions.append(f"{name}={as_condition(said)}")
            continue
        tuples = [new_parts((), value)[0] for value in values] if isinstance(values[0], tuple) else []
        conditions += [
            f"{name}~{as_condition(part)}" for part in _explained_parts(tuples, holes) if not isinstance(part, list)
        ]
    path = f"account.{slot.kind}[{', '.join(conditions)}]"
    cells = [
        _state(f"{path}.{name}[*]", "=", part)
        for name, value in slot.changes[0].after.items()
        if isinstance(value, FrozenTable)
        for part in _explained_parts(
            [new_parts(FrozenTable(), change.after[name])[0] for change in slot.changes], holes
        )
    ]
    parts = [
        _state(f"{path}.{name}[*]", "count", len(value))
        for name, value in slot.changes[0].after.items()
        if isinstance(value, tuple) and all(len(change.after[name]) == len(value) for change in slot.changes)
    ]
    return [_state(path, "count", 1), *cells, *parts]


def _explained_parts(parts: Sequence[Sequence[Any]], holes: Sequence[Mapping[str, Any]]) -> list[Any]:
    """What the instances' new parts have in common, each in turn."""
    if not parts or not all(parts):
        return []
    said = [explain_values(values, holes) for values in zip(*parts, strict=False)]
    return [one for one in said if one is not UNEXPLAINED]


def _field_checks(path: str, name: str, slot: _Slot, holes: Sequence[Mapping[str, Any]]) -> list[Entry]:
    values = [change.after[name] for change in slot.changes]
    if isinstance(values[0], float | None) and all(isinstance(value, float | None) for value in values):
        if all(value is None for value in values):
            return [_state(path, "absent")]
        return [_state(path, "present")] if all(value is not None for value in values) else []
    said = explain_values(values, holes)
    if said is not UNEXPLAINED:
        return [_state(path, "=", said)]
    both = [new_parts(change.before[name], change.after[name]) for change in slot.changes]
    entries = [
        _state(path, "contains", part)
        for part in _explained_parts([new for new, _ in both], holes)
        if not isinstance(values[0], FrozenTable)
    ]
    if isinstance(values[0], FrozenTable):
        entries = [_state(f"{path}[*]", "=", part) for part in _explained_parts([new for new, _ in both], holes)]
        entries += _cells_besides(path, name, slot)
    elif isinstance(values[0], tuple):
        entries += _parts_besides(path, name, slot)
    if not isinstance(values[0], FrozenTable):
        entries += [
            {"not": _state(path, "contains", part)} for part in _explained_parts([old for _, old in both], holes)
        ]
    return [*entries, changed_check(path)]


def _parts_besides(path: str, name: str, slot: _Slot) -> list[Entry]:
    """That nothing else was added to a list that grew by as much in every instance."""
    both = [(change.before[name], change.after[name]) for change in slot.changes]
    grown = {len(after) - len(before) for before, after in both if timeless(after[: len(before)]) == timeless(before)}
    if len(grown) != 1 or min(grown) < 1 or any(len(after) <= len(before) for before, after in both):
        return []
    return [_state(f"{path}[new]", "count", grown.pop())]


def _cells_besides(path: str, name: str, slot: _Slot) -> list[Entry]:
    """That no other cells of a table differ, where as many do in every instance."""
    both = [(change.before[name], change.after[name]) for change in slot.changes]
    new = {sum(key not in before for key in after) for before, after in both}
    other = {sum(before.get(key, cell) != cell for key, cell in after.items()) for before, after in both}
    gone = any(key not in after for before, after in both for key in before)
    if gone or len(new) != 1 or len(other) != 1:
        return []
    return [_state(f"{path}[new]", "count", new.pop()), _state(f"{path}[changed]", "count", other.pop())]


def _none_besides(
    slots: Sequence[_Slot], samples: Sequence[RightTrace], holes: Sequence[Mapping[str, Any]]
) -> list[Entry]:
    """That nothing else is new in the collections in which something changes, where as much is in every instance; of
    conversations, which come about by themselves, that none is new but with whom the subtask speaks of."""
    entries: list[Entry] = []
    for kind in dict.fromkeys(slot.kind for slot in slots if slot.kind in collections_of(samples[0].instance.state)):
        added = [
            [one.item for one in sample.trace.outcome.changes if one.kind == kind and one.what == "added"]
            for sample in samples
        ]
        if key_of(kind) != "id":
            if all(set(some) <= set(own[f"claimed.{kind}"]) for some, own in zip(added, holes, strict=True)):
                path = f"account.{kind}[new, {key_of(kind)} not in {{claimed.{kind}}}]"
                entries.append(_state(path, "count", 0))
        elif len({len(some) for some in added}) == 1:
            entries.append(_state(f"account.{kind}[new]", "count", len(added[0])))
    return entries


def _found_by_content(slot: _Slot, samples: Sequence[RightTrace], holes: Sequence[Mapping[str, Any]]) -> str | None:
    """The conditions that find the item in every instance: fields that holes explain, as few as possible; the id of the
    item that the subtask speaks of where these do not tell it from others; None where nothing does."""
    stable = [name for name in slot.changes[0].before if name not in slot.changes[0].fields or slot.what == "removed"]
    said = {}
    for name in stable:
        expression = explain_values([change.before.get(name) for change in slot.changes], holes, constants=False)
        if isinstance(expression, str):
            said[name] = expression
    by_values = {name: form for name, form in said.items() if "." not in form and name != "id"}
    choices = [
        chosen
        for pool in (by_values, {name: form for name, form in said.items() if name != "id"})
        for count in range(1, MOST_CONDITIONS + 1)
        for chosen in itertools.combinations(pool, count)
    ]
    for chosen in choices:
        if all(_is_key(slot.kind, chosen, sample) for sample in samples):
            return ", ".join(f"{name}={as_condition(said[name])}" for name in chosen)
    own = explain_values([change.item for change in slot.changes], holes, constants=False)
    if own is UNEXPLAINED:
        return None
    return f"{key_of(slot.kind)}={as_condition(own)}"


def _is_key(kind: str, names: Sequence[str], sample: RightTrace) -> bool:
    """Whether no two items of the collection are alike in these fields."""
    items = [fields_of(item) for item in items_of(sample.instance.state, kind).values()]
    return len({tuple(map(repr, (item.get(name) for name in names))) for item in items}) == len(items)


def _untouched(
    slots: Sequence[_Slot], samples: Sequence[RightTrace], holes: Sequence[Mapping[str, Any]]
) -> list[Entry]:
    """That all other items are as they were, of the collections in which something changes and of those that the
    subtask speaks of."""
    entries: list[Entry] = []
    collections = collections_of(samples[0].instance.state)
    spoken_of = [kind for kind in collections if all(own[f"claimed.{kind}"] for own in holes)]
    for kind in dict.fromkeys([*(slot.kind for slot in slots if slot.kind in collections), *spoken_of]):
        touched = [
            {change.item for change in sample.trace.outcome.changes if change.kind == kind and change.what != "added"}
            for sample in samples
        ]
        if all(ids <= set(own[f"claimed.{kind}"]) for ids, own in zip(touched, holes, strict=True)):
            entries.append(untouched_check(kind, samples[0].instance))
    return entries


def untouched_check(kind: str, instance: SubtaskInstance) -> Entry:
    """That the items of a collection that the subtask does not speak of are as they were, but for bookkeeping."""
    args: Entry = {"path": f"account.{kind}[{key_of(kind)} not in {{claimed.{kind}}}]"}
    left_out = sorted(name.partition(".")[2] for name in BOOKKEEPING if name.startswith(f"{kind}."))
    if left_out and items_of(instance.state, kind):
        args["but"] = left_out
    return {"check": "check_untouched", "args": args}


def changed_check(path: str) -> Entry:
    """That what a path leads to is not what it was at the start."""
    return _state(path, "≠", {"path": f"start:{path}"})


def key_of(kind: str) -> str:
    """The field that tells the items of a collection apart; see `item_id`."""
    return "contact" if kind == "threads" else "id"


def _milestones(samples: Sequence[RightTrace]) -> list[tuple[str, str, str]]:
    """Views that every recorded way passes, in the order of the first: dominators of what was recorded."""
    ways = [trace.visited for sample in samples for trace in (sample.trace, sample.other_way) if trace is not None]
    first = list(dict.fromkeys(view[:3] for view in ways[0])) if ways else []
    return [view for view in first if all(view in {own[:3] for own in way} for way in ways)]


def _view_check(view: tuple[str, str, str]) -> Entry:
    device, app, name = view
    both = [_state(f"{device}.front.app", "=", app), _state(f"{device}.front.view.name", "=", name)]
    return {"all": both, "name": _label(view), "env": device, "say": f"{_label(view)} was not opened"}


def _label(view: tuple[str, str, str]) -> str:
    return f"{view[1]} {view[2]} on the {view[0]}"


def _being_there(samples: Sequence[RightTrace], holes: Sequence[Mapping[str, Any]]) -> list[Entry]:
    """For a subtask that only reads: the last view and what it is about, what was sounded, and what was marked as read
    or heard."""
    last = [trace.visited[-1] if trace.visited else None for trace in (sample.trace for sample in samples)]
    checks: list[Entry] = []
    if all(view is not None and last[0] is not None and view[:3] == last[0][:3] for view in last):
        device, app, name = last[0][:3]  # type: ignore[index]
        checks += [_state(f"{device}.front.app", "=", app), _state(f"{device}.front.view.name", "=", name)]
        about = explain_values([view[3] for view in last if view is not None], holes)
        if about is not UNEXPLAINED:
            checks.append(_state(f"{device}.front.view.arg", "=", about))
    traces = _aligned(
        [changes_between(sample.instance.state, sample.trace.end, bookkeeping=True) for sample in samples]
    )
    for slot in traces:
        if slot.kind not in ("visits", "console"):
            checks += [entry for entry in _change_checks(slot, samples, holes) if "[changed]" not in str(entry)]
    return [*checks, *_sounds(samples, holes), *_untouched([], samples, holes)] if checks else []


def _sounds(samples: Sequence[RightTrace], holes: Sequence[Mapping[str, Any]]) -> list[Entry]:
    entries: list[Entry] = []
    for device in DEVICES:
        names = [
            [
                sound.name
                for sound in sample.trace.end.device(device).sounds[  # type: ignore[arg-type]
                    len(sample.instance.state.device(device).sounds) :  # type: ignore[arg-type]
                ]
            ]
            for sample in samples
        ]
        if all(names):
            said = explain_values([own[-1] for own in names], holes)
            if said is not UNEXPLAINED:
                entries.append(_state(f"{device}.sounds[new, name={as_condition(said)}]", "present"))
    return entries


def _state(path: str, op: str, value: Any = None) -> Entry:
    args: Entry = {"path": path, "op": op}
    if op not in ("absent", "present"):
        args["value"] = value
    return {"check": "check_state", "args": args}


def _say(slots: Sequence[_Slot]) -> str:
    words = {"added": "was not added", "removed": "was not removed", "changed": "was not changed", "set": "was not set"}
    if not slots:
        return "this was not opened"
    said = dict.fromkeys(f"{slot.kind.replace('_', ' ')}: {words[slot.what]} as asked" for slot in slots)
    return "; ".join(said) + ", or something else was touched"
