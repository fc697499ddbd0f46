"""A screen as few words: what can be acted on and read, numbered, with marks where the task names it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from omnipilot.envs import Element
from omnipilot.planners.mini.references import VALUES, References, numbered_words, plain_words

_CHROME = re.compile(r"(taskbar|status|home|system)/|window/\w+/(title|minimise)$")
"""Ids of what is on every screen and is reached by a verb of its own."""
_ITEMS = frozenset({"listitem", "row", "link", "treeitem", "article", "option"})
_FIELDS = frozenset({"textbox", "combobox", "searchbox", "spinbutton", "switch", "checkbox", "slider", "radio", "tab"})
_DROPPED = frozenset({"time", "titlebar", "columnheader"})
_CELL = re.compile(r"([A-Z]+)(\d+)")
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


def set_wheels(shown: Sequence[Element], task: str) -> frozenset[int]:
    """Which of the wheels that a value is set with, such as hour, ten minutes and minute, stand where the task wants
    them: indices of elements.

    Wheels are fields of digits with arrows; what they show one after another is read as one value.
    """
    told = [(one.value or one.name).strip() for one in shown]
    wheels = [at for at, one in enumerate(shown) if one.role == "spinbutton" and told[at].isdigit()]
    widths = [len(told[at]) for at in wheels]
    for match in VALUES.finditer(task):
        digits = "".join(letter for letter in match["quoted"] or match[0] if letter.isdigit())
        if len(wheels) > 1 and len(digits) == sum(widths):
            starts = [sum(widths[:number]) for number in range(len(widths))]
            return frozenset(
                at
                for at, start, width in zip(wheels, starts, widths, strict=True)
                if told[at] == digits[start : start + width]
            )
    return frozenset()


def next_key(shown: Sequence[Element], values: Sequence[str]) -> int | None:
    """The key of a keypad that continues the last of some values of which what was entered is the beginning: the index
    of an element; None if there is no keypad, or nothing is left to enter."""
    keys = {one.name: at for at, one in enumerate(shown) if one.role == "button" and len(one.name) == 1}
    if not frozenset("0123456789") <= keys.keys():
        return None
    entered = [one.value or one.name for one in shown if one.role in ("status", "textbox")]
    begun = next((text for text in reversed(entered) if text and set(text) <= keys.keys()), "")
    for value in reversed(values):
        if set(value) <= keys.keys() and value.startswith(begun) and value != begun:
            return keys[value[len(begun)]]
    return None


def aimed_cells(shown: Sequence[Element], values: frozenset[str]) -> frozenset[int]:
    """The cells of a sheet where a row that the task names crosses a column that it names, and the one above a cell
    that it names, where what stands above it ends: indices of elements.

    Args:
        values: of the task, in lower case.
    """
    cells = {
        (match[1], int(match[2])): at
        for at, one in enumerate(shown)
        if one.role in ("cell", "gridcell") and (match := _CELL.fullmatch(one.name.strip()))
    }
    named = {place for place, at in cells.items() if shown[at].value.strip().casefold() in values}
    columns = {column for column, row in named if row == 1}
    rows = {row for _, row in named if row > 1}
    aimed = {(column, row) for column in columns for row in rows}
    aimed |= {(column, row - 1) for column, row in cells if f"{column}{row}".casefold() in values}
    return frozenset(at for place, at in cells.items() if place in aimed)


def screen_words(
    env: str, elements: Sequence[Element], task: str, references: References, known: Sequence[str] = ()
) -> Iterator[str]:
    """A screen in words; numbers its elements.

    Args:
        task: the part of the instruction that is worked on. known: values that were kept or heard, the oldest first.
    """
    folded = task.casefold()
    values = frozenset((match["quoted"] or match[0]).casefold() for match in VALUES.finditer(task))
    shown = [one for one in front_elements(elements) if not _CHROME.match(one.id or "") and one.role not in _DROPPED]
    cells = [one for one in shown if one.role in ("cell", "gridcell")]
    kept_rows = {_row(one) for one in cells if mark(one.value, folded, values) == "*" and _row(one) != "1"} | {"1"}
    items = [one for one in shown if one.role in _ITEMS]
    asked = [match["quoted"] or match[0] for match in VALUES.finditer(task)]
    key = next_key(shown, [*asked, *known])
    pointed = {*set_wheels(shown, task), *aimed_cells(shown, values), *(() if key is None else (key,))}
    marked = frozenset(shown[at] for at in pointed)
    for element in shown:
        name, value, role = element.name.strip(), element.value.strip(), element.role
        if role in ("cell", "gridcell") and element not in marked:
            if not _cell_matters(element, kept_rows, mark(name, folded, values)):
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
        if role in _FIELDS or reading or role in ("cell", "gridcell") or (element.id is not None and len(value) > 60):
            yield from numbered_words(value, references, LONG)
        else:
            yield from plain_words(value)[: 8 if named else SHORT]


def _cell_matters(cell: Element, kept_rows: set[str], named: str) -> bool:
    """Whether a cell is shown: of a large sheet, its first row and column, the rows that the task names, and the
    selected cell."""
    if named == "*" or not _CELL.fullmatch(cell.name.strip()):
        return True
    value, name, row = cell.value.strip(), cell.name.strip(), _row(cell)
    of_kept_row = row in kept_rows and (value or row != "1")
    if not ("selected" in cell.states or of_kept_row or (name.startswith("A") and value)):
        return False
    return bool(name[0] <= "F" or value)


def _row(cell: Element) -> str:
    return "".join(letter for letter in cell.name if letter.isdigit())
