"""Judges of the layout of a screen: an element by its path, and what it shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

from omnipilot.bench.judges.evidence import DeviceEvidence
from omnipilot.bench.judges.kinds import judge
from omnipilot.bench.judges.matching import matches
from omnipilot.envs import ConfigError, Element, Elements

Attribute: TypeAlias = Literal["present", "text", "value", "checked", "selected", "focused", "expanded", "disabled"]
_STEP = re.compile(r'(?P<role>[a-z]+)?(?:"(?P<name>[^"]*)")?(?:#(?P<id>[^\s#"\[\]]+))?(?:\[(?P<at>\d+)\])?')


@judge()
def check_layout(
    evidence: DeviceEvidence, path: str, attribute: Attribute = "present", value: str | bool = True, exact: bool = False
) -> tuple[bool, str]:
    """An element on the screen, by its path, is there, shows a text, or is checked, selected, …

    A path is a row of steps apart by `>`, each within the one before it: `list"Networks" > listitem"Home" > switch`.
    A step is a role, a name in quotes, the end of an id after `#`, or several of these, and `[2]` for the second such.
    `text` is its name or value; for the others, `value` is true or false.
    """
    found = find_by_path(evidence.elements(), path)
    words = [f"{one.role} {one.name!r} {sorted(one.states)}" for one in found[:5]]
    if attribute in ("text", "value"):
        if not isinstance(value, str):
            raise ConfigError(f"check_layout: the value of the attribute {attribute} must be a text, not {value!r}")
        texts = [text for one in found for text in ((one.name, one.value) if attribute == "text" else (one.value,))]
        return any(matches(value, text, exact) for text in texts), f"{path}: {words}"
    if not isinstance(value, bool):
        raise ConfigError(f"check_layout: the value of the attribute {attribute} must be true or false, not {value!r}")
    if attribute == "present":
        return bool(found) == value, f"{path}: {words}"
    return any((attribute in one.states) == value for one in found), f"{path}: {words}"


def find_by_path(elements: Elements, path: str) -> list[Element]:
    """The elements that a path leads to; see `check_layout`. One element lies within another if its box does.

    Raises:
        ConfigError: it is no path; the message says how one looks.
    """
    found: Sequence[Element] | None = None
    for step in path.split(">"):
        read = _STEP.fullmatch(step.strip())
        if read is None or not read[0]:
            raise ConfigError(f'a path of elements is like list"Networks" > listitem"Home" > switch, not {path!r}')
        among = [
            one
            for one in elements
            if "offscreen" not in one.states
            and read["role"] in (None, one.role)
            and (read["name"] is None or matches(read["name"], one.name))
            and (read["id"] is None or (one.id or "").endswith(read["id"]))
            and (found is None or any(_lies_within(one, outer) for outer in found))
        ]
        at = int(read["at"] or 0)
        found = among if not at else among[at - 1 : at]
    return list(found or ())


def _lies_within(inner: Element, outer: Element) -> bool:
    return inner is not outer and outer.box.contains(inner.box.center) and inner.box.area <= outer.box.area
