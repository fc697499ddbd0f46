"""Verbs and OmniGUI's primitives, both ways, row by row; what has no primitive is none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.bench.suites.omnigui.metrics.actions import Primitive
from omnipilot.bench.suites.omnigui.metrics.reply import read_reply
from omnipilot.bench.suites.omnigui.metrics.targets import TargetField
from omnipilot.bench.suites.omnigui.moves import middle, primitive, reply_of, step_action, thousandths
from omnipilot.bench.suites.omnigui.steps import StepRecord
from omnipilot.envs import (
    Action,
    Answer,
    AskUser,
    Browser,
    Click,
    Custom,
    Done,
    Drag,
    LongPress,
    MouseMove,
    Noop,
    OpenApp,
    OpenUrl,
    Point,
    Press,
    Screenshot,
    Scroll,
    Select,
    Size,
    Swipe,
    System,
    TypeText,
    Wait,
)

AT, AWAY = Point(0.25, 0.57), Point(0.25, 0.1)
TABLE: list[tuple[Action, dict[str, object] | None]] = [
    (Click(AT), {"action_type": 0, "coordinate": [250, 570]}),
    (Click(), {"action_type": 0}),
    (Click(AT, count=2), {"action_type": 1, "coordinate": [250, 570]}),
    (Click(AT, count=3), None),
    (Click(AT, button="right"), None),
    (Click(AT, modifiers=("ctrl",)), None),
    (LongPress(AT), {"action_type": 2, "coordinate": [250, 570]}),
    (Swipe(start=AT, end=AWAY), {"action_type": 3, "start_coordinate": [250, 570], "end_coordinate": [250, 100]}),
    (Swipe(start=AWAY, end=AT), {"action_type": 4, "start_coordinate": [250, 100], "end_coordinate": [250, 570]}),
    (
        Swipe(start=Point(0.9, 0.1), end=Point(0.1, 0.8)),
        {"action_type": 5, "start_coordinate": [900, 100], "end_coordinate": [100, 800]},
    ),
    (
        Swipe(start=Point(0.1, 0.1), end=Point(0.9, 0.8)),
        {"action_type": 6, "start_coordinate": [100, 100], "end_coordinate": [900, 800]},
    ),
    (
        Swipe(start=Point(0.1, 0.1), end=Point(0.5, 0.5)),
        {"action_type": 4, "start_coordinate": [100, 100], "end_coordinate": [500, 500]},
    ),
    (Swipe("left"), {"action_type": 5, "start_coordinate": [500, 500]}),
    (Swipe("right", AT), {"action_type": 6, "start_coordinate": [250, 570]}),
    (Scroll("down"), {"action_type": 3, "start_coordinate": [500, 500]}),
    (Scroll("up", AT), {"action_type": 4, "start_coordinate": [250, 570]}),
    (Scroll("left"), {"action_type": 6, "start_coordinate": [500, 500]}),
    (Scroll("right"), {"action_type": 5, "start_coordinate": [500, 500]}),
    (TypeText("grüße"), {"action_type": 7, "text": "grüße"}),
    (TypeText("a", at=AT, clear=True, submit=True), {"action_type": 7, "text": "a"}),
    (System("back"), {"action_type": 8}),
    (System("home"), {"action_type": 9}),
    (System("recents"), None),
    (Done("success"), {"action_type": 10}),
    (Done("infeasible"), {"action_type": 11}),
    (Done("failure"), {"action_type": 11}),
    (Wait(3.0), {"action_type": -1}),
    (Noop(), {"action_type": -1}),
    (Drag(end=AT, start=AWAY), None),
    (MouseMove(AT), None),
    (Press(("enter",)), None),
    (OpenApp("Clock"), None),
    (OpenUrl("https://example.org"), None),
    (Browser("back"), None),
    (Select(AT, "one"), None),
    (Screenshot(), None),
    (Answer("42"), None),
    (AskUser("Which?"), None),
    (Custom("fly"), None),
]


@pytest.mark.parametrize(("action", "told"), TABLE)
def test_each_verb_is_its_primitive_or_an_honest_miss(action: Action, told: dict[str, object] | None) -> None:
    assert primitive(action) == told
    reply = reply_of([action, Click(Point(0, 0))])
    said = read_reply(reply)
    if told is None:
        assert reply == "" and said is None
    else:
        assert json.loads(reply) == told
        assert said is not None and said.action == told["action_type"]


def test_no_action_is_no_reply() -> None:
    assert reply_of(()) == ""


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_thousandths_come_back_as_they_were_told(x: int, y: int) -> None:
    assert thousandths(Point.from_permille(x, y)) == (x, y)


SIZE = (1079, 2399)
CORNER = st.tuples(st.integers(0, SIZE[0]), st.integers(0, SIZE[1]))


@given(CORNER, CORNER)
def test_the_middle_of_a_target_is_in_it_whatever_the_size(one: tuple[int, int], other: tuple[int, int]) -> None:
    for target in (TargetField(rectangles=((*one, *other),)), TargetField(point=one)):
        assert target.matches(thousandths(middle(target, SIZE)), SIZE)


BOX, POINT = TargetField(rectangles=((10, 20, 30, 40),)), TargetField(point=(90, 30))
MIDDLE, THERE = Point.from_pixels(20, 30, Size(100, 200)), Point.from_pixels(90, 30, Size(100, 200))
RECORDED = [
    (Primitive.NONE, None, None, Wait(1.0)),
    (Primitive.TAP, BOX, None, Click(MIDDLE)),
    (Primitive.DOUBLE_TAP, POINT, None, Click(THERE, count=2)),
    (Primitive.LONG_PRESS, BOX, None, LongPress(MIDDLE)),
    (Primitive.SWIPE_RIGHT, BOX, POINT, Swipe(start=MIDDLE, end=THERE)),
    (Primitive.SWIPE_LEFT, POINT, BOX, Swipe(start=THERE, end=MIDDLE)),
    (Primitive.SWIPE_UP, BOX, POINT, Swipe("up", MIDDLE)),
    (Primitive.SWIPE_DOWN, BOX, None, Swipe("down", MIDDLE)),
    (Primitive.INPUT, None, None, TypeText("words")),
    (Primitive.BACK, None, None, System("back")),
    (Primitive.HOME, None, None, System("home")),
    (Primitive.TASK_COMPLETE, None, None, Done("success")),
    (Primitive.TASK_IMPOSSIBLE, None, None, Done("infeasible")),
]


@pytest.mark.parametrize(("kind", "touch", "lift", "action"), RECORDED)
def test_what_was_recorded_is_a_verb_that_is_that_primitive(
    kind: Primitive, touch: TargetField | None, lift: TargetField | None, action: Action
) -> None:
    made = step_action(StepRecord(0, "0", kind, touch, lift, "words", (100, 200)))
    assert made == action
    told = primitive(made)
    assert told is not None and told["action_type"] == kind


@pytest.mark.parametrize(
    ("kind", "action"),
    [
        (Primitive.TAP, Noop()),
        (Primitive.DOUBLE_TAP, Noop()),
        (Primitive.LONG_PRESS, Noop()),
        (Primitive.SWIPE_LEFT, Swipe("left")),
        (Primitive.INPUT, TypeText("")),
    ],
)
def test_what_the_data_does_not_place_is_told_without_a_place(kind: Primitive, action: Action) -> None:
    assert step_action(StepRecord(0, "0", kind, None, None, "", (100, 200))) == action


def test_every_primitive_is_in_the_table() -> None:
    assert {kind for kind, *_ in RECORDED} == set(Primitive)


def test_a_target_beyond_the_screen_is_kept_on_it() -> None:
    assert middle(TargetField(point=(-5, 500)), (100, 200)) == Point(0, 1)
