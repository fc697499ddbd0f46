"""Checks of the state of a world, as exact as the state is: nothing is folded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from omnipilot.bench.judges.evidence import DeviceEvidence
from omnipilot.bench.judges.kinds import judge
from omnipilot.bench.judges.state_path import NOTHING, StatePath, compare, item_key, plain
from omnipilot.envs import ConfigError

Operator: TypeAlias = Literal[
    "=",
    "≠",
    "!=",
    "<",
    "≤",
    "<=",
    ">",
    "≥",
    ">=",
    "contains",
    "in",
    "absent",
    "present",
    "count",
    "changed",
    "unchanged",
]
_SIGNS = {"≠": "!=", "≤": "<=", "≥": ">=", "contains": "~"}


@judge()
def check_state(evidence: DeviceEvidence, path: StatePath, op: Operator, value: Any = None) -> tuple[bool, str]:
    """A part of the world's state is so, as `StatePath` names it: equal, above, containing, absent, …

    Where the path leads to several values, one of them must be so; with "≠" and "unchanged", all must, and there must
    be one. "absent" wants no value there, "count" as many as `value`, and "changed" another one than at the start.
    Values are compared exactly.
    """
    places = path.places(evidence.case.state, evidence.case.start)
    found = [now for now, _ in places]
    words = f"{path.text}: {str([plain(one) for one in found])[:200]}"
    if op in ("absent", "present"):
        return bool(found) == (op == "present"), words
    if op == "count":
        return len(found) == value, words
    if op in ("changed", "unchanged"):
        same = [then is not NOTHING and now == then for now, then in places]
        return (bool(same) and all(same)) if op == "unchanged" else not all(same), words
    operator = _SIGNS.get(op, op)
    every = operator == "!="
    holds = [compare(operator, one, value) for one in found]
    return (bool(holds) and all(holds)) if every else any(holds), words


@judge()
def check_untouched(
    evidence: DeviceEvidence,
    path: StatePath,
    but: list[str] | None = None,
    only: list[str] | None = None,
    new: bool = True,
) -> tuple[bool, str]:
    """All items of a collection are as they were at the start, but for some.

    Args:
        path: of the collection, without a pick at its end.
        but: ids of items that may differ, or be gone.
        only: attributes that are compared; all if none are named.
        new: whether items may be added.
    """
    now, then = _collection(path, evidence.case.state), _collection(path, evidence.case.start)
    if now is then:
        return True, f"{path.text}: untouched"
    before, after = ({item_key(item): item for item in items} for items in (then, now))
    strays = [
        key
        for key, item in before.items()
        if key not in (but or ()) and (key not in after or _parts(after[key], only) != _parts(item, only))
    ]
    if not new:
        strays += [key for key in after if key not in before and key not in (but or ())]
    return not strays, f"{path.text}: touched {strays}" if strays else f"{path.text}: untouched"


def _parts(item: Any, only: list[str] | None) -> Any:
    if only is None:
        return item
    return [item.get(name) if isinstance(item, Mapping) else getattr(item, name) for name in only]


def _collection(path: StatePath, state: Any) -> Any:
    if state is None:
        raise ConfigError(f"check_untouched of {path.text!r} needs the world's state at the start, and there is none")
    found = path.places(state)
    if len(found) != 1 or isinstance(found[0][0], str) or not hasattr(found[0][0], "__iter__"):
        raise ConfigError(f"check_untouched: {path.text!r} must lead to one collection, without brackets at its end")
    collection = found[0][0]
    return list(collection.values()) if isinstance(collection, Mapping) else collection
