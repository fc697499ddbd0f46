"""What a screen is recognised by: its controls, headings and layout; not its values, times and items."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from omnipilot.envs import Element
from omnipilot.envs.types.roles import INTERACTIVE

CONTROL, HEADING, FIELD_NAME, ITEM, TEXT, PLACE = 1.0, 0.7, 1.5, 0.15, 0.1, 0.2
"""How much a feature counts: the name of a control, a heading, the name of a field, of one of several alike controls,
a text; and that an element of some role lies in some part of the screen."""
LONGEST_NAME = 40
"""Characters; what is longer is content."""
MOST_TEXTS = 40
SELECTED, APP, ALIKE_CONTROL = 2.5, 1.5, 0.4
_ITEMS = frozenset({"listitem", "row", "option", "gridcell", "cell"})
_CHOSEN = frozenset({"tab", "treeitem", "button", "link", "radio"})
COLUMNS, ROWS = 3, 5
ALIKE = 3
"""So many controls of one role and one shape are items of a list."""
_FIELDS = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "slider", "textarea", "checkbox", "switch"})
_WINDOWS = frozenset({"titlebar", "window", "dialog", "alertdialog"})
_CLOCKS = frozenset({"time", "timer", "status", "log", "marquee", "tooltip", "progressbar"})
_NUMBER = re.compile(r"\d[\d.,:]*")


def front(elements: Sequence[Element]) -> Sequence[Element]:
    """The elements of the window in front: those listed from the last title bar or dialog on; all where there is
    none."""
    for index in range(len(elements) - 1, 0, -1):
        if elements[index].role in _WINDOWS:
            return elements[index:]
    return elements


def features(elements: Sequence[Element]) -> dict[str, float]:
    """The features of a screen, each with how much it counts."""
    shown = front(elements)
    shapes: dict[tuple[str, int, int], int] = {}
    for one in shown:
        if one.role in INTERACTIVE or one.role == "listitem":
            shape = _shape(one)
            shapes[shape] = shapes.get(shape, 0) + 1
    found: dict[str, float] = {}
    for feature, weight in _of(shown, shapes):
        if weight > found.get(feature, 0.0):
            found[feature] = weight
    return found


def _shape(one: Element) -> tuple[str, int, int]:
    box = one.box
    return one.role, round((box.right - box.left) * 50), round((box.bottom - box.top) * 50)


def _of(shown: Sequence[Element], shapes: Mapping[tuple[str, int, int], int]) -> Iterator[tuple[str, float]]:
    item_end = -1.0
    for one in shown:
        role, box = one.role, one.box
        if role in _CLOCKS:
            continue
        column = min(int((box.left + box.right) / 2 * COLUMNS), COLUMNS - 1)
        row = min(int((box.top + box.bottom) / 2 * ROWS), ROWS - 1)
        yield f"@{role} {column} {row}", PLACE
        if role in _ITEMS:
            item_end = box.bottom
        inside = role not in _ITEMS and box.bottom <= item_end and box.top < item_end
        if not inside:
            item_end = item_end if role in _ITEMS else -1.0
        if not one.name or len(one.name) > LONGEST_NAME:
            continue
        name = stable(one.name)
        if "selected" in one.states and role in _CHOSEN:
            yield f"selected {name}", SELECTED
        if inside:
            yield name, TEXT
        elif role == "titlebar":
            document, _, app = name.rpartition(" - ")
            yield f"app {app}", APP
            if document:
                yield f"document {document}", HEADING
        elif role in _ITEMS:
            yield name, ITEM
        elif role in _FIELDS:
            yield name, FIELD_NAME if shapes.get(_shape(one), 0) < ALIKE else ALIKE_CONTROL
        elif role in INTERACTIVE:
            yield name, CONTROL if shapes.get(_shape(one), 0) < ALIKE else ALIKE_CONTROL
        elif role == "heading":
            yield name, HEADING
        else:
            yield name, TEXT


@lru_cache(maxsize=4096)
def stable(name: str) -> str:
    """A name without what changes in it: numbers, times and amounts."""
    return _NUMBER.sub("#", name.casefold())
