"""Evaluators from the task and the world alone, behind an information barrier: no trajectory is looked at.

What is known: what the subtask is to change, what stands in the holes of its instruction, which items it speaks of, and
the worlds in which it begins. How a control is called, which fields a form has, and what a trajectory did, is not.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, get_args, get_type_hints

from omnipilot.bench.suites.pool.records import Evaluator
from omnipilot.bench.suites.pool.verify.differences import Entry, NoEvaluator, changed_check, key_of, untouched_check
from omnipilot.bench.suites.pool.verify.instances import SubtaskInstance
from omnipilot.bench.suites.pool.verify.outcomes import DEVICES, collections_of, fields_of, items_of

MOST_OPTIONS = 12
"""Different values of a field that are taken for options to choose from."""
_DIGITS = re.compile(r"\d+")


def evaluator_from_task(
    subtask: str, effect: Sequence[str], instances: Sequence[SubtaskInstance], dropped: Collection[str] = ()
) -> Evaluator:
    """The evaluator that follows from what a subtask is to change.

    Args:
        effect: as in `SubtaskRecord.effect`; empty for a subtask that only reads.
        instances: whose beginnings are looked at.
        dropped: names of checks that are left out.

    Raises:
        NoEvaluator: nothing can be said of its goal.
    """
    maker = _Maker(instances)
    checks: list[Entry] = []
    for part in sorted(effect):
        checks += maker.checks(part)
    checks = checks or maker.being_there()
    for kind in dict.fromkeys(part[1:].partition(".")[0] for part in effect):
        if kind in maker.collections:
            checks.append({**untouched_check(kind, instances[0]), "say": f"others of {kind}"})
    kept = [check for check in checks if check["say"] not in dropped]
    if not kept:
        raise NoEvaluator("the task alone does not say what to check")
    goal = {"all": kept, "name": "goal", "say": "what the task asks for does not hold"}
    return Evaluator(subtask, {"ordered": True, "checks": [goal]}, "task", barrier=True)


class _Maker:
    """Makes checks from what the instances have in common at their beginning."""

    def __init__(self, instances: Sequence[SubtaskInstance]) -> None:
        self.instances = instances
        self.holes = [instance.holes() for instance in instances]
        self.collections = collections_of(instances[0].state)
        self.values = [name for name in instances[0].values if all(name in own for own in self.holes)]

    def checks(self, part: str) -> list[Entry]:
        """The checks of one part of an effect."""
        kind, _, field = part[1:].partition(".")
        if part.startswith("+"):
            return self._added(kind)
        if part.startswith("-"):
            found = self._item(kind)
            return [] if found is None else [_state(f"account.{kind}[{found}]", "absent", f"{kind} gone")]
        if kind in self.collections:
            return self._changed(kind, field)
        return self._set(kind, field)

    def being_there(self) -> list[Entry]:
        """For a subtask that only reads: its application is in front, with the item that it speaks of."""
        template = self.instances[0].template
        if "+" in template.env:
            return []
        checks = [_state(f"{template.env}.front.app", "=", "the application", template.app)]
        items = [name for name in self.holes[0] if name.endswith(".id") and all(name in own for own in self.holes)]
        if items:
            some = [_state(f"{template.env}.front.view.arg", "contains", "the item", f"{{{name}}}") for name in items]
            checks.append({"any": some, "say": "the item"})
        return checks

    def _added(self, kind: str) -> list[Entry]:
        checks = [_state(f"account.{kind}[new]", "count", f"one of {kind} added", 1)]
        fields = self._fields(kind)
        for hole in self.values:
            forms = [hole, *(name for name in self.holes[0] if name.startswith(f"{hole}."))]
            usable = [name for name in forms if all(name in own for own in self.holes)]
            places = [
                _state(f"account.{kind}[new].{field}", "contains", "", f"{{{name}}}")
                for name in usable
                for field in fields
                if self._fits(kind, field, name)
            ]
            if places:
                for place in places:
                    del place["say"]
                checks.append({"any": places, "say": f"{hole} in {kind}"})
        return checks

    def _changed(self, kind: str, field: str) -> list[Entry]:
        items = [items_of(instance.state, kind) for instance in self.instances]
        if any(not own for own in items) or field not in _own_fields(next(iter(items[0].values()))):
            return []
        found = self._item(kind)
        base = f"account.{kind}[{found or 'changed'}].{field}"
        before = [self._before(kind, field, number) for number in range(len(self.instances))]
        named = self._named_option(kind, field, before)
        if named is not None:
            return [_state(base, "=", f"{kind}.{field}", named)]
        return [self._new_value(base, f"{kind}.{field}", before)]

    def _named_option(self, kind: str, field: str, before: Sequence[Any]) -> str | None:
        """What a field of few values is to become, if the instruction names one of them: a hole, or the value."""
        options = {getattr(item, field) for i in self.instances for item in items_of(i.state, kind).values()}
        if len(options) > MOST_OPTIONS or not all(isinstance(option, str) for option in options):
            return None
        for hole in self.values:
            values = [own[hole] for own in self.holes]
            if set(values) <= options and all(new != old for new, old in zip(values, before, strict=True)):
                return f"{{{hole}}}"
        words = set(re.findall(r"\w+", self.instances[0].template.instruction.casefold()))
        named = [option for option in options if option and option.casefold() in words and option not in before]
        return named[0] if len(named) == 1 else None

    def _set(self, kind: str, field: str) -> list[Entry]:
        device = kind in (*DEVICES, "signals")
        base = f"{kind}.{field}" if device else f"account.{kind}.{field}"
        before = [_value_at(instance.state, base) for instance in self.instances]
        return [self._new_value(base, f"{kind}.{field}", before)]

    def _new_value(self, path: str, name: str, before: Sequence[Any]) -> Entry:
        """That a field has the value that the instruction names; where it names none, that it is another one."""
        if all(isinstance(value, bool) for value in before) and len(set(before)) == 1:
            return _state(path, "=", name, not before[0])
        if all(isinstance(value, str | tuple) for value in before):
            said = [hole for hole in self.values if self._is_new(hole, before)]
            if len(said) == 1:
                return _state(path, "contains", name, f"{{{said[0]}}}")
        if all(value is None for value in before):
            return _state(path, "present", name)
        return {**changed_check(path), "say": name}

    def _is_new(self, hole: str, before: Sequence[Any]) -> bool:
        """Whether a field may become this value of the instruction: no item that the task speaks of has it yet."""
        for own, old, instance in zip(self.holes, before, self.instances, strict=True):
            value = own[hole]
            spoken_of = [
                item
                for kind in self.collections
                for id, item in items_of(instance.state, kind).items()
                if id in own[f"claimed.{kind}"]
            ]
            if old == value or any(value in fields_of(item).values() for item in spoken_of):
                return False
            if any(person.name == value for person in instance.state.account.contacts):
                return False
            if isinstance(old, str) and old and _shape(old) != _shape(value) and _DIGITS.search(old):
                return False
        return True

    def _item(self, kind: str) -> str | None:
        """The condition that finds the item: the one that the task speaks of, or that an input is."""
        names = [*(f"{name}.id" for name in self.instances[0].template.inputs), f"{kind}.id"]
        for name in names:
            if all(own.get(name) in items_of(i.state, kind) for own, i in zip(self.holes, self.instances, strict=True)):
                return f'{key_of(kind)}="{{{name}}}"'
        return None

    def _before(self, kind: str, field: str, number: int) -> Any:
        own, instance = self.holes[number], self.instances[number]
        ids = own[f"claimed.{kind}"]
        item = items_of(instance.state, kind).get(ids[0]) if ids else None
        return _MISSING if item is None else getattr(item, field)

    def _fields(self, kind: str) -> list[str]:
        """Fields of a collection's items that hold texts, as the worlds show them."""
        items = [item for instance in self.instances for item in items_of(instance.state, kind).values()]
        if not items:
            hints = _item_hints(self.instances[0], kind)
            return [name for name, hint in hints.items() if "str" in hint and name != "id"]
        return [name for name in _own_fields(items[0]) if isinstance(getattr(items[0], name), str) and name != "id"]

    def _fits(self, kind: str, field: str, hole: str) -> bool:
        """Whether a value of this form may stand in a field: what has digits has to look like what stands there."""
        value = self.holes[0][hole]
        if not isinstance(value, str) or not value:
            return False
        items = [item for instance in self.instances for item in items_of(instance.state, kind).values()]
        forms = {_shape(getattr(item, field)) for item in items if getattr(item, field)}
        free = not forms or any(not _DIGITS.search(str(getattr(item, field))) for item in items)
        return _shape(value) in forms if _DIGITS.search(value) and not free else True


_MISSING = object()


def _own_fields(item: Any) -> list[str]:
    return [field.name for field in dataclasses.fields(item)]


def _item_hints(instance: SubtaskInstance, kind: str) -> Mapping[str, str]:
    item = get_args(get_type_hints(type(instance.state.account))[kind])[0]
    return {name: str(hint) for name, hint in get_type_hints(item).items()}


def _value_at(state: Any, path: str) -> Any:
    for name in path.split("."):
        state = getattr(state, name, _MISSING)
    return state


def _shape(text: Any) -> str:
    """The form of a text: its digits as 0, its letters as a."""
    return re.sub(r"[^\W\d]+", "a", _DIGITS.sub("0", str(text)))


def _state(path: str, op: str, say: str, value: Any = None) -> Entry:
    args: Entry = {"path": path, "op": op}
    if op not in ("absent", "present"):
        args["value"] = value
    return {"check": "check_state", "args": args, "say": say}
