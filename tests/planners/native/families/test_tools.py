"""Qwen-VL, Fara and MAI-UI: tool calls in the text, JSON, nearly JSON, and XML."""

from __future__ import annotations

import json
from typing import Any

import pytest
from native_reading import CURSOR, at, intents, problem, thought

from omnipilot.envs import (
    Answer,
    AskUser,
    Browser,
    Click,
    Done,
    Drag,
    Intent,
    LongPress,
    MouseMove,
    Noop,
    OpenApp,
    OpenUrl,
    Press,
    Scroll,
    Swipe,
    System,
    TypeText,
    Wait,
)


def call(tool: str = "computer_use", **arguments: Any) -> str:
    return f"<tool_call>\n{json.dumps({'name': tool, 'arguments': arguments})}\n</tool_call>"


PLACE = {"coordinate": [100, 200]}
QWEN3: list[tuple[str, list[Intent]]] = [
    (call(action="left_click", **PLACE), [Click(at(100, 200))]),
    (call("mobile_use", action="left_click", **PLACE), [Click(at(100, 200))]),
    (call(action="left_click"), [Click()]),
    (call(action="left_click", coordinate="[100, 200]"), [Click(at(100, 200))]),
    (call(action="left_click", coordinate=["100", "200"]), [Click(at(100, 200))]),
    (call(action="left_click", coordinate=[[100, 200]]), [Click(at(100, 200))]),
    (call(action="right_click", **PLACE), [Click(at(100, 200), "right")]),
    (call(action="middle_click", **PLACE), [Click(at(100, 200), "middle")]),
    (call(action="double_click", **PLACE), [Click(at(100, 200), count=2)]),
    (call(action="triple_click", **PLACE), [Click(at(100, 200), count=3)]),
    (call(action="mouse_move", **PLACE), [MouseMove(at(100, 200))]),
    (call(action="left_click_drag", **PLACE), [Drag(at(100, 200))]),
    (call(action="left_click_drag", coordinate=[[1, 2], [3, 4]]), [Drag(at(3, 4), at(1, 2))]),
    (call(action="left_click_drag", coordinate="[1, 2], [3, 4]"), [Drag(at(3, 4), at(1, 2))]),
    (call("mobile_use", action="swipe", coordinate=[[1, 2], [3, 4]]), [Swipe(None, at(1, 2), at(3, 4))]),
    (call(action="left_click", coordinate=[[100, 200], [300, 400]]), [Click(at(100, 200))]),
    (call(action="left_click", text="", keys=[], time=None, path=None, **PLACE), [Click(at(100, 200))]),
    (call("mobile_use", action="long_press", time="", **PLACE), [LongPress(at(100, 200))]),
    (call(action="type", text="x", coordinate=None), [TypeText("x")]),
    ('```json\n{"action": "left_click", "coordinate": [100, 200]}\n```', [Click(at(100, 200))]),
    (
        '<tool_call>```json\n{"action": "mouse_move", "coordinate": [100, 200]}\n```</tool_call>',
        [MouseMove(at(100, 200))],
    ),
    (call(action="left_click", **PLACE) + "\nThis opens it.", [Click(at(100, 200))]),
    ('{"action": "left_click", "coordinate": [100, 200]}\nThis opens it.', [Click(at(100, 200))]),
    ('<tool_call>{"action": "left_click", "coordinate": [100, 200]} now</tool_call>', [Click(at(100, 200))]),
    ("<think>There.\n" + call(action="left_click", **PLACE), [Click(at(100, 200))]),
    (call(action="scroll", pixels=300), [Scroll("up", CURSOR, 300, "px")]),
    (call(action="scroll", pixels=-300, **PLACE), [Scroll("down", at(100, 200), 300, "px")]),
    (call(action="hscroll", pixels="-30"), [Scroll("left", CURSOR, 30, "px")]),
    (call(action="type", text="a\n"), [TypeText("a", submit=True)]),
    (call(action="key", keys=["ctrl", "c"]), [Press(("ctrl", "c"))]),
    (call(action="key", keys=["keys=['ctrl'", "c']"]), [Press(("ctrl", "c"))]),
    (call(action="key", keys=["ctrl+c"]), [Press(("ctrl", "c"))]),
    (call(action="key", text="volume_up"), [System("volume_up")]),
    (call(action="wait", time=2), [Wait(2)]),
    (call(action="terminate", status="failure"), [Done("failure")]),
    (call(action="answer", text="42"), [Answer("42")]),
    (call("mobile_use", action="click", **PLACE), [Click(at(100, 200))]),
    (call("mobile_use", action="long_press", time=2, **PLACE), [LongPress(at(100, 200), 2)]),
    (call("mobile_use", action="swipe", coordinate2=[100, 50], **PLACE), [Swipe(None, at(100, 200), at(100, 50))]),
    (call("mobile_use", action="system_button", button="Back"), [System("back")]),
    (call("mobile_use", action="system_button", button="Enter"), [Press(("enter",))]),
    (call("mobile_use", action="open", text="Mail"), [OpenApp("Mail")]),
    (call("mobile_use", action="interact", text="Which?"), [AskUser("Which?")]),
    (call(action="left_click", **PLACE)[:-14], [Click(at(100, 200))]),
    (call(action="left_click", **PLACE)[:-15], [Click(at(100, 200))]),
    (call(action="left_click", **PLACE)[:-15] + "}}", [Click(at(100, 200))]),
    ('<tool_call>{"name":"computer_use","arguments":{"action":"wait"}}}</tool_call>', [Wait(1)]),
    ('<tool_call>{"name":"computer_use","arguments":{"arguments":{"action":"wait"}}}</tool_call>', [Wait(1)]),
    ('<tool_call>{"name":"computer_use","arguments":"{\\"action\\":\\"wait\\"}"}</tool_call>', [Wait(1)]),
    ("<tool_call>{'name': 'computer_use', 'arguments': {'action': 'wait'}}</tool_call>", [Wait(1)]),
    ('⚗\n{"name": "computer_use", "arguments": {"action": "wait"}}', [Wait(1)]),
    ('{"name": "computer_use", "arguments": {"action": "wait"}}', [Wait(1)]),
    ('{"action": "wait", "time": 3}', [Wait(3)]),
    (call(action="left_click", **PLACE) + "\n" + call(action="type", text="a"), [Click(at(100, 200)), TypeText("a")]),
    (call(action="left_click", **PLACE) + call(action="scroll", pixels=-1), [Click(at(100, 200)),
     Scroll("down", at(100, 200), 1, "px")]),
    ("<think>" + call(action="wait", time=9) + "</think>" + call(action="wait", time=3), [Wait(3)]),
    (
        "<tool_call>\n<function=computer_use>\n<parameter=action>\nleft_click\n</parameter>\n<parameter=coordinate>\n"
        "[100, 200]\n</parameter>\n</function>\n</tool_call>",
        [Click(at(100, 200))],
    ),
    (
        '<tool_call><function=computer><parameter=action>key</parameter><parameter=keys>["ctrl", "c"]</parameter>'
        "</function></tool_call>",
        [Press(("ctrl", "c"))],
    ),
]  # fmt: skip
FARA: list[tuple[str, list[Intent]]] = [
    (call(action="type", coordinate=[100, 100], text="a"), [TypeText("a", at(100, 200), submit=True)]),
    (
        call(action="type", coordinate=[100, 100], text="a", press_enter=False, delete_existing_text="true"),
        [TypeText("a", at(100, 200), clear=True)],
    ),
    (call(action="scroll", pixels=-500), [Scroll("down", CURSOR, 400, "px")]),
    (call(action="wait"), [Wait(3)]),
    ("The price is 7.\n" + call(action="terminate", status="success"), [Answer("The price is 7."), Done()]),
    (call(action="terminate", status="success"), [Done()]),
    (call(action="visit_url", url="https://a.org"), [OpenUrl("https://a.org")]),
    (call(action="web_search", query="a b&c"), [OpenUrl("https://www.bing.com/search?q=a+b%26c")]),
    (call(action="history_back"), [Browser("back")]),
    (call(action="pause_and_memorize_fact", fact="The code is 7."), [Noop()]),
    (call(action="left_click", coordinate=[100, 100]), [Click(at(100, 200))]),
    (call(action="terminate", status="success"), [Done()]),
]
MAI: list[tuple[str, list[Intent]]] = [
    ("<thinking>a</thinking>\n" + call("mobile_use", action="click", **PLACE), [Click(at(100, 200))]),
    (call("mobile_use", action="double_click", **PLACE), [Click(at(100, 200), count=2)]),
    (call("mobile_use", action="long_press", **PLACE), [LongPress(at(100, 200))]),
    (
        call("mobile_use", action="drag", start_coordinate=[1, 2], end_coordinate=[3, 4]),
        [Drag(at(3, 4), at(1, 2))],
    ),
    (call("mobile_use", action="swipe", direction="up"), [Swipe("up")]),
    (call("mobile_use", action="swipe", direction="left", **PLACE), [Swipe("left", at(100, 200))]),
    (call("mobile_use", action="system_button", button="enter"), [Press(("enter",))]),
    (call("mobile_use", action="ask_user", text="Which?"), [AskUser("Which?")]),
    (call("mobile_use", action="terminate", status="fail"), [Done("failure")]),
]
ROWS = [("qwen3-vl", *row) for row in QWEN3]
ROWS += [("fara", *row) for row in FARA] + [("mai-ui", *row) for row in MAI]


@pytest.mark.parametrize(("family", "reply", "wanted"), ROWS, ids=lambda part: str(part)[:60])
def test_a_call_is_read(family: str, reply: str, wanted: list[Intent]) -> None:
    assert intents(family, reply) == wanted


def test_older_models_count_pixels_of_the_image_they_were_sent() -> None:
    assert intents("qwen2.5-vl", call(action="left_click", coordinate=[100, 100])) == [Click(at(100, 200))]
    assert intents("qwen3.5", call(action="left_click", coordinate=[100, 200])) == [Click(at(100, 200))]


def test_a_server_may_hand_the_calls_over() -> None:
    handed = (
        ("computer_use", '{"action": "left_click", "coordinate": [100, 200]}'),
        ("computer_use", '{"action":"wait"}'),
    )
    assert intents("qwen3-vl", handed) == [Click(at(100, 200)), Wait(1)]


ABSENT = [
    '{"coordinate": null}',
    '```json\n{"coordinate": null}\n```',
    '{"error": "The button is not visible."}',
    '{"found": false}',
    '{"coordinate": "not found"}',
    call(action="left_click", coordinate=None),
    call(action="left_click", coordinate="not found"),
    call(action="left_click", coordinate=[-1, -1]),
    call(action="mouse_move", coordinate="Not visible on the screen"),
    call(action="mouse_move", coordinate=None),
    call("mobile_use", action="long_press", coordinate=None),
]


@pytest.mark.parametrize("reply", ABSENT)
def test_an_object_that_says_not_there_is_a_refusal(reply: str) -> None:
    for family in ("qwen2.5-vl", "qwen3-vl"):
        assert "says that it is not there; name a place, or say that it cannot be done" in problem(family, reply)


def test_a_place_or_an_argument_left_out_is_no_refusal() -> None:
    assert intents("qwen3-vl", call(action="key", keys=["a"], coordinate=None)) == [Press(("a",))]
    assert intents("qwen3-vl", call(action="left_click", error="", **PLACE)) == [Click(at(100, 200))]
    assert "is no place" in problem("qwen3-vl", call(action="left_click", coordinate="the Not found page"))


BROKEN = [
    (call(action="left_click", coordinate=[]), "coordinate is no place"),
    (call(action="left_click", coordinate=[100]), "coordinate is no place"),
    (call(action="left_click", coordinate=[True, 1]), "coordinate is no place"),
    (call(action="left_click", coordinates=[1, 2]), "does not take 'coordinates'"),
    (call(action="left_click", coordinate=[1, 5000]), "is outside 0..1000"),
    (call(action="click"), "needs coordinate"),
    (call("mobile_use", action="swipe", **PLACE), "needs direction"),
    (call(action="scroll"), "needs pixels"),
    (call(action="scroll", pixels=0), "an amount of 0"),
    (call(action="type", text=["a"]), "text is text"),
    (call(action="type", text="a" * 10_001), "type.text must be text of"),
    (call(action="key", keys=[]), "press.keys must be a tuple of 1..8 keys"),
    (call(action="key", keys=[{}]), "a key is a name"),
    (call(action="terminate", status="perhaps"), "status is one of"),
    (call(action="dance"), "there is no action 'dance'"),
    (call(action=3), "there is no action 'computer_use'"),
    ('<tool_call>{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [935, 40', "no JSON"),
    ('<tool_call>{"name": "computer_use", "arguments": {"action": "wait", "time": 3', "no JSON"),
    ('<tool_call>{"name": "computer_use"', "there is no action 'computer_use'"),
    ('<tool_call>{"arguments": {}}</tool_call>', 'has no "name"'),
    ('<tool_call>{"name": "computer_use", "arguments": [1]}</tool_call>', "the arguments are a JSON object"),
    ("<tool_call>click</tool_call>", "expected a JSON object"),
    ("I will click it.", "no <tool_call>"),
    ("<tool_call></tool_call>", "no <tool_call>"),
    (call(action="wait") * 60, "more than 50 tool calls"),
    ('<tool_call>{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [NaN, 1]}}', "no JSON"),
]


@pytest.mark.parametrize(("reply", "told"), BROKEN, ids=lambda part: str(part)[:60])
def test_what_is_broken_is_told(reply: str, told: str) -> None:
    assert told in problem("qwen3-vl", reply)


def test_a_fact_to_memorise_joins_the_thought() -> None:
    said = "Remember it. " + call(action="pause_and_memorize_fact", fact="The code is 7.")
    assert thought("fara", said) == "Remember it.\nThe code is 7."
