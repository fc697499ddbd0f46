"""The planner `json`: replies as models write them, the schema that holds them, and what is told of broken ones."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from scripted import element, shade
from scripted_model import ScriptedModel, calls, says

from omnipilot.envs import (
    Click,
    ConfigError,
    Custom,
    Done,
    Elements,
    Noop,
    Observation,
    Press,
    Ref,
    Size,
    Swipe,
    TypeText,
    custom_verb,
)
from omnipilot.memory import MalformedReply, Move, Outcome, Reply
from omnipilot.planners import Brief, Decision, Feedback, JsonPlanner, Request, Verbs
from omnipilot.planners.chat.json_actions import actions_in_words, reply_schema


@custom_verb
def set_clipboard(text: str) -> None:
    """Put text on the clipboard."""


PHONE = Verbs("phone", frozenset({"click", "swipe", "type", "custom"}), {"set_clipboard": set_clipboard})
PC = Verbs("desktop", frozenset({"click", "press"}))
ONE, BOTH = Brief("Do it.", {"phone": PHONE}), Brief("Do it.", {"phone": PHONE, "pc": PC})
SEEN = {
    "phone": Observation(
        "phone", 0.0, Size(20, 10), screenshot=shade(0, "phone", 0), elements=Elements((element("Save", id="e1"),))
    )
}
SAVE = {"kind": "click", "at": "Save"}


@cache
def reader(envs: str) -> tuple[JsonPlanner, list[Reply]]:
    """A planner without a history, and the list that holds what its model says next."""
    said: list[Reply] = []
    planner = JsonPlanner.over(ScriptedModel(lambda _: said[0]), repairs=0, history=0)
    planner.begin({"one": ONE, "both": BOTH}[envs])
    return planner, said


def decide(reply: Any, envs: str = "one", **options: Any) -> Decision:
    planner, said = reader(envs)
    said[:] = [says(reply, **options)]
    return planner.plan(Request({"one": ONE, "both": BOTH}[envs], 0, SEEN))


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"thought": "why", "actions": [SAVE]}),
        '```json\n{"thought": "why", "actions": [{"kind": "click", "at": "Save",},]}\n```',
        'I see [the Save button] {here}. {"thought": "why", "actions": [{"kind": "click", "at": "Save"}]} So it is.',
        '<think>{"actions": []}</think>{"thought": "why", "actions": [{"kind": "click", "at": "Save"}]}',
        '{"thought": "why", "actions": [{"kind": "click", "at": "Save"}',
        '{"thought": "why", "actions": {"kind": "click", "at": "Save"}}',
        '{"thought": "why", "action": {"kind": "click", "target": "Save", "button": null}}',
        '{"thought": "no", "actions": [{"kind": "noop"}]} Or rather '
        '{"thought": "why", "actions": [{"kind": "click", "at": "Save"}]}',
        '{"thought": "why", "actions": [{"name": "click", "arguments": {"target": "Save"}}]}',
        '{"thought": "why", "actions": [{"kind": "click" "at": "Sa"}]} Sorry: '
        '{"thought": "why", "actions": [{"kind": "click", "at": "Save"}]}',
    ],
)
def test_a_reply_is_read_as_it_was_meant(text: str) -> None:
    decision = decide(text)
    assert decision.moves == (Move("phone", Click("Save")),)
    assert decision.thought == "why"


@pytest.mark.parametrize(
    ("actions", "moves"),
    [
        ([{"kind": "click", "at": {"id": "e1"}}], [Move("phone", Click(Ref("e1")))]),
        ([{"kind": "click", "at": "#e1"}, {"kind": "done"}], [Move("phone", Click(Ref("e1"))), Move("", Done())]),
        ([{"kind": "set_clipboard", "text": "x"}], [Move("phone", Custom("set_clipboard", {"text": "x"}))]),
        (
            [{"kind": "custom", "name": "set_clipboard", "arguments": {"text": "x"}}],
            [Move("phone", Custom("set_clipboard", {"text": "x"}))],
        ),
        ([{"kind": "swipe", "direction": "up"}, {"kind": "noop"}], [Move("phone", Swipe("up")), Move("", Noop())]),
    ],
)
def test_several_actions_are_several_moves(actions: list[Any], moves: list[Move]) -> None:
    assert decide({"thought": "", "actions": actions}).moves == tuple(moves)
    assert decide(actions).moves == tuple(moves)


def test_an_action_says_where_it_is_done_where_there_is_a_choice() -> None:
    actions = [{"kind": "press", "device": "pc", "keys": ["enter"]}, {"kind": "type", "device": "phone", "text": "x"}]
    assert decide({"actions": actions}, "both").moves == (Move("pc", Press(("enter",))), Move("phone", TypeText("x")))


@pytest.mark.parametrize(
    ("reply", "envs", "says_"),
    [
        ("", "one", "is empty"),
        ("I would click Save.", "one", "no JSON object that can be read; there is none"),
        ("{}", "one", 'has no "actions"'),
        ('{"actions": []}', "one", "at least one action"),
        ('{"actions": "click"}', "one", "at least one action"),
        ('{"actions": ["click"]}', "one", "an action is an object"),
        ('{"actions": [{"at": "Save"}]}', "one", "'kind' is missing"),
        ('{"actions": [{"kind": "tap", "at": "Save"}]}', "one", "phone cannot do 'tap'"),
        ('{"actions": [{"kind": "press", "device": "phone", "keys": ["enter"]}]}', "both", "phone cannot do 'press'"),
        ('{"actions": [{"kind": "click", "at": "Save"}]}', "both", "'device' is missing; write one of phone, pc"),
        ('{"actions": [{"kind": "click", "device": "tv"}]}', "both", "there is no device 'tv'"),
        ('{"actions": [{"kind": "noop"}, {"kind": "click", "count": "two"}]}', "one", "action 2: click.count"),
        ('{"actions": [{"kind": "click", "at": {"x": 0.5, "y": 0.5}}]}', "one", "at is text"),
        ('{"actions": [{"kind": "type"}]}', "one", "type.text: is missing"),
        ('{"actions": [{"kind": "screenshot"}]}', "one", "phone cannot do 'screenshot'"),
        (json.dumps({"actions": [{"kind": "noop"}] * 9}), "one", "at most 8"),
        (
            '{"actions": [{"kind": "noop"}, {"kind": "type", "text": "half of',
            "one",
            "breaks off in the middle of a text",
        ),
        (
            '{"actions": [{"kind": "click" "at": "x"}, {"kind": "noop"}]}',
            "one",
            "it is broken: Expecting ',' delimiter",
        ),
        ('{"actions": [{"kind": "noop"}}', "one", "a bracket does not match"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_of_it_is_done(reply: str, envs: str, says_: str) -> None:
    with pytest.raises(MalformedReply) as error:
        decide(reply, envs)
    assert says_ in str(error.value)


def test_what_was_cut_off_is_not_mended() -> None:
    reply = '{"actions": [{"kind": "noop"}, {"kind": "wait", "seconds": 1'
    assert len(decide(reply).moves) == 2
    with pytest.raises(MalformedReply, match="breaks off"):
        decide(reply, finish="length")


def test_it_asks_again_with_what_was_wrong_and_keeps_the_good_reply_only() -> None:
    good = {"thought": "so", "actions": [{"kind": "noop"}]}
    model = ScriptedModel(says('{"'), says(good), says(good))
    planner = JsonPlanner.over(model)
    planner.begin(ONE)
    planner.plan(Request(ONE, 0, SEEN))
    assert [message.role for message in model.asked[1].messages] == ["system", "user", "assistant", "user"]
    assert "Nothing was carried out. Your reply holds no JSON" in model.asked[1].words
    planner.plan(Request(ONE, 1, SEEN, feedback=[Feedback(Move("", Noop()), Outcome("control"))]))
    last = model.asked[2]
    assert [message.role for message in last.messages] == ["system", "user", "assistant", "user"]
    assert last.messages[2].parts == (json.dumps(good),)
    assert "What became of your last actions:\n- noop: carried out" in str(last.messages[3].parts[0])
    assert "Nothing was carried out" not in last.words


def test_a_thought_that_is_stuck_in_a_loop_is_not_shown_to_its_model_again() -> None:
    stuck = {"thought": "It is done. " * 150 + "It", "actions": [{"kind": "noop"}]}
    model = ScriptedModel(says(stuck))
    planner = JsonPlanner.over(model)
    planner.begin(ONE)
    assert planner.plan(Request(ONE, 0, SEEN)).thought == "It is done. … It"
    planner.plan(Request(ONE, 1, SEEN))
    assert model.asked[1].words.count("It is done.") == 1


def test_the_schema_goes_to_the_server_unless_it_must_not() -> None:
    model = ScriptedModel(says({"actions": [{"kind": "noop"}]}))
    for constrain in (True, False):
        planner = JsonPlanner.over(model, constrain=constrain)
        planner.begin(BOTH)
        planner.plan(Request(BOTH, 0, SEEN))
    assert model.asked[0].schema == reply_schema(BOTH.envs)
    assert model.asked[1].schema is None
    for asked in model.asked:
        assert asked.tools == ()
        assert actions_in_words(BOTH.envs) in asked.words


def test_the_actions_in_words_name_every_kind_and_where_it_can_be_done() -> None:
    lines = actions_in_words(BOTH.envs).splitlines()
    assert any(
        line.startswith('- {"kind": "click", "device": "phone"|"pc", "at"?: string or {id: string}') for line in lines
    )
    assert any(line.startswith('- {"kind": "press", "device": "pc", "keys": [name or string]') for line in lines)
    assert any('"kind": "custom", "device": "phone", "name": "set_clipboard"' in line for line in lines)
    assert '"device"' not in actions_in_words(ONE.envs)


def test_the_schema_bounds_every_text_and_list() -> None:
    told = json.dumps(reply_schema(BOTH.envs, longest=40))
    assert {int(number) for number in re.findall(r'"maxLength": (\d+)', told)} == {1, 40}
    drag = reply_schema({"pc": Verbs("desktop", frozenset({"drag"}))}, controls=())
    (form,) = drag["properties"]["actions"]["items"]["anyOf"]
    assert form["properties"]["path"]["maxItems"] == 8


def test_an_answer_that_the_server_took_for_reasoning_is_read() -> None:
    lost = json.dumps({"thought": "why", "actions": [SAVE]})
    assert decide("", reasoning=lost, finish="stop") == decide(lost)
    with pytest.raises(MalformedReply, match="All of the reply came as reasoning"):
        decide("", reasoning="It is the Save button.", finish="stop")
    with pytest.raises(MalformedReply, match=r"is empty.*cut off"):
        decide("", reasoning=lost, finish="length")


def test_calls_are_no_json() -> None:
    planner = JsonPlanner.over(ScriptedModel(calls(("click", {"target": "Save"}))), repairs=0)
    planner.begin(ONE)
    with pytest.raises(MalformedReply, match="is empty"):
        planner.plan(Request(ONE, 0, {}))


def test_notes_stand_among_the_actions_where_the_memory_keeps_them() -> None:
    keeps = replace(ONE, anchors="k7q2")
    note = {"kind": "remember", "name": "Door code!", "value": "4711"}
    planner = JsonPlanner.over(model := ScriptedModel(says({"thought": "Noted.", "actions": [note, SAVE]})))
    planner.begin(keeps)
    decision = planner.plan(Request(keeps, 0, SEEN))
    assert decision.notes == ("@door-code = 4711",)
    assert decision.moves == (Move("phone", Click("Save")),)
    assert "remember" in json.dumps(model.asked[0].schema)
    assert "remember" not in json.dumps(reply_schema(ONE.envs))
    refused = JsonPlanner.over(
        ScriptedModel(says({"actions": [{"kind": "remember", "name": "?", "value": "1"}]})), repairs=0
    )
    refused.begin(keeps)
    with pytest.raises(MalformedReply, match="'name' is text with letters or digits"):
        refused.plan(Request(keeps, 0, SEEN))


@pytest.mark.parametrize("own", [{"names": {"done": "complete"}}, {"arguments": {"done": {}}}])
def test_other_words_of_tools_are_refused(own: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="is of tools; take planner 'function-calling'"):
        JsonPlanner.over(ScriptedModel(lambda _: Reply("")), **own)
