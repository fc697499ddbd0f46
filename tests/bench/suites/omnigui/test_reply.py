"""OmniGUI's reading of replies: every form, every alias, every quirk."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.bench.suites.omnigui.metrics.actions import Primitive, find_action, swipe_towards
from omnipilot.bench.suites.omnigui.metrics.reply import OmniGuiPrediction, read_reply

P = Primitive


def tool(name: str, **arguments: Any) -> str:
    return f"<thought>So.</thought>\n<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>"


@pytest.mark.parametrize(
    "reply",
    [
        '{"action_type": 0, "coordinate": [12, 34]}',
        ' {"action": "Click", "point": ["12.9", 34.2]} ',
        '```json\n{"type": "TAP", "position": {"x": 12, "y": "34"}}\n```',
        'Here:\n```\n{"operation": "touch", "xy": "12, 34"}\n```\nand more',
        'I tap {here} and {"action_type": "0", "pos": [12, 34, 56, 78]} now.',
        '{"action_name": "single_tap", "x": 12.7, "Y": "34"}',
        '{"actionType": 0.9, "click_point": "12 34"}',
        '{"coordinate": [12, 34]}',
        "Click(12, 34)",
        "I will tap( 12 ,34 ) it",
        tool("click", coordinate=[12, 34]),
        tool("mobile_use", action="click", coordinates=[12.5, "34"]),
        tool("click", x=12, y=34),
        tool("touch", coordinate=[12, 34]),
        tool("click", coordinate=[12, 34]).replace("{", "{{").replace("}", "}}"),
    ],
)
def test_one_tap_in_many_forms(reply: str) -> None:
    assert read_reply(reply) == OmniGuiPrediction(P.TAP, (12, 34))


ALIASES = {
    P.NONE: "none wait waiting idle no_action -1",
    P.TAP: "tap click single_tap single_click touch press 0",
    P.DOUBLE_TAP: "double_tap double_click doubletap doubleclick 1",
    P.LONG_PRESS: "long_press longpress long_click longclick hold 2",
    P.SWIPE_UP: "swipe_up swipeup scroll_up scrollup 3",
    P.SWIPE_DOWN: "swipe_down swipedown scroll_down scrolldown 4",
    P.SWIPE_LEFT: "swipe_left swipeleft scroll_left scrollleft 5",
    P.SWIPE_RIGHT: "swipe_right swiperight scroll_right scrollright 6",
    P.INPUT: "input type text enter_text input_text write 7",
    P.BACK: "back go_back press_back navigate_back 8",
    P.HOME: "home go_home press_home 9",
    P.TASK_COMPLETE: "task_complete complete done finish finished success 10",
    P.TASK_IMPOSSIBLE: "task_impossible impossible cannot_complete failed failure 11",
}


@pytest.mark.parametrize(("word", "action"), [(w, action) for action, words in ALIASES.items() for w in words.split()])
def test_aliases_in_any_case_and_with_spaces(word: str, action: Primitive) -> None:
    for spelling in (word, word.upper(), f" {word.title()} ", word.replace("_", " ")):
        assert find_action(spelling) == action, spelling


def test_underscores_to_spare() -> None:
    assert find_action("c_l_i_c_k") == P.TAP and find_action("_swipe_up") == P.SWIPE_UP
    assert find_action("_go_back") is None  # known with its underscore only


@pytest.mark.parametrize("word", ["swipe", "scroll", "", "swipe-up", "tapp", "12", "open"])
def test_words_that_are_no_action(word: str) -> None:
    assert find_action(word) is None


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        (tool("double_click"), P.DOUBLE_TAP),
        (tool("long_press", time=2), P.LONG_PRESS),
        (tool("wait", time=2), P.NONE),
        (tool("system_button", button="Back"), P.BACK),
        (tool("system_button", key="home_screen"), P.HOME),
        (tool("system_button", button="Enter"), P.INPUT),
        (tool("system_button", button="Menu"), P.BACK),
        (tool("terminate", status="success"), P.TASK_COMPLETE),
        (tool("terminate"), P.TASK_COMPLETE),
        (tool("terminate", status="failure"), P.TASK_IMPOSSIBLE),
        ("none()", P.NONE),
        ("wait ( )", P.NONE),
        ("task_impossible()", P.TASK_IMPOSSIBLE),
        ("BACK()", P.BACK),
        ('{"action_type": true}', P.DOUBLE_TAP),  # a boolean is a number there
        ('{"action_type": 12, "action": 8}', P.BACK),  # the first usable field
        ('{"action_type": {"a": 1}, "type": "home"}', P.HOME),
        ('{"action_type": -1.9}', P.NONE),
    ],
)
def test_actions_without_places(reply: str, action: Primitive) -> None:
    assert read_reply(reply) == OmniGuiPrediction(action)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ('{"action_type": 7, "text": "hi"}', "hi"),
        ('{"action_type": 7, "text": null, "content": 5}', "5"),
        (tool("type", text="hi"), "hi"),
        (tool("type", content="hi"), "hi"),
        ('type("hi")', "hi"),
        ("input('hi)", "hi"),  # a quote that never closes
        ('input("a) (b) c', "a) (b"),
        ("type('a' , 'b')", None),
        ("type('it's')", None),
        ('{"action": "write", "inputText": ""}', ""),
    ],
)
def test_texts(reply: str, text: str | None) -> None:
    assert read_reply(reply) == (None if text is None else OmniGuiPrediction(P.INPUT, text=text))


def test_a_text_with_a_place() -> None:
    assert read_reply('type(1, 2, "hi")') == OmniGuiPrediction(P.INPUT, (1, 2), text="hi")


@pytest.mark.parametrize(
    ("end", "action"),
    [
        *(((9, 2), P.SWIPE_RIGHT), ((-9, 2), P.SWIPE_LEFT), ((2, 9), P.SWIPE_DOWN), ((2, -9), P.SWIPE_UP)),
        *(((5, 5), P.SWIPE_DOWN), ((5, -5), P.SWIPE_UP), ((0, 0), P.SWIPE_UP)),
    ],
)
def test_swipes_of_tool_calls_by_their_places_ties_vertical(end: tuple[int, int], action: Primitive) -> None:
    start, to = (100, 100), (100 + end[0], 100 + end[1])
    assert swipe_towards(start, to) == action
    assert read_reply(tool("swipe", coordinate=start, coordinate2=to)) == OmniGuiPrediction(action, start, to)


def test_other_swipes() -> None:
    both = '{"action": "scroll down", "from": [1, 2], "to": [3, 4]}'
    assert read_reply(both) == OmniGuiPrediction(P.SWIPE_DOWN, (1, 2), (3, 4))
    assert read_reply(tool("swipe", coordinate=[1, 2])) == OmniGuiPrediction(P.SWIPE_UP, (1, 2))
    assert read_reply(tool("swipe", start_coordinate=[1, 2], direction="Left")) == OmniGuiPrediction(
        P.SWIPE_LEFT, (1, 2)
    )
    assert read_reply(tool("swipe")) is None
    assert read_reply("swipe_up(1, 2)") == OmniGuiPrediction(P.SWIPE_UP, (1, 2))
    assert read_reply('{"action": 3, "x": 1, "y": 2}') == OmniGuiPrediction(P.SWIPE_UP, (1, 2), (1, 2))


def test_a_bare_swipe_is_a_tap_or_nothing_in_the_release() -> None:
    started = '{"action": "swipe", "coordinate": [5, 6], "end_coordinate": [5, 1]}'
    assert read_reply(started) == OmniGuiPrediction(P.TAP, (5, 6))
    assert read_reply(started, "paper") == OmniGuiPrediction(P.SWIPE_UP, (5, 6), (5, 1))
    ends = '{"action": "Scroll", "start": [5, 6], "end": [5, 9]}'
    assert read_reply(ends) is None
    assert read_reply(ends, "paper") == OmniGuiPrediction(P.SWIPE_DOWN, (5, 6), (5, 9))
    assert read_reply('{"action": "swipe", "start": [5, 6]}', "paper") is None


@pytest.mark.parametrize(
    "reply",
    [
        *("", "I do not know.", "null", "5", '"tap"', "[1, 2]", '[{"action": "tap"}]', "{}", '{"action_type": 12}'),
        *('{"action_type": NaN}', '{"action": "fly"}', "<tool_call>{}</tool_call>", "<tool_call>5</tool_call>"),
        *('<tool_call>{"name": 5}</tool_call>', "{" * 100_000, "[" * 100_000, '{"a": {"action_type": 0}}'),
        "```json\n[0]\n```",
    ],
)
def test_unreadable_replies(reply: str) -> None:
    assert read_reply(reply) is None


def test_the_order_of_the_forms() -> None:
    called, whole = tool("wait"), '{"action_type": 9}'
    assert read_reply(f"{whole}\n{called}") == OmniGuiPrediction(P.NONE)
    assert read_reply("```json\n" + whole + '\n```\n{"action_type": 8}') == OmniGuiPrediction(P.HOME)
    assert read_reply('{"action_type": 8} {"action_type": 9} home()') == OmniGuiPrediction(P.BACK)
    assert read_reply("back() click(1, 2)") == OmniGuiPrediction(P.TAP, (1, 2))  # by form, not by place
    assert read_reply('{"thought": "home()"}') is None  # whole JSON is never looked through again
    broken = "<tool_call>{oops}</tool_call> " + whole
    assert read_reply(broken) == OmniGuiPrediction(P.HOME)


@pytest.mark.parametrize(
    "place", ['"12"', "[1]", "{}", "null", '["a", 2]', "[1e999, 2]", '{"x": 1}', "[[1, 2], [3, 4]]"]
)
def test_a_place_that_cannot_be_read_is_none(place: str) -> None:
    assert read_reply(f'{{"action_type": 0, "coordinate": {place}}}') == OmniGuiPrediction(P.TAP)
    assert read_reply(f'{{"action_type": 0, "coordinate": {place}, "point": [3, 4]}}') == OmniGuiPrediction(
        P.TAP, (3, 4)
    )


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
keys = st.sampled_from(["action_type", "action", "type", "coordinate", "start", "end", "x", "y", "text", "name"])


@given(
    st.dictionaries(keys, json_values | st.sampled_from(["tap", "swipe", "swipe_up"]), max_size=5), st.integers(0, 3)
)
def test_no_reply_raises(fields: dict[str, Any], form: int) -> None:
    text = json.dumps(fields)
    forms = (text, f"```{text}```", f"so {text}", f'<tool_call>{{"name": "click", "arguments": {text}}}</tool_call>')
    for variant in ("release", "paper"):
        found = read_reply(forms[form], variant)  # type: ignore[arg-type]
        assert found is None or isinstance(found.action, Primitive)


@given(st.text("{}[]`<>tool_call/jsn\"'(),1 swipe", max_size=60))
def test_no_text_raises(reply: str) -> None:
    read_reply(reply)


@pytest.mark.parametrize("reply", ["type('" + " " * 200_000, "type(" * 50_000, "type('" * 50_000, "```json" * 50_000])
def test_long_replies_are_read_in_no_time(reply: str) -> None:
    assert read_reply(reply) is None  # a quadratic reading would take hours
