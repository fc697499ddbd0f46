"""A screen as few words: what can be acted on and read, numbered, with marks where the task names it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from omnipilot.envs import Element
from omnipilot.planners.mini.aims import CELL, CELLS, aimed_elements
from omnipilot.planners.mini.references import VALUES, References, numbered_words, plain_words, values_in

_CHROME = re.compile(
    r"(taskbar|status|home|system)/|window/\w+/(title|minimise)$|com\.android\.systemui:id/|[\w.]*launcher[\w.]*:id/"
)
"""Ids of what is on every screen and is reached by a verb of its own; over adb, those of Android's bars and home."""
_ITEMS = frozenset({"listitem", "row", "link", "treeitem", "article", "option"})
_FIELDS = frozenset({"textbox", "combobox", "searchbox", "spinbutton", "switch", "checkbox", "slider", "radio", "tab"})
_DROPPED = frozenset({"time", "titlebar", "columnheader"})
_SHOWN_STATES = ("disabled", "checked", "selected", "focused")
SHORT, LONG = 2, 20
"""Words shown of a label that the task does not name, and of a text."""


def front_elements(elements: Sequence[Element]) -> list[Element]:
    """The elements of the foreground window or dialog and of anything drawn over it."""
    bars = [at for at, element in enumerate(elements) if element.role == "titlebar"]
    shown = list(elements[bars[-1] :] if bars else elements)
    dialogs = [at for at, element in enumerate(shown) if element.role in ("dialog", "alertdialog")]
    return shown[dialogs[-1] :] if dialogs else shown


def mark(label: str, task: str, values: frozenset[str]) -> str:
    """How the task names a label: `*` as a value, `+` in passing, "" not at all."""
    folded = label.casefold().strip()
    if not folded:
        return ""
    if folded in values:
        return "*"
    if len(folded) > 1 and re.search(rf"(?<!\w){re.escape(folded)}(?!\w)", task):
        return "+"
    return ""


def screen_words(
    env: str, elements: Sequence[Element], task: str, references: References, known: Sequence[str] = ()
) -> Iterator[str]:
    """A screen in words; numbers its elements.

    Args:
        task: the part of the instruction that is worked on. known: values that were kept or heard, the oldest first.
    """
    folded = task.casefold()
    asked = values_in(task)
    values = frozenset(value.casefold() for value in asked)
    shown = [one for one in front_elements(elements) if not _CHROME.match(one.id or "") and one.role not in _DROPPED]
    cells = [one for one in shown if one.role in CELLS]
    kept_rows = {_row(one) for one in cells if mark(one.value, folded, values) == "*" and _row(one) != "1"} | {"1"}
    items = [one for one in shown if one.role in _ITEMS]
    marked = frozenset(aimed_elements(shown, asked, known))
    for element in shown:
        name, value, role = element.name.strip(), element.value.strip(), element.role
        if role in CELLS and not _cell_matters(element, kept_rows, mark(name, folded, values), element in marked):
            continue
        if role == "text" and element.id is None:
            inside = [item for item in items if item.box.contains(element.box.center)]
            if any(
                name in (item.value.strip(), item.name.strip()) or item.role in ("row", "listitem", "link")
                for item in inside
            ):
                continue
        if not (name or value) or (role == "button" and "disabled" in element.states):
            continue
        if role == "text" and element.id is None and not value and VALUES.search(name):
            yield "t"
            yield from numbered_words(name, references, LONG)
            continue
        if role == "image" and (element.id is None or any(name == item.name.strip() for item in items)):
            continue
        number = references.add(value or name, env, element)
        if not number:
            return
        yield number
        yield from _element_words(element, folded, values, references, element in marked)


def _element_words(
    element: Element, task: str, values: frozenset[str], references: References, marked: bool
) -> Iterator[str]:
    name, value, role = element.name.strip(), element.value.strip(), element.role
    if role in _ITEMS or role in ("text", "heading", "status", "cell", "gridcell", "dialog", "menuitem"):
        letter = {"listitem": "", "row": "", "link": "", "article": "", "text": "t", "heading": "h"}.get(role, role)
    else:
        letter = {"button": "b", "textbox": "field", "combobox": "choice", "spinbutton": "spin"}.get(role, role)
    if letter:
        yield letter
    yield from (state for state in _SHOWN_STATES if state in element.states)
    reading = role in ("text", "status", "article")
    if name:
        if reading:
            yield from numbered_words(name, references, LONG)
        else:
            named = mark(name, task, values) or ("+" if marked and not value else "")
            if named:
                yield named
            yield from plain_words(name)[: 8 if named else SHORT if role in _ITEMS else 3]
    if value:
        named = mark(value, task, values) or ("+" if marked else "")
        if role in ("listitem", "row", "link") and not named and len(value) <= 60:
            return
        yield ":"
        if named:
            yield named
        if role in _FIELDS or reading or role in CELLS or (element.id is not None and len(value) > 60):
            yield from numbered_words(value, references, LONG)
        else:
            yield from plain_words(value)[: 8 if named else SHORT]


def _cell_matters(cell: Element, kept_rows: set[str], named: str, aimed: bool) -> bool:
    """Whether a cell is shown: of a large sheet, its first row and column, the rows that the task names, and the
    selected cell."""
    if named == "*" or aimed or not CELL.fullmatch(cell.name.strip()):
        return True
    value, name, row = cell.value.strip(), cell.name.strip(), _row(cell)
    of_kept_row = row in kept_rows and (value or row != "1")
    if not ("selected" in cell.states or of_kept_row or (name.startswith("A") and value)):
        return False
    return bool(name[0] <= "F" or value)


def _row(cell: Element) -> str:
    return "".join(letter for letter in cell.name if letter.isdigit())
