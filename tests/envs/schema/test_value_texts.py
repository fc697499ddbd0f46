"""Values that servers hand on in another type than the schema's are read as they were meant."""

from __future__ import annotations

from typing import Any

import pytest

from omnipilot.envs.schema import from_call, from_json
from omnipilot.envs.types import MalformedAction


@pytest.mark.parametrize(
    ("name", "meant", "written"),
    [
        ("press", {"keys": ["ctrl", "s"]}, {"keys": '["ctrl", "s"]'}),
        ("wait", {"seconds": 2}, {"seconds": "2"}),
        ("wait", {"seconds": 0.5}, {"seconds": "0.5"}),
        ("scroll", {"direction": "down", "amount": 3}, {"direction": "down", "amount": "3"}),
        ("click", {"at": "the icon", "count": 2}, {"at": "the icon", "count": "2"}),
        ("click", {"at": {"x": 0.5, "y": 0.5}}, {"at": {"x": 0.5, "y": 0.5}}),
        ("type", {"text": "a", "clear": True}, {"text": "a", "clear": "true"}),
        ("type", {"text": "12345"}, {"text": 12345}),
        ("type", {"text": "true"}, {"text": True}),
        ("type", {"text": '["a"]'}, {"text": '["a"]'}),
        ("type", {"text": "007"}, {"text": "007"}),
        ("answer", {"text": "42"}, {"text": 42}),
    ],
)
def test_a_value_is_read_as_the_type_that_is_asked_for(name: str, meant: Any, written: Any) -> None:
    assert from_call(name, written) == from_call(name, meant)
    assert from_json({"kind": name, **written}) == from_json({"kind": name, **meant})


@pytest.mark.parametrize(
    ("name", "written", "told"),
    [
        ("wait", {"seconds": "two"}, "seconds"),
        ("wait", {"seconds": ""}, "seconds"),
        ("wait", {"seconds": "[2]"}, "seconds"),
        ("wait", {"seconds": "-5"}, "seconds"),
        ("type", {"text": "a", "clear": "yes"}, "clear"),
        ("press", {"keys": '{"a": 1}'}, "keys"),
        ("type", {"text": ["a"]}, "text"),
    ],
)
def test_what_is_no_json_of_the_type_is_refused_in_the_words_of_the_reply(name: str, written: Any, told: str) -> None:
    with pytest.raises(MalformedAction, match=told):
        from_call(name, written)
