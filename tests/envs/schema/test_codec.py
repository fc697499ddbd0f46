"""JSON to and from the vocabulary."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import contexts, elements, intents, json_values, verbs

from omnipilot.envs import Box, OmnipilotError, Point, Ref, custom_verb
from omnipilot.envs.schema import codec
from omnipilot.envs.types import VERBS, MalformedAction, actions


def through_text(value: Any) -> Any:
    return json.loads(json.dumps(value, allow_nan=False))


@pytest.mark.parametrize("kind", sorted(VERBS))
@given(data=st.data())
def test_every_verb_through_json_and_back(kind: str, data: st.DataObject) -> None:
    intent = data.draw(verbs(kind))
    written = codec.to_json(intent)
    assert next(iter(written)) == "kind"
    again = codec.from_json(through_text(written))
    assert again == intent and type(again) is type(intent)


@given(intents("grounded"))
def test_every_action_through_json_and_back(action: actions.Action) -> None:
    assert codec.action_from_json(through_text(codec.to_json(action))) == action


@given(intents("described"))
def test_an_action_holds_no_described_place(intent: actions.Intent) -> None:
    if actions.described_places(intent):
        with pytest.raises(MalformedAction):
            codec.action_from_json(codec.to_json(intent))


@given(intents())
def test_a_call_says_the_same_as_an_object(intent: actions.Intent) -> None:
    written = codec.to_json(intent)
    kind = written.pop("kind")
    if kind != "custom":
        assert codec.from_call(kind, written) == intent


def test_what_is_at_its_default_is_not_written() -> None:
    assert codec.to_json(actions.Click("Save")) == {"kind": "click", "at": "Save"}
    assert codec.to_json(actions.Click(Point(0.5, 1), count=2)) == {
        "kind": "click",
        "at": {"x": 0.5, "y": 1},
        "count": 2,
    }
    assert codec.to_json(actions.Drag(Ref("4"), path=("a", Point(0, 0)))) == {
        "kind": "drag",
        "end": {"id": "4"},
        "path": ["a", {"x": 0, "y": 0}],
    }
    assert codec.to_json(actions.Noop()) == {"kind": "noop"}


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (5, "JSON object"),
        ([], "JSON object"),
        ({}, "'kind' is missing; use one of click, "),
        ({"kind": "clik"}, "unknown kind 'clik'; did you mean click?"),
        ({"kind": "CLICK"}, "did you mean click"),
        ({"kind": "left_click"}, "click"),
        ({"kind": ["click"]}, "unknown kind"),
        ({"kind": "click", "at": {"x": 640, "y": 0.5}}, "click.at.x: .* not pixels.* not 640"),
        ({"kind": "click", "at": {"x": -0.1, "y": 0.5}}, "click.at.x"),
        ({"kind": "click", "at": {"x": 0.1}}, "click.at.y: is missing"),
        ({"kind": "click", "at": {"x": "0.1", "y": 0.2}}, "click.at.x: .*number, not '0.1'"),
        ({"kind": "click", "at": {"x": True, "y": 0.2}}, "click.at.x"),
        ({"kind": "click", "at": {"x": 0.1, "y": 0.2, "z": 0}}, "click.at.z: no such field"),
        ({"kind": "click", "at": [0.1, 0.2]}, r'click.at: .*such as \{"x": 0.5, "y": 0.25\}'),
        ({"kind": "click", "at": ""}, "click.at: "),
        ({"kind": "click", "at": {"id": ""}}, "click.at"),
        ({"kind": "click", "at": "x", "buton": "left"}, "click.buton: no such field; did you mean button"),
        ({"kind": "click", "at": "x", "count": 1.5}, "click.count: .*not 1.5"),
        ({"kind": "click", "at": "x", "count": True}, "click.count"),
        ({"kind": "click", "at": "x", "count": 9, "button": "middel"}, "click.button: .*; click.count: "),
        ({"kind": "click", "at": "x", "modifiers": "ctrl"}, "click.modifiers"),
        ({"kind": "long_press"}, "long_press.at: is missing"),
        ({"kind": "long_press", "at": None}, "long_press.at"),
        ({"kind": "type"}, "type.text: is missing"),
        ({"kind": "type", "text": "x" * 10_001}, "type.text: .*10000 characters"),
        ({"kind": "press", "keys": ["ctrl+c"]}, r'several keys; write \["ctrl", "c"\]'),
        ({"kind": "press", "keys": ["ctr"]}, "press.keys.0: unknown key 'ctr'"),
        ({"kind": "press", "keys": []}, "press.keys"),
        ({"kind": "swipe"}, "swipe takes either"),
        ({"kind": "swipe", "direction": "up", "start": "a", "end": "b"}, "swipe takes either"),
        ({"kind": "browser", "op": "focus_tab"}, "needs the number of the tab"),
        (
            {"kind": "screenshot", "region": {"left": 0, "top": 0, "right": 2, "bottom": 1}},
            "region.right: .*not pixels",
        ),
        ({"kind": "wait", "seconds": float("nan")}, "wait.seconds"),
        ({"kind": "custom", "name": "x", "arguments": 3}, "custom.arguments"),
        ({"kind": "custom", "name": "x", "arguments": {"a": float("inf")}}, "JSON values"),
        ({"kind": "noop", "why": "because"}, "noop.why: no such field"),
    ],
)
def test_a_malformed_action_is_told_what_was_wrong(data: Any, told: str) -> None:
    with pytest.raises(MalformedAction, match=told) as caught:
        codec.from_json(data)
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, OmnipilotError)
    assert len(str(caught.value)) < 1000


def test_bottomless_json_is_malformed_not_a_crash() -> None:
    deep: Any = 1
    for _ in range(600):
        deep = [deep]
    with pytest.raises(MalformedAction, match="32 deep"):
        codec.from_json({"kind": "custom", "name": "x", "arguments": {"a": deep}})


@given(json_values)
def test_any_json_is_an_intent_or_malformed(data: Any) -> None:
    for value in (data, {"kind": data}, {"kind": "click", "at": data}, {"kind": "press", "keys": data}):
        try:
            codec.from_json(value)
        except MalformedAction:
            continue


def test_places_are_limited_to_what_was_offered() -> None:
    said, pointed = {"kind": "click", "at": "Save"}, {"kind": "click", "at": {"x": 0, "y": 0}}
    assert codec.from_json(said, places="described") == actions.Click("Save")
    assert codec.from_json(pointed, places="grounded") == actions.Click(Point(0, 0))
    with pytest.raises(MalformedAction, match=r"click\.at"):
        codec.from_json(said, places="grounded")
    with pytest.raises(MalformedAction, match=r"click\.at"):
        codec.from_json(pointed, places="described")


def test_corners_of_a_box_come_in_either_order() -> None:
    region = {"left": 0.5, "top": 1, "right": 0.25, "bottom": 0.5}
    assert codec.from_json({"kind": "screenshot", "region": region}) == actions.Screenshot(Box(0.25, 0.5, 0.5, 1))


def test_half_a_surrogate_pair_becomes_the_replacement_character() -> None:
    assert codec.from_json(json.loads(r'{"kind": "type", "text": "a\ud83db"}')) == actions.TypeText("a\ufffdb")
    assert codec.from_json(json.loads(r'{"kind": "type", "text": "\ud83d\ude00\n"}')) == actions.TypeText("😀\n")


@given(elements)
def test_elements_through_json_and_back(element: Any) -> None:
    assert codec.element_from_json(through_text(codec.element_to_json(element))) == element


@given(contexts)
def test_contexts_through_json_and_back(context: Any) -> None:
    assert codec.context_from_json(through_text(codec.context_to_json(context))) == context


@pytest.mark.parametrize("data", [{}, {"role": "x"}, {"role": "x", "name": "y", "box": {}, "z": 1}, None, []])
def test_a_damaged_element_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match="element"):
        codec.element_from_json(data)


def test_calls_of_custom_verbs_are_held_to_their_signature() -> None:
    def pour(cup: str, spoons: int = 2, copy: bool = False) -> None:
        """Pour tea."""

    known = {"pour": custom_verb(pour)}
    assert codec.from_call("pour", {"cup": "blue"}, known) == actions.Custom("pour", {"cup": "blue"})
    assert codec.from_call("pour", {"cup": "blue", "spoons": 3.0, "copy": True}, known) == actions.Custom(
        "pour", {"cup": "blue", "spoons": 3, "copy": True}
    )
    for arguments, told in (
        ({}, "pour.cup: is missing"),
        ({"cup": "blue", "spoon": 3}, "pour.spoon: no such field; did you mean spoons"),
        ({"cup": [3]}, "pour.cup"),
        ({"cup": "blue", "spoons": "three"}, "pour.spoons"),
        ([], "JSON object|valid dictionary"),
    ):
        with pytest.raises(MalformedAction, match=told):
            codec.from_call("pour", arguments, known)
    with pytest.raises(MalformedAction, match="unknown custom verb 'poor'; did you mean pour"):
        codec.from_json({"kind": "custom", "name": "poor"}, known)
    with pytest.raises(MalformedAction, match="there is none"):
        codec.from_json({"kind": "custom", "name": "pour"}, {})
    assert codec.from_json({"kind": "custom", "name": "gone", "arguments": {"a": [1]}}) == actions.Custom(
        "gone", {"a": [1]}
    )


def test_an_unknown_call_is_told_the_nearest_names() -> None:
    with pytest.raises(MalformedAction, match="did you mean click"):
        codec.from_call("clicks", {})
    with pytest.raises(MalformedAction, match="unknown action 'custom'"):
        codec.from_call("custom", {"name": "x"})
    with pytest.raises(MalformedAction, match="without 'kind'"):
        codec.from_call("click", {"kind": "drag", "end": "x"})
