"""Faults of element trees like those of real applications; only in agents' observations, never for judges."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from omnipilot.envs.types.geometry import Box
from omnipilot.envs.types.observation import Element, Elements

ROLES = ("group", "image", "text", "button", "link")
NEAR = 0.03
"""Maximum distance of elements that may be merged into one, as a share of the screen."""


@dataclass(frozen=True, slots=True)
class Faults:
    """Shares of elements with each fault, 0..1. An element keeps its faults as long as it is shown.

    Attributes:
        names: share of controls without a name.
        roles: share of elements with a wrong role.
        beyond: share of elements scrolled out of view or behind a dialog that are listed anyway, with their boxes
            clipped to the screen.
        merged: share of pairs of neighbours that are one element with both names.
        seed: selects the affected elements.

    Raises:
        ValueError: a share is not in 0..1.
    """

    names: float = 0.0
    roles: float = 0.0
    beyond: float = 0.0
    merged: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        for share in (self.names, self.roles, self.beyond, self.merged):
            if not 0.0 <= share <= 1.0:
                raise ValueError(f"a share of faulty elements must be between 0 and 1, not {share!r}")

    @property
    def none(self) -> bool:
        """Whether the tree has no faults."""
        return not (self.names or self.roles or self.beyond or self.merged)


def faulty(elements: Elements, beyond: Iterable[Element], faults: Faults) -> Elements:
    """The tree with its faults.

    Args:
        elements: the elements on the screen.
        beyond: elements off the screen that could be listed.
        faults: the share of each fault.
    """
    if faults.none:
        return elements
    listed = [*elements.items, *(e for e in beyond if _hit(faults, "beyond", e, faults.beyond))]
    found: list[Element] = []
    for element in _merged(listed, faults):
        if element.id and _hit(faults, "names", element, faults.names):
            element = replace(element, name="")
        if _hit(faults, "roles", element, faults.roles):
            others = [role for role in ROLES if role != element.role]
            element = replace(element, role=others[_number(faults, "role", element) % len(others)])
        found.append(element)
    return Elements(tuple(found))


def _merged(elements: Sequence[Element], faults: Faults) -> list[Element]:
    found: list[Element] = []
    after = 0
    for i, element in enumerate(elements):
        if i < after:
            continue
        after = i + 1
        if after < len(elements) and near(element, elements[after]) and _hit(faults, "merged", element, faults.merged):
            element, after = _one(element, elements[after]), after + 1
        found.append(element)
    return found


def near(one: Element, other: Element) -> bool:
    """Whether two elements touch or nearly touch."""
    a, b = one.box, other.box
    across = max(a.left, b.left) - min(a.right, b.right)
    down = max(a.top, b.top) - min(a.bottom, b.bottom)
    return across <= NEAR and down <= NEAR


def _one(first: Element, second: Element) -> Element:
    a, b = first.box, second.box
    box = Box(min(a.left, b.left), min(a.top, b.top), max(a.right, b.right), max(a.bottom, b.bottom))
    name = " ".join(part for part in (first.name, second.name) if part)
    return replace(first, name=name, box=box, states=first.states | second.states, id=first.id or second.id)


def _number(faults: Faults, kind: str, element: Element) -> int:
    key = f"{faults.seed} {kind} {element.id or f'{element.role}:{element.name}'}"
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:6], "big")


def _hit(faults: Faults, kind: str, element: Element, share: float) -> bool:
    return share > 0 and _number(faults, kind, element) < share * 2**48
