"""What elements are called by the text in and around them."""

from __future__ import annotations

import pytest

from omnipilot.grounders.mini.eyes.templates import LineSlots, fill_template, possible_templates

WINDOW = (0, 0, 400, 40)


def slots(lines: list[tuple[str, tuple[int, int, int, int]]], *elements: tuple[str, tuple[int, int, int, int]]):  # type: ignore[no-untyped-def]
    return LineSlots(lines, [kind for kind, _ in elements], [box for _, box in elements])


def test_lines_of_an_item_are_in_order_whatever_letters_they_have() -> None:
    lines = [("Gate code", (10, 31, 80, 41)), ("09:56", (200, 12, 230, 22)), ("Zoe", (10, 10, 40, 24))]
    found = slots(lines, ("listitem", (0, 0, 250, 50))).of(0)
    assert (found["0"], found["1"], found["2"]) == ("Zoe", "09:56", "Gate code")
    assert fill_template("{2}", found) == "Gate code"


def test_a_cell_is_called_by_its_column_and_row() -> None:
    lines = [("A", (150, 5, 160, 15)), ("B", (250, 5, 260, 15)), ("7", (80, 30, 90, 40)), ("12", (210, 30, 220, 40))]
    found = slots(
        lines,
        ("columnheader -", (100, 0, 200, 20)),
        ("columnheader -", (200, 0, 300, 20)),
        ("cell", (100, 25, 200, 45)),
        ("cell", (200, 25, 300, 45)),
    )
    assert [found.of(number)["cell"] for number in (2, 3)] == ["A7", "B7"]


def test_a_tree_item_tells_its_path() -> None:
    lines = [("Home", (10, 5, 40, 15)), ("Pictures", (24, 25, 70, 35)), ("Camera", (38, 45, 80, 55))]
    boxes = [(0, 0, 100, 20), (0, 20, 100, 40), (0, 40, 100, 60)]
    found = slots(lines, *(("treeitem", box) for box in boxes))
    assert [found.of(number)["path"] for number in range(3)] == ["Home", "Pictures", "Pictures/Camera"]


def test_a_window_is_closed_by_its_name() -> None:
    lines = [("Expenses June - Spreadsheet", (50, 10, 250, 30))]
    found = slots(lines, ("titlebar title", WINDOW), ("button", (400, 0, 440, 40))).of(1)
    assert fill_template("Close {app}", found) == "Close Spreadsheet"
    assert fill_template("{file}", found) == "Expenses June"


def test_paragraphs_are_kept_apart_and_wrapped_lines_joined() -> None:
    lines = [
        ("Hello,", (10, 0, 50, 14)),
        ("the code for the front door is as", (10, 40, 195, 54)),
        ("follows", (10, 60, 60, 74)),
    ]
    found = slots(lines, ("text", (0, 0, 200, 100))).of(0)
    assert found["block"] == "Hello,\n\nthe code for the front door is as follows"


@pytest.mark.parametrize(
    ("text", "template"),
    [("6676", "{0}"), ("Rent papers, done", "{right}, done"), ("Back", "Back"), ("", "")],
)
def test_templates_make_the_text_that_they_are_learnt_from(text: str, template: str) -> None:
    places = {"0": "6676", "right": "Rent papers"}
    found = possible_templates(text, places)
    assert template in found
    assert all(fill_template(one, places) == text for one in found)


def test_a_text_with_braces_is_no_template() -> None:
    assert possible_templates("{0}", {"0": "x"}) == []


def test_a_label_before_a_comma_can_be_told_by_itself() -> None:
    lines = [("05:05", (20, 10, 60, 25)), ("Yoga, outside, every day", (20, 35, 160, 50))]
    found = slots(lines, ("listitem", (0, 0, 250, 60)), ("switch", (200, 20, 240, 40)))
    assert fill_template("{0} {1_head}", found.of(0)) == "05:05 Yoga, outside"
    assert fill_template("{item0} {item1_head}", found.of(1)) == "05:05 Yoga, outside"
    assert "{0} {1_head}" in possible_templates("05:05 Yoga, outside", found.of(0))
