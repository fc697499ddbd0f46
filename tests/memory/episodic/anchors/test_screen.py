"""Entities of screens: values beside and below their labels, in rows and tables, and what is furniture."""

from __future__ import annotations

import time
from collections.abc import Callable

from omnipilot.envs import Box, Element
from omnipilot.memory.episodic.anchors.screen import entities_on

HUNDRED_NEW_TEXTS = 15.0
"""How many times as long as `count` so many texts may take that were never read before; they take about 8 times, and a
usual screen has ten."""


def count() -> int:
    """Work of the interpreter alone, which a busy machine slows down as it does everything else."""
    return sum(number % 7 for number in range(50_000))


def processor_time(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def at(role: str, name: str, left: float, top: float, width: float = 0.2, value: str = "", *states: str) -> Element:
    return Element(role, name, Box(left, top, min(left + width, 1.0), top + 0.03), frozenset(states), value=value)


def found(*items: Element, url: str = "") -> set[tuple[str, str, str]]:
    return {(one.entity.type, one.entity.value, one.entity.label) for one in entities_on(items, url)}


def test_a_value_has_the_label_to_its_left_or_above_it() -> None:
    assert found(at("text", "Door code", 0.1, 0.2), at("text", "4711", 0.5, 0.2)) == {("code", "4711", "Door code")}
    assert found(at("text", "Balance:", 0.1, 0.2), at("text", "€12.40", 0.1, 0.24)) == {("price", "€12.40", "Balance")}
    assert found(at("text", "Place", 0.1, 0.2), at("text", "Lugano", 0.5, 0.2)) == {("name", "Lugano", "Place")}


def test_a_value_in_a_row_has_the_label_of_the_row_and_of_its_column() -> None:
    row = Element("row", "Report draft", Box(0.1, 0.3, 0.9, 0.34))
    heading = at("columnheader", "Changed", 0.6, 0.2)
    assert found(heading, row, at("text", "Sat 31 January", 0.6, 0.305)) == {
        ("date", "Sat 31 January", "Report draft, Changed")
    }


def test_cells_have_the_names_of_their_row_and_column() -> None:
    words = (("Thing", "Count"), ("Chair", "54"), ("Tent", "7"))
    cells = [
        at("cell", f"{'AB'[across]}{down + 1}", 0.1 + 0.2 * across, 0.2 + 0.04 * down, 0.2, text)
        for down, line in enumerate(words)
        for across, text in enumerate(line)
    ]
    empty = at("cell", "C1", 0.5, 0.2)
    assert found(*cells, empty) == {
        ("number", "54", "Chair, Count"),
        ("number", "7", "Tent, Count"),
        ("name", "Chair", "Thing"),
        ("name", "Tent", "Thing"),
    }


def test_names_are_found_in_lists_and_not_on_buttons() -> None:
    people = [at("listitem", name, 0.0, 0.1 * row) for row, name in enumerate(("Mark Olsen", "Lea Wong"), 1)]
    assert found(*people, at("button", "Text Editor", 0.1, 0.9), at("button", "Video Player", 0.3, 0.9)) == {
        ("name", "Mark Olsen", ""),
        ("name", "Lea Wong", ""),
    }


def test_furniture_is_no_entity() -> None:
    keypad = [at("button", str(digit), 0.1, 0.3) for digit in range(10)]
    bare_keys = [at("text", str(digit), 0.05 * digit, 0.4, 0.04) for digit in range(10)]
    days = [at("gridcell", str(day), 0.1 * (day % 7), 0.5 + 0.03 * (day // 7), 0.1) for day in range(1, 29)]
    others = (
        at("time", "12:56", 0.05, 0.01),
        at("text", "12:56", 0.05, 0.01),
        at("text", "87%", 0.9, 0.01),
        at("text", "12:56", 0.95, 0.96),
        at("tab", "Voicemail (8)", 0.6, 0.1),
        at("slider", "Position", 0.1, 0.7, value="0.3 of 8.0 s"),
        at("text", "0:41 / 3:05", 0.1, 0.75),
        at("text", "Page 3 of 9", 0.4, 0.8),
        at("status", "4420", 0.4, 0.2),
        at("textbox", "To", 0.1, 0.22, 0.2, "4711", "focused"),
        at("textbox", "Address", 0.2, 0.08, 0.6, "shop.example/cart"),
    )
    assert found(*keypad, *bare_keys, *days, *others, url="shop.example/cart") == set()


def test_a_text_that_is_new_takes_a_fraction_of_a_millisecond() -> None:
    def crowd(seed: int) -> list[Element]:
        return [
            at("text", f"Row {seed}{row} costs ${seed}{row}.50 until 14 March", 0.1, 0.009 * row) for row in range(100)
        ]

    screens = [crowd(seed) for seed in range(1, 21)]
    seconds, measure = [], []
    for items in screens:
        measure.append(processor_time(count))
        seconds.append(processor_time(lambda items=items: entities_on(items)))
    assert min(seconds) < HUNDRED_NEW_TEXTS * min(measure)


def test_a_value_has_a_label_in_any_script() -> None:
    assert found(at("text", "비밀번호", 0.1, 0.2), at("text", "7394", 0.5, 0.2)) == {("code", "7394", "비밀번호")}
    assert found(at("text", "電話番号：", 0.1, 0.2), at("text", "0312345678", 0.5, 0.2)) == {
        ("phone", "0312345678", "電話番号")
    }
    assert found(at("text", "오후 3:30", 0.0, 0.0)) == set()
