"""Checks of the state of a world, as exact as the state is: nothing is folded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from omnipilot.bench.judges.evidence import DeviceEvidence
from omnipilot.bench.judges.kinds import judge
from omnipilot.bench.judges.state_path import StatePath, compare, plain

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
]
_SIGNS = {"≠": "!=", "≤": "<=", "≥": ">=", "contains": "~"}


@judge()
def check_state(evidence: DeviceEvidence, path: StatePath, op: Operator, value: Any = None) -> tuple[bool, str]:
    """A part of the world's state is so, as `StatePath` names it: equal, above, containing, absent, …

    Where the path leads to several values, one of them must be so; with "≠" all must, and there must be one. "absent"
    wants no value there, "count" as many as `value`. Values are compared exactly. An object {"path": PATH} as `value`
    stands for the values that another path leads to, one of which is wanted.
    """
    places = path.places(evidence.case.state, evidence.case.start)
    found = [now for now, _ in places]
    words = f"{path.text}: {str([plain(one) for one in found])[:200]}"
    if op in ("absent", "present"):
        return bool(found) == (op == "present"), words
    if op == "count":
        return len(found) == value, words
    operator = _SIGNS.get(op, op)
    wanted = [value]
    if isinstance(value, Mapping) and set(value) == {"path"}:
        other = StatePath.parse(str(value["path"]))
        wanted = [now for now, _ in other.places(evidence.case.state, evidence.case.start)]
        words += f"; wanted: {str([plain(one) for one in wanted])[:200]}"
    if operator == "!=":
        return bool(found) and all(compare(operator, one, some) for one in found for some in wanted), words
    return any(compare(operator, one, some) for one in found for some in wanted), words


@judge()
def check_untouched(evidence: DeviceEvidence, path: StatePath) -> tuple[bool, str]:
    """All that a path picks at the start is still there, and as it was.

    `account.mails[*]` is every mail, `account.mails[id != (…)].folder` only the folders, and of other mails. What is
    new is no matter of this: a `check_state` of `account.mails[new]` says whether something was added.
    """
    then = replace(path, at_start=True).places(evidence.case.state, evidence.case.start, keep_none=True)
    touched = [old for old, now in then if now is not old and now != old]
    words = f"touched: {str([plain(one) for one in touched])[:200]}" if touched else "untouched"
    return not touched, f"{path.text}: {words}"
