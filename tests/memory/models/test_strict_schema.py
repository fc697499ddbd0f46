"""Schemas as servers take them."""

from __future__ import annotations

import re
from typing import Any

from omnipilot.envs import TypeText
from omnipilot.envs.schema import schema
from omnipilot.memory import Move
from omnipilot.memory.models.replies.json_text import objects_in
from omnipilot.memory.models.strict_schema import without_repeated_bounds
from omnipilot.planners import Verbs
from omnipilot.planners.chat.tool_calls import read_call


def strings(value: Any) -> list[dict[str, Any]]:
    """Every schema of a text."""
    if isinstance(value, dict):
        return [value] * (value.get("type") == "string") + [one for part in value.values() for one in strings(part)]
    return [one for part in value for one in strings(part)] if isinstance(value, list) else []


def test_a_pattern_of_one_character_needs_no_length_beside_it() -> None:
    keys = schema(["press"], (), "described")
    assert any({"pattern", "maxLength"} <= set(one) for one in strings(keys))
    sent = without_repeated_bounds(keys)
    assert not any({"pattern", "maxLength"} <= set(one) for one in strings(sent))
    assert [re.fullmatch(one["pattern"], "ab") for one in strings(sent) if "pattern" in one] == [None]


def test_all_else_stays_as_it_is() -> None:
    told = {"type": "string", "pattern": "^a+$", "maxLength": 4, "x": [1, {"minLength": 1}]}
    assert without_repeated_bounds(told) == told
    field = {"type": "object", "properties": {"pattern": {"type": "string", "maxLength": 9}}}
    assert without_repeated_bounds(field) == field


def test_what_a_grammar_lets_through_is_read() -> None:
    """xgrammar allows control characters inside a text; strict JSON does not."""
    assert objects_in('{"thought": "one\ntwo\x02"}') == [{"thought": "one\ntwo\x02"}]
    call = read_call("type", '{"text": "one\ntwo"}', {"pc": Verbs("desktop", frozenset({"type"}))})
    assert call.move == Move("pc", TypeText("one\ntwo"))
