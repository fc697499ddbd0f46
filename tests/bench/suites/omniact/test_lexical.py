"""The planner `lexical`: the first element that a task's words match, and nothing where none does."""

from __future__ import annotations

import pytest

from omnipilot.bench.suites.omniact.lexical import LexicalPlanner, is_named, write_script
from omnipilot.envs import (
    Absent,
    Box,
    Click,
    Done,
    Element,
    Elements,
    Intent,
    MouseMove,
    Observation,
    Point,
    Press,
    Scroll,
    Size,
    TypeText,
)
from omnipilot.memory import Move
from omnipilot.planners import Brief, Request, Verbs

SAVE = Element("text", "Save", Box(0.1, 0.1, 0.1, 0.1), source="ocr")
AGAIN = Element("image", "save", Box(0.2, 0.2, 0.2, 0.2), source="detector")
FIELD = Element("text", "Search sheets", Box(0.3, 0.3, 0.3, 0.3), source="ocr")
RED = Element("color", "red", Box(0.4, 0.4, 0.4, 0.4), source="detector")
AT, THERE = Point(0.1, 0.1), Point(0.3, 0.3)


@pytest.mark.parametrize(
    ("task", "script"),
    [
        ("Click the button Save", [Click(AT)]),
        ("Double click the button Save", [Click(AT, count=2)]),
        ("Open the context menu of the button Save", [Click(AT, button="right")]),
        ("Put the pointer on the button Save", [MouseMove(AT)]),
        ("Click Save, then Search sheets", [Click(AT), Click(THERE)]),
        ("Click the red button", [Click(Point(0.4, 0.4))]),
        ("Search for kettle in Search sheets", [Click(THERE), TypeText("kettle"), Press(("enter",))]),
        (
            "Replace what Search sheets holds by a lamp and confirm",
            [Click(THERE), Press(("ctrl", "a")), TypeText("a lamp"), Press(("enter",))],
        ),
        ("Go down a little", [Scroll(direction="down", amount=10)]),
        ("Select everything and copy it", [Press(("ctrl", "a")), Press(("ctrl", "c"))]),
        ("Click the button Print", []),
    ],
)
def test_each_wording_of_the_miniature_becomes_its_script(task: str, script: list[Intent]) -> None:
    assert list(write_script(task, (SAVE, AGAIN, FIELD, RED))) == script


def test_the_order_of_the_list_decides() -> None:
    assert list(write_script("Click the button Save", (AGAIN, SAVE))) == [Click(Point(0.2, 0.2))]
    assert is_named(FIELD, "the sheets search") and not is_named(FIELD, "the sheets")


def test_it_decides_once_and_without_elements_points_nowhere() -> None:
    task = Brief("Click the button Save", {"pc": Verbs("desktop", frozenset({"click"}))})
    planner = LexicalPlanner()
    planner.begin(task)
    for elements, moves in ((Elements((SAVE,)), (Move("pc", Click(AT)),)), (Absent("failed"), ())):
        seen = Observation("pc", 0.0, Size(10, 10), elements=elements)  # type: ignore[arg-type]
        assert planner.plan(Request(task, 0, {"pc": seen})).moves == (*moves, Move("", Done()))
