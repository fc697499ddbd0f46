"""Expectations: typed, validated, and the same after JSON."""

from __future__ import annotations

import json

import pytest

from omnipilot.memory import Expectation
from omnipilot.memory.expectations import EXPECTATION_KINDS, OF_ELEMENTS, OF_VALUES, ExpectationKind


def made(kind: ExpectationKind) -> Expectation:
    value = "stopped" if kind == "sound" else "7394" if kind in OF_VALUES or kind == "field" else ""
    return Expectation(kind, "the Code field" if kind in OF_ELEMENTS else "", value, "phone")


@pytest.mark.parametrize("kind", EXPECTATION_KINDS)
def test_json_gives_back_what_was_stated_and_words_name_all_of_it(kind: ExpectationKind) -> None:
    stated = made(kind)
    assert Expectation.from_json(json.loads(json.dumps(stated.to_json()))) == stated
    assert all(said in str(stated) for said in (stated.what, stated.value, stated.env))


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ("the app is open", "is an object"),
        ({}, '"kind" is missing'),
        ({"kind": "opened", "value": "Mail"}, "there is no expectation 'opened'"),
        ({"kind": "app"}, '"value" is missing'),
        ({"kind": "field", "value": "x"}, '"what" is missing'),
        ({"kind": "sound", "value": "louder"}, '"stopped" or "started"'),
        ({"kind": "title", "value": ["a"]}, "is text"),
        ({"kind": "title", "value": "a", "how": "b"}, "no how"),
        ({"kind": "title", "value": "a" * 5_000}, "at most"),
    ],
)
def test_another_form_is_refused_and_the_message_says_what_is_wrong(form: object, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Expectation.from_json(form)  # type: ignore[arg-type]


def test_a_number_and_nulls_as_models_write_them_are_taken() -> None:
    stated = Expectation.from_json({"kind": "field", "what": "Amount", "value": 12, "env": None})
    assert stated == Expectation("field", "Amount", "12")


def test_a_field_may_be_expected_to_be_empty() -> None:
    assert str(Expectation("field", "the To field")) == "the To field is empty"
