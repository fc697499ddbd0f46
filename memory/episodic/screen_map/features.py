"""What a screen is recognised by: its controls, headings and layout; not its values, times and items."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from omnipilot.envs import Element
from omnipilot.envs.types import INTERACTIVE

CONTROL, FIELD, APP, SELECTED, HEADING = 1.0, 1.5, 1.5, 2.5, 0.7
"""How much a feature counts: the name of a control, of a field, of the application in a title bar; what is selected; a
heading, or the rest of a title bar."""
ALIKE_CONTROL, PLACE = 0.4, 0.2
"""The name of one of several alike controls; that elements of some role lie in some part of the screen."""
ITEM, TEXT, CONTENT = 0.15, 0.1, 0.4
"""The name of an item, a text; and most that all items, or all texts, count together."""
LONGEST_NAME = 40
"""Characters; what is longer is content."""
COLUMNS, ROWS = 3, 5
"""Parts of the screen."""
ALIKE, ITEMS = 3, 1_000
"""So many controls of one size are alike; what counts for one of them that is an item of a list."""
MARKS = ("selected ", "document ")
"""How features begin that say which of several alike pages it is."""
THIN = 0.004
"""Share of the screen; an element that is narrower or lower is not shown."""
_ITEMS = frozenset({"listitem", "row", "option", "gridcell", "cell"})
_CHOSEN = frozenset({"tab", "treeitem", "button", "link", "radio"})
_FIELDS = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "slider", "textarea", "checkbox", "switch"})
_DIALOGS = frozenset({"window", "dialog", "alertdialog"})
_CLOCKS = frozenset({"time", "timer", "status", "log", "marquee", "tooltip", "progressbar"})
_NUMBER = re.compile(r"\d[\d.,:]*")


def front(elements: Sequence[Element]) -> Sequence[Element]:
    """What is shown of the window in front: the elements listed from the last title bar or dialog on; all where there
    is none.

    A title bar that has no button beside it is taken for that of a window behind, of which a faulty tree lists some
    elements at the end; so are elements without any area for what was scrolled away.
    """
    shown = [one for one in elements if one.box.right - one.box.left > THIN and one.box.bottom - one.box.top > THIN]
    for index in range(len(shown) - 1, 0, -1):
        one = shown[index]
        if one.role in _DIALOGS or (one.role == "titlebar" and _beside(one, shown[(index + 1) % len(shown)])):
            return shown[index:]
    return shown


def _beside(bar: Element, one: Element) -> bool:
    middle = (one.box.top + one.box.bottom) / 2
    return bar.box.top <= middle <= bar.box.bottom and one.box.left >= bar.box.right - THIN


def features(elements: Sequence[Element]) -> dict[str, float]:
    """The features of a screen, each with how much it counts."""
    shown = front(elements)
    shapes: dict[tuple[int, int], int] = {}
    for one in shown:
        if one.role in INTERACTIVE or one.role in _ITEMS:
            shape = _shape(one)
            shapes[shape] = shapes.get(shape, 0) + (ITEMS if one.role in _ITEMS else 1)
    found: dict[str, float] = {}
    for feature, weight in _of(shown, shapes):
        if weight > found.get(feature, 0.0):
            found[feature] = weight
    for kind in (ITEM, TEXT):
        alike = [feature for feature, weight in found.items() if weight == kind]
        for feature in alike:
            found[feature] = min(kind, CONTENT / len(alike))
    return found


def _shape(one: Element) -> tuple[int, int]:
    box = one.box
    return round((box.right - box.left) * 50), round((box.bottom - box.top) * 50)


def _of(shown: Sequence[Element], shapes: Mapping[tuple[int, int], int]) -> Iterator[tuple[str, float]]:
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
        elif role in _ITEMS or shapes.get(_shape(one), 0) >= 2 * ITEMS:
            yield name, ITEM
        elif role in _FIELDS:
            yield name, FIELD if shapes.get(_shape(one), 0) < ALIKE else ALIKE_CONTROL
        elif role in INTERACTIVE:
            yield name, CONTROL if shapes.get(_shape(one), 0) < ALIKE else ALIKE_CONTROL
        elif role == "heading":
            yield name, HEADING
        else:
            yield name, TEXT


def is_mark(feature: str) -> bool:
    """Whether a feature says which of several alike pages it is."""
    return feature.startswith(MARKS)


@lru_cache(maxsize=4096)
def stable(name: str) -> str:
    """A name without what changes in it: numbers, times and amounts."""
    return _NUMBER.sub("#", name.casefold())
