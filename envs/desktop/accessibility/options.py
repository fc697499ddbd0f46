"""Drop-down lists: which one is meant, and what it has to choose from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from omnipilot.envs.desktop.accessibility.walk import AccessibleNode
from omnipilot.envs.types.geometry import Point
from omnipilot.envs.types.observation import Element

LISTS = frozenset({"combo box", "list box", "list"})
OPTIONS = frozenset({"menu item", "check menu item", "radio menu item", "list item", "table cell"})


@dataclass(frozen=True, slots=True)
class Options:
    """A list and what can be chosen in it.

    Attributes:
        list: the list's element. node: its node. names: of the options, in order. nodes: theirs.
    """

    list: Element
    node: AccessibleNode
    names: tuple[str, ...]
    nodes: tuple[AccessibleNode, ...]

    def index(self, value: str) -> int | None:
        """The place of an option by its text, capitals aside where only that fits; None if there is none."""
        wanted = " ".join(value.split())
        folded = [name.casefold() for name in self.names]
        if wanted in self.names:
            return self.names.index(wanted)
        return folded.index(wanted.casefold()) if folded.count(wanted.casefold()) == 1 else None


def options_at(listed: Sequence[tuple[Element, AccessibleNode]], point: Point) -> Options | None:
    """The list at a place with its options, or None: of lists within each other the smallest."""
    found = [
        (element, node)
        for element, node in listed
        if node.role in LISTS and "offscreen" not in element.states and element.box.contains(point)
    ]
    # A part of a drop-down list, such as its field, may be on top of it.
    found = [one for one in found if one[1].role == "combo box"] or found
    if not found:
        return None
    element, node = min(found, key=lambda one: one[0].box.area)
    options = [one for one in _below(node) if one.role in OPTIONS and one.name.strip()]
    return Options(element, node, tuple(one.name.strip() for one in options), tuple(options))


def _below(node: AccessibleNode) -> Iterator[AccessibleNode]:
    for child in node.children:
        yield child
        yield from _below(child)
