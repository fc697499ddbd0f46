"""What a chat model states it expects: only where it is checked, and never a reason to refuse a reply."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from scripted_model import ScriptedModel, calls, says

from omnipilot.envs import Click, Noop
from omnipilot.memory import Expectation, MalformedReply, Move
from omnipilot.planners import Brief, Decision, FunctionCallingPlanner, JsonPlanner, Request, Verbs
from omnipilot.planners.chat.stated import EXPECT, MOST, expect_tool

CLICK = ("click", {"target": "Save"})
SAVE = {"kind": "click", "at": "Save"}
PHONE, PC = Verbs("phone", frozenset({"click"})), Verbs("desktop", frozenset({"click"}))
ONE = Brief("Save it.", {"pc": PC}, checks=True)
BOTH = Brief("Save it.", {"phone": PHONE, "pc": PC}, checks=True)
GONE = {"kind": "absent", "what": "the Save button"}


def by_calls(
    *pairs: tuple[str, Any], brief: Brief = ONE, turns: int = 1, **options: Any
) -> tuple[Decision, ScriptedModel]:
    model = ScriptedModel(calls(*pairs))
    planner = FunctionCallingPlanner.over(model, **options)
    planner.begin(brief)
    for turn in range(turns):
        decision = planner.plan(Request(brief, turn, {}))
    return decision, model


def by_json(reply: Any, brief: Brief = ONE, turns: int = 1) -> tuple[Decision, ScriptedModel]:
    model = ScriptedModel(says(reply))
    planner = JsonPlanner.over(model, repairs=0)
    planner.begin(brief)
    for turn in range(turns):
        decision = planner.plan(Request(brief, turn, {}))
    return decision, model


def test_what_is_stated_beside_actions_is_part_of_the_decision() -> None:
    stated = (Expectation("absent", "the Save button"), Expectation("app", value="Mail"))
    mail = {"kind": "app", "value": "Mail"}
    for decision in (
        by_calls(CLICK, (EXPECT, GONE), (EXPECT, mail))[0],
        by_json({"thought": "", "actions": [SAVE], "expect": [GONE, mail]})[0],
    ):
        assert decision.moves == (Move("pc", Click("Save")),)
        assert decision.expectations == stated
    assert by_json({"actions": [SAVE], "expect": GONE})[0].expectations == stated[:1]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"kind": "gone", "what": "Save"}, "no expectation 'gone'"),
        ({"kind": "field", "value": "x"}, '"what" is missing'),
        ({"kind": "app", "value": "Mail", "device": "tv"}, "no device 'tv'"),
        ("Save is gone", "not understood"),
        ([1], "not understood"),
    ],
)
def test_a_wrong_form_is_told_in_the_next_turn_and_the_action_is_carried_out(wrong: Any, told: str) -> None:
    for decision, model in (
        by_calls(CLICK, (EXPECT, wrong), turns=2),
        by_json({"actions": [SAVE], "expect": [wrong]}, turns=2),
    ):
        assert decision.moves == (Move("pc", Click("Save")),)
        assert decision.expectations == ()
        assert "What you expect" not in model.asked[0].messages[-1].parts[0]
        assert told in "\n".join(part for part in model.asked[1].messages[-1].parts if isinstance(part, str))


def test_an_expectation_alone_does_nothing_and_is_no_malformed_reply() -> None:
    decision, model = by_calls((EXPECT, GONE), turns=2)
    assert decision.moves == (Move("", Noop()),)
    assert decision.expectations == (Expectation("absent", "the Save button"),)
    assert "call an action beside it" in model.asked[1].words
    with pytest.raises(MalformedReply, match="called no tool"):
        by_calls((EXPECT, GONE), controls="done", repairs=0)


def test_of_too_many_the_first_are_checked() -> None:
    decision, model = by_calls(CLICK, *[(EXPECT, GONE)] * 7, turns=2)
    assert len(decision.expectations) == MOST
    assert f"only the first {MOST} are checked" in model.asked[1].words


def test_calls_in_the_history_are_those_of_moves() -> None:
    _, model = by_calls(CLICK, (EXPECT, GONE), turns=2)
    (said,) = [message for message in model.asked[1].messages if message.role == "assistant"]
    assert [name for name, _ in said.calls] == ["click"]
    assert [message.role for message in model.asked[1].messages].count("tool") == 1


def test_without_checks_nothing_is_offered_and_nothing_read() -> None:
    off = replace(ONE, checks=False)
    _, model = by_calls(CLICK, brief=off)
    assert EXPECT not in [tool.name for tool in model.asked[0].tools]
    decision, model = by_json({"actions": [SAVE], "expect": [GONE]}, off)
    assert decision.expectations == ()
    assert model.asked[0].schema is not None
    assert EXPECT not in model.asked[0].schema["properties"]
    assert EXPECT not in model.asked[0].words
    with pytest.raises(MalformedReply, match="no tool 'expect'"):
        by_calls(CLICK, (EXPECT, GONE), brief=off, repairs=0)


def test_it_is_offered_in_words_in_the_schema_and_as_a_tool_with_devices_where_there_are_several() -> None:
    _, model = by_calls(CLICK)
    assert model.asked[0].tools[-1] == expect_tool(ONE.envs)
    assert "device" not in expect_tool(ONE.envs).parameters["properties"]
    assert expect_tool(BOTH.envs).parameters["properties"]["device"]["enum"] == ["phone", "pc"]
    _, model = by_json({"actions": [SAVE]})
    assert "## What you expect" in model.asked[0].words
    schema = model.asked[0].schema
    assert schema is not None
    assert schema["properties"][EXPECT]["maxItems"] == MOST
    assert EXPECT not in schema["required"]


def test_its_device_has_the_word_that_the_actions_have() -> None:
    act = ("click", {"device": "pc", "target": "Save"})
    decision, model = by_calls(act, (EXPECT, {**GONE, "device": "pc"}), brief=BOTH)
    assert decision.expectations == (Expectation("absent", "the Save button", env="pc"),)
    (tool,) = [tool for tool in model.asked[0].tools if tool.name == EXPECT]
    assert "device" in tool.parameters["properties"]
    _, model = by_calls(act, (EXPECT, {**GONE, "colour": "red"}), brief=BOTH, turns=2)
    assert "has kind, what, value and device, no colour" in model.asked[1].words


def test_it_costs_few_characters() -> None:
    tool = expect_tool(BOTH.envs)
    assert len(json.dumps([tool.name, tool.description, tool.parameters])) < 900
