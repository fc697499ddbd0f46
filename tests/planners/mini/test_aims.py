"""What a task aims at on a screen without naming it."""

from __future__ import annotations

import pytest

from omnipilot.envs import Box, Element
from omnipilot.planners.mini.aims import aimed_cells, next_keys, set_wheels

BOX = Box(0.1, 0.1, 0.2, 0.2)


def wheels(*values: str) -> list[Element]:
    return [Element("spinbutton", value, BOX) for value in values]


@pytest.mark.parametrize(
    ("shown", "asked", "set_"),
    [
        (("09", "0", "5"), ["09:20"], ["09"]),
        (("09", "2", "0"), ["09:20"], ["09", "2", "0"]),
        (("10", "1", "0"), ["Tea", "10:10"], ["10", "1", "0"]),
        (("08", "2", "0"), ["9:20"], []),
        (("09", "2", "0"), [], []),
        (("3",), ["3"], []),
        (("Mon", "09"), ["Mon", "09"], []),
    ],
)
def test_wheels_that_show_their_part_of_a_value_are_set(
    shown: tuple[str, ...], asked: list[str], set_: list[str]
) -> None:
    assert [one.name for one in set_wheels(wheels(*shown), asked)] == set_


def test_wheels_with_a_value_are_read_by_it() -> None:
    shown = [Element("spinbutton", "hour", BOX, value="09"), Element("spinbutton", "minute", BOX, value="30")]
    assert [one.name for one in set_wheels(shown, ["09:15"])] == ["hour"]


def keypad(entered: str = "", without: str = "") -> list[Element]:
    status = [Element("status", "0:07", BOX), *([Element("status", entered, BOX)] if entered else [])]
    return [*status, *(Element("button", key, BOX) for key in "123456789*0#" if key not in without)]


@pytest.mark.parametrize(
    ("entered", "values", "key"),
    [
        ("", ["7137"], "7"),
        ("71", ["7137"], "3"),
        ("713", ["7137"], "7"),
        ("7137", ["7137"], ""),
        ("9", ["7137"], ""),
        ("", ["7137", "2046"], "2"),
        ("7", ["7137", "2046"], "1"),
        ("", ["Room 12"], ""),
        ("", [], ""),
    ],
)
def test_the_next_key_continues_what_was_entered(entered: str, values: list[str], key: str) -> None:
    assert "".join(one.name for one in next_keys(keypad(entered), values)) == key


def test_without_all_digits_there_is_no_keypad() -> None:
    assert not list(next_keys(keypad(without="0"), ["7137"]))


def sheet() -> list[Element]:
    values = {
        "A1": "Thing",
        "B1": "Shelf",
        "C1": "Price",
        "A2": "Broom",
        "C2": "3.50",
        "A3": "Chair",
        "C3": "",
        "C4": "",
    }
    return [Element("gridcell", name, BOX, value=value) for name, value in values.items()]


@pytest.mark.parametrize(
    ("asked", "cells"),
    [
        (["Price", "Broom"], ["C2"]),
        (["price", "chair", "12.90"], ["C3"]),
        (["Shelf"], []),
        (["Broom"], []),
        (["C4"], ["C3"]),
        (["C1"], []),
    ],
)
def test_cells_are_aimed_at_by_row_and_column_and_from_below(asked: list[str], cells: list[str]) -> None:
    assert [one.name for one in aimed_cells(sheet(), asked)] == cells
