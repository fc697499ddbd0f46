"""Checks of the state of a world, as exact as the state is: nothing is folded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Literal, TypeAlias

from omnipilot.bench.judges.evidence import DeviceEvidence
from omnipilot.bench.judges.kinds import judge
from omnipilot.bench.judges.matching import LETTERS_BESIDE, fold_text, says_one
from omnipilot.bench.judges.state_path import StatePath, compare, plain
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
    "reads",
    "lines",
    "lines in any order",
]
_SIGNS = {"≠": "!=", "≤": "<=", "≥": ">=", "contains": "~"}


@judge()
def check_state(evidence: DeviceEvidence, path: StatePath, op: Operator, value: Any = None) -> tuple[bool, str]:
    """A part of the world's state is so, as `StatePath` names it: equal, above, containing, absent, …

    Where the path leads to several values, one of them must be so; with "≠" all must, and there must be one. "absent"
    wants no value there, "count" as many as `value`. Values are compared exactly; "reads" folds the case and the blanks
    of a text, and "lines" compares its lines, without blanks around them and empty ones, with a list.

    An object {"path": PATH} as `value` stands for the values that another path leads to, one of which is wanted; with
    "plus": NUMBER, for these and so much more.
    """
    places = path.places(evidence.case.state, evidence.case.start)
    found = [now for now, _ in places]
    words = f"{path.text}: {str([plain(one) for one in found])[:200]}"
    if op in ("absent", "present"):
        return bool(found) == (op == "present"), words
    if op == "count":
        return len(found) == value, words
    wanted = [value]
    if isinstance(value, Mapping) and "path" in value:
        wanted = _values_at(evidence, value)
        words += f"; wanted: {str([plain(one) for one in wanted])[:200]}"
    operator = _SIGNS.get(op, op)
    if operator == "!=":
        return bool(found) and all(compare(operator, one, some) for one in found for some in wanted), words
    return any(_holds(operator, one, some) for one in found for some in wanted), words


def _values_at(evidence: DeviceEvidence, value: Mapping[str, Any]) -> list[Any]:
    """The values that a path as a value stands for."""
    if set(value) - {"path", "plus"}:
        raise ConfigError(f"check_state: a path as a value is an object of path and plus, not {dict(value)!r:.60}")
    places = StatePath.parse(str(value["path"])).places(evidence.case.state, evidence.case.start)
    found = [now for now, _ in places]
    return [one + value["plus"] for one in found] if "plus" in value else found


def _holds(operator: str, value: Any, wanted: Any) -> bool:
    if operator == "reads":
        return isinstance(value, str) and fold_text(value) == fold_text(str(wanted))
    if operator in ("lines", "lines in any order"):
        lines = [line.strip() for line in value.split("\n") if line.strip()] if isinstance(value, str) else None
        if lines is None or not isinstance(wanted, (list, tuple)):
            return False
        return lines == list(wanted) if operator == "lines" else sorted(lines) == sorted(map(str, wanted))
    return compare(operator, value, wanted)


@judge()
def check_said(
    evidence: DeviceEvidence,
    path: StatePath,
    texts: list[str],
    others: list[str] | None = None,
    beside: int = LETTERS_BESIDE,
    added: bool = False,
) -> tuple[bool, str]:
    """What an agent wrote says these texts, each by some value that a path leads to, and no other answer.

    A text stands there as whole words, with few letters beside it; of a text with digits, there is no other number,
    and none of the other answers that were possible. So a list of all answers says nothing.

    Args:
        others: what a text could be instead, such as the other names of a list.
        beside: the most letters that may stand beside it.
        added: whether it is added to what stood there at the start, which has to be kept; only what is new counts.
    """
    places = path.places(evidence.case.state, evidence.case.start)
    found = [now for now, _ in places if isinstance(now, str)]
    if added:
        found = [now.removeprefix(old) for now, old in places if isinstance(old, str) and str(now).startswith(old)]
    return says_one(texts, found, others or (), beside), f"{path.text}: {str(found)[:200]}"


@judge()
def check_untouched(evidence: DeviceEvidence, path: StatePath, but: list[str] | None = None) -> tuple[bool, str]:
    """All that a path picks at the start is still there, and as it was.

    `account.mails[*]` is every mail, `account.mails[id != (…)].folder` only the folders, and of other mails. What is
    new is no matter of this: a `check_state` of `account.mails[new]` says whether something was added.

    Args:
        but: attributes, or keys, in which they may differ.
    """
    then = replace(path, at_start=True).places(evidence.case.state, evidence.case.start, keep_none=True)
    touched = [old for old, now in then if now is not old and _without(now, but) != _without(old, but)]
    words = f"touched: {str([plain(one) for one in touched])[:200]}" if touched else "untouched"
    return not touched, f"{path.text}: {words}"


def _without(value: Any, but: list[str] | None) -> Any:
    """A value, or the parts of a record or table by name, without some."""
    if not but:
        return value
    if is_dataclass(value):
        return {one.name: getattr(value, one.name) for one in fields(value) if one.name not in but}
    return {key: one for key, one in value.items() if key not in but} if isinstance(value, Mapping) else value
