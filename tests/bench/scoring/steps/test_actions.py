"""Actions of AndroidControl, verbs, and OS-Atlas's lines: each by hand."""

from __future__ import annotations

from typing import Any

import pytest

from omnipilot.bench.scoring.data.records import BadRecord, Record
from omnipilot.bench.scoring.steps.actions import lines_of, reply_of
from omnipilot.bench.scoring.steps.rules import after_header, compare
from omnipilot.bench.suites.android_control.data import action_of
from omnipilot.envs import (
    Action,
    Answer,
    Click,
    Done,
    Drag,
    LongPress,
    MouseMove,
    Noop,
    OpenApp,
    Point,
    Press,
    Scroll,
    Size,
    Swipe,
    System,
    TypeText,
    Wait,
)

SIZE = Size(1080, 2400)
AT = Point.from_pixels(540, 600, SIZE)
RECORDED: list[tuple[dict[str, Any], Action, str]] = [
    ({"action_type": "click", "x": 540, "y": 600}, Click(AT), "CLICK <point>[[500,250]]</point>"),
    ({"action_type": "long_press", "x": 540, "y": 600}, LongPress(AT), "LONG_PRESS <point>[[500,250]]</point>"),
    ({"action_type": "scroll", "direction": "down"}, Scroll("down"), "SCROLL [DOWN]"),
    ({"action_type": "scroll", "direction": "left"}, Scroll("left"), "SCROLL [LEFT]"),
    ({"action_type": "input_text", "text": "a b"}, TypeText("a b"), "TYPE [a b]"),
    ({"action_type": "open_app", "app_name": "Google Play"}, OpenApp("Google Play"), "OPEN_APP [Google Play]"),
    ({"action_type": "navigate_back"}, System("back"), "PRESS_BACK"),
    ({"action_type": "navigate_home"}, System("home"), "PRESS_HOME"),
    ({"action_type": "wait"}, Wait(), "WAIT"),
    (
        {"action_type": "type", "text": "hi", "x": 540, "y": 600},
        TypeText("hi", AT, submit=True),
        "TYPE [hi]",
    ),
]


@pytest.mark.parametrize(("raw", "action", "line"), RECORDED, ids=[raw["action_type"] for raw, _, _ in RECORDED])
def test_a_recorded_action(raw: dict[str, Any], action: Action, line: str) -> None:
    assert action_of(Record("f", 1, raw), SIZE) == action
    assert "\n".join(lines_of(action)) == line
    said = after_header(reply_of([action]))
    assert said is not None
    assert compare(line, said, "android_control").strict


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ({"x": 1, "y": 2}, "field action_type: it is missing"),
        ({"action_type": "fly"}, "AndroidControl has no action 'fly'"),
        ({"action_type": "click", "x": 5}, "field y: it is missing"),
        ({"action_type": "click", "x": 5, "y": "low"}, "field y: expected a number"),
        ({"action_type": "click", "x": 2000, "y": 5}, "field action_type: this click is invalid"),
        ({"action_type": "scroll", "direction": "sideways"}, "field direction: must be one of up, down"),
        ({"action_type": "open_app", "app_name": ""}, "this open_app is invalid"),
        ({"action_type": "input_text"}, "field text: it is missing"),
    ],
)
def test_what_is_wrong_with_an_action_is_named(raw: dict[str, Any], told: str) -> None:
    with pytest.raises(BadRecord, match=told):
        action_of(Record("f", 1, raw), SIZE)


SAID: list[tuple[Action, list[str], list[str]]] = [
    (Click(AT, count=2), ["DOUBLECLICK <point>[[500,250]]</point>"], []),
    (Click(AT, "right"), ["RIGHTCLICK <point>[[500,250]]</point>"], []),
    (Click(), ["CLICK <point>[[]]</point>"], []),
    (MouseMove(AT), ["MOVETO <point>[[500,250]]</point>"], []),
    # The finger goes up, and what lies further down appears.
    (Swipe("up"), ["SCROLL [DOWN]"], []),
    (Swipe("left"), ["SCROLL [RIGHT]"], []),
    (Swipe(None, Point(0.5, 0.8), Point(0.45, 0.2)), ["SCROLL [DOWN]"], []),
    (Swipe(None, Point(0.1, 0.5), Point(0.9, 0.4)), ["SCROLL [LEFT]"], []),
    (Swipe(None, Point(0.5, 0.5), Point(0.5, 0.5)), ["SCROLL"], []),
    (Drag(Point(0.5, 0.9), Point(0.5, 0.1)), ["SCROLL [UP]"], ["DRAGTO <point>[[500,900]]</point>"]),
    (Drag(AT), ["SCROLL"], ["DRAGTO <point>[[500,250]]</point>"]),
    (TypeText("a", AT), ["TYPE [a]"], ["CLICK <point>[[500,250]]</point>", "TYPE [a]"]),
    (TypeText("a", submit=True), ["TYPE [a]"], ["TYPE [a]", "PRESS_ENTER"]),
    (Press(("enter",)), ["PRESS_ENTER"], []),
    (Press(("pagedown",)), ["PRESS_PGDN"], []),
    (Press(("ctrl", "a")), ["HOTKEY [CTRL_A]"], []),
    (System("recents"), ["PRESS_RECENT"], []),
    (System("volume_up"), ["PRESS_VOLUME_UP"], []),
    (Done(), ["COMPLETE"], []),
    (Done("infeasible"), ["IMPOSSIBLE"], []),
    (Answer("42"), ["ANSWER [42]"], []),
    (Noop(), ["NOOP"], []),
]


@pytest.mark.parametrize(("action", "touch", "pointer"), SAID, ids=[repr(action)[:40] for action, _, _ in SAID])
def test_a_verb_as_lines(action: Action, touch: list[str], pointer: list[str]) -> None:
    assert list(lines_of(action)) == touch
    assert list(lines_of(action, touch=False)) == (pointer or touch)


def test_a_reply_has_the_header_only_where_something_was_proposed() -> None:
    assert reply_of([Wait()]) == "actions:\nWAIT"
    assert reply_of([Wait(), Done()], "not found") == "actions:\nWAIT\nCOMPLETE\nFAILED"
    assert reply_of([], "the reply could not be read") == ""
