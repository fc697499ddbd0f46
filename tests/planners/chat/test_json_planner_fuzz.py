"""The planner `json` and whatever a model may write: all that the schema allows is a decision, all else is told."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_model import ScriptedModel, says

from omnipilot.envs import custom_verb
from omnipilot.envs.types import VERBS
from omnipilot.memory import MalformedReply, Reply
from omnipilot.memory.models.replies.json_text import objects_in
from omnipilot.planners import Brief, Decision, JsonPlanner, Request, Verbs
from omnipilot.planners.chat.json_actions import reply_schema


@custom_verb
def set_clipboard(text: str) -> None:
    """Put text on the clipboard."""


PHONE = Verbs("phone", frozenset({"click", "type", "custom"}), {"set_clipboard": set_clipboard})
PC = Verbs("desktop", frozenset({"click", "press"}))
EVERYTHING = Brief("", {"a": Verbs("desktop", frozenset(VERBS), {"set_clipboard": set_clipboard}), "b": PC})
BRIEFS = {"one": Brief("", {"phone": PHONE}), "both": Brief("", {"phone": PHONE, "pc": PC}), "everything": EVERYTHING}


@cache
def reader(envs: str, places: str) -> tuple[JsonPlanner, list[Reply]]:
    """A planner without a history, and the list that holds what its model says next."""
    said: list[Reply] = []
    planner = JsonPlanner.over(ScriptedModel(lambda _: said[0]), repairs=0, history=0, places=places)
    planner.begin(BRIEFS[envs])
    return planner, said


def decide(reply: Any, envs: str, places: str = "described") -> Decision:
    planner, said = reader(envs, places)
    said[:] = [says(reply)]
    return planner.plan(Request(BRIEFS[envs], 0, {}))


def values(schema: Any) -> st.SearchStrategy[Any]:
    """Whatever a schema allows."""
    if "anyOf" in schema:
        return st.one_of([values(branch) for branch in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema["type"]:
        case "string":
            if "pattern" in schema:
                return st.from_regex(schema["pattern"], fullmatch=True).filter(lambda text: len(text) == 1)
            return st.text(min_size=schema.get("minLength", 0), max_size=min(schema["maxLength"], 12))
        case "boolean":
            return st.booleans()
        case "integer":
            return st.integers(schema["minimum"], schema["maximum"])
        case "number":
            return st.floats(schema["minimum"], schema["maximum"])
        case "array":
            most = min(schema["maxItems"], max(3, schema["minItems"]))
            return st.lists(values(schema["items"]), min_size=schema["minItems"], max_size=most)
    fields = {name: values(item) for name, item in schema["properties"].items()}
    needed = {name: item for name, item in fields.items() if name in schema["required"]}
    return st.fixed_dictionaries(needed, optional={name: fields[name] for name in fields if name not in needed})


@given(st.data())
def test_whatever_the_schema_allows_is_a_decision(data: st.DataObject) -> None:
    places = data.draw(st.sampled_from(["described", "grounded", "any"]))
    reply = data.draw(values(reply_schema(EVERYTHING.envs, places, most=3)))
    decision = decide(reply, "everything", places)
    assert [move.intent.kind for move in decision.moves] == [action["kind"] for action in reply["actions"]]
    assert [move.env for move in decision.moves] == [action.get("device", "") for action in reply["actions"]]


PIECES = '{ } [ ] " \\ , : "kind" "noop" "actions" {"kind":"noop"} null 1 NaN a <think> ``` \ud800'.split(" ")


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=40))
def test_whatever_is_written_is_a_decision_or_malformed(text: str) -> None:
    for envs in ("one", "both"):
        try:
            assert decide(text, envs).moves
        except MalformedReply as error:
            assert str(error)


@pytest.mark.parametrize("text", ['{"' * 20_000, "[" * 40_000, '{"a": [' * 20_000, "{]" * 20_000, '{"kind' * 20_000])
def test_degenerate_replies_are_read_at_once(text: str) -> None:
    with pytest.raises(MalformedReply):
        objects_in(text)
