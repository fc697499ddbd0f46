"""What the task aims at on a screen without naming it: the cell where a row crosses a column, the next key of a number,
a wheel that stands where it should.

A prompt marks these as it marks what the task names. To work them out, several things have to be put together that
stand far apart, which a small model learns badly.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from omnipilot.envs import Element

CELLS = frozenset({"cell", "gridcell"})
CELL = re.compile(r"([A-Z]+)(\d+)")
"""The name of a cell: its column and its row."""
_DIGITS = frozenset("0123456789")


def aimed_elements(shown: Sequence[Element], asked: Sequence[str], known: Sequence[str]) -> Iterator[Element]:
    """The elements that the task aims at.

    Args:
        shown: the elements of the screen, in order.
        asked: values in the task. known: values that were kept or heard. Both with the oldest first.
    """
    yield from set_wheels(shown, asked)
    yield from aimed_cells(shown, asked)
    yield from next_keys(shown, [*asked, *known])


def set_wheels(shown: Sequence[Element], asked: Sequence[str]) -> Iterator[Element]:
    """Of the wheels that a value is set with, such as hour, ten minutes and minute, those that stand where they should.

    Wheels are spin buttons with digits; what they show one after another is read as one value, which has as many digits
    as the first value of the task that fits.
    """
    wheels = [(one, text) for one in shown if one.role == "spinbutton" and (text := _text(one)).isdigit()]
    length = sum(len(text) for _, text in wheels)
    fitting = (digits for value in asked if len(digits := "".join(filter(str.isdigit, value))) == length)
    digits = next(fitting, "") if len(wheels) > 1 else ""
    for one, text in wheels:
        if digits.startswith(text):
            yield one
        digits = digits[len(text) :]


def next_keys(shown: Sequence[Element], values: Sequence[str]) -> Iterator[Element]:
    """The key of a keypad that continues the last of some values of which what was entered is the beginning; none if
    there is no keypad, or nothing is left to enter."""
    keys = {one.name: one for one in shown if one.role == "button" and len(one.name) == 1}
    if not keys.keys() >= _DIGITS:
        return
    entered = [_text(one) for one in shown if one.role in ("status", "textbox")]
    begun = next((text for text in reversed(entered) if text and keys.keys() >= set(text)), "")
    for value in reversed(values):
        if keys.keys() >= set(value) and value.startswith(begun) and value != begun:
            yield keys[value[len(begun)]]
            return


def aimed_cells(shown: Sequence[Element], asked: Collection[str]) -> Iterator[Element]:
    """The cells of a sheet where a row that the task names crosses a column that it names, and the one above each
    cell that it names: the last that a sum in that cell takes in."""
    cells = {
        (found[1], int(found[2])): one
        for one in shown
        if one.role in CELLS and (found := CELL.fullmatch(one.name.strip()))
    }
    folded = {value.casefold() for value in asked}
    named = [place for place, one in cells.items() if one.value.strip().casefold() in folded]
    columns = {column for column, row in named if row == 1}
    rows = {row for _, row in named if row > 1}
    aimed = {(column, row) for column in columns for row in rows}
    aimed |= {(column, row - 1) for column, row in cells if f"{column}{row}".casefold() in folded}
    yield from (one for place, one in cells.items() if place in aimed)


def _text(element: Element) -> str:
    return (element.value or element.name).strip()
