"""Verbs refuse to be born malformed, and `resolve` is total."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields
from typing import Any, get_args, get_origin

import pytest
from hypothesis import given
from strategies import intents, points

from omnipilot.envs import ActionRejected, Box, NotFound, Point, Ref, resolve
from omnipilot.envs.types import VERBS, actions
from omnipilot.envs.types.actions import described_places, place_fields
from omnipilot.envs.types.fields import LONGEST_NAME, LONGEST_PATH, LONGEST_TEXT

P = Point(0.5, 0.25)
A = actions


def test_both_unions_and_the_table_hold_the_same_verbs() -> None:
    for union in (actions.Action, actions.Intent):
        assert {get_origin(member) or member for member in get_args(union)} == set(VERBS.values())
    assert set(VERBS) > actions.CONTROL_VERBS
    assert all(VERBS[kind].kind == kind and VERBS[kind].__doc__ for kind in VERBS)


@pytest.mark.parametrize("kind", sorted(VERBS))
def test_every_field_declares_its_bounds(kind: str) -> None:
    for spec in fields(VERBS[kind]):
        assert set(spec.metadata) - {"optional"}, f"{kind}.{spec.name} is checked by nothing"


@pytest.mark.parametrize(
    "build",
    [
        lambda: A.Click((P, P)),
        lambda: A.Click(0.5),
        lambda: A.Click(""),
        lambda: A.Click("x" * (LONGEST_NAME + 1)),
        lambda: A.Click(P, button="fourth"),
        lambda: A.Click(P, count=0),
        lambda: A.Click(P, count=4),
        lambda: A.Click(P, count=True),
        lambda: A.Click(P, count=1.5),
        lambda: A.Click(P, count=None),
        lambda: A.Click(P, modifiers=("hyper",)),
        lambda: A.Click(P, modifiers=["ctrl"]),
        lambda: A.Click(P, modifiers=("ctrl",) * 5),
        lambda: A.Click(P, modifiers=({},)),
        lambda: A.LongPress(None),
        lambda: A.LongPress(P, seconds=0),
        lambda: A.LongPress(P, seconds=float("nan")),
        lambda: A.MouseMove(None),
        lambda: A.Drag(P, path=P),
        lambda: A.Drag(P, path=(None,)),
        lambda: A.Drag(P, path=(P,) * (LONGEST_PATH + 1)),
        lambda: A.Swipe(),
        lambda: A.Swipe(start=P),
        lambda: A.Swipe("up", P, P),
        lambda: A.Swipe(end=P),
        lambda: A.Swipe("sideways"),
        lambda: A.Scroll("down", amount=None),
        lambda: A.Scroll("down", amount=float("inf")),
        lambda: A.TypeText("x" * (LONGEST_TEXT + 1)),
        lambda: A.TypeText(None),
        lambda: A.TypeText("x", clear="no"),
        lambda: A.Press(()),
        lambda: A.Press("a"),
        lambda: A.Press((5,)),
        lambda: A.Press(("ctrl+c",)),
        lambda: A.Press(("a",) * 9),
        lambda: A.OpenApp(""),
        lambda: A.Browser("focus_tab"),
        lambda: A.Browser("back", tab=-1),
        lambda: A.Wait(0),
        lambda: A.Wait(601),
        lambda: A.Screenshot((0, 0, 1, 1)),
        lambda: A.AskUser(""),
        lambda: A.Done("won"),
        lambda: A.Custom(""),
        lambda: A.Custom("x", {1: 2}),
        lambda: A.Custom("x", {"at": P}),
        lambda: A.Custom("x", {"at": float("nan")}),
        lambda: A.Custom("x", [1]),
        lambda: Ref(""),
        lambda: Ref(7),
    ],
)
def test_malformed_verbs_are_not_born(build: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match=r"must|takes|needs|is text|unknown"):
        build()


@given(intents())
def test_intents_are_immutable_values(intent: actions.Intent) -> None:
    assert intent == copy.copy(intent) == pickle.loads(pickle.dumps(intent))  # noqa: S301 - our own, in memory
    assert hash(intent) == hash(copy.copy(intent))
    for spec in fields(intent):
        with pytest.raises(FrozenInstanceError):
            setattr(intent, spec.name, None)


def test_keys_are_stored_under_their_canonical_names() -> None:
    assert actions.Press(("Control", "Return", "A")).keys == ("ctrl", "enter", "a")


def test_a_custom_call_does_not_change_with_the_mapping_it_was_made_from() -> None:
    arguments = {"n": 1}
    call = actions.Custom("x", arguments)
    arguments["n"] = 2
    assert call.arguments == {"n": 1}


@given(intents("grounded"))
def test_a_grounded_intent_comes_back_equal_and_nothing_is_looked_for(intent: actions.Intent) -> None:
    def locate(place: actions.Described) -> Point:
        raise AssertionError(place)

    assert described_places(intent) == ()
    assert resolve(intent, locate) == intent


@given(intents(), points)
def test_resolve_grounds_every_place_in_order_and_changes_nothing_else(intent: actions.Intent, found: Point) -> None:
    asked: list[actions.Described] = []

    def locate(place: actions.Described) -> Point:
        asked.append(place)
        return found

    action = resolve(intent, locate)
    assert tuple(asked) == described_places(intent)
    assert described_places(action) == () and type(action) is type(intent)
    for spec in fields(intent):
        before, after = getattr(intent, spec.name), getattr(action, spec.name)
        if spec.name not in place_fields(intent):
            assert after == before
        elif isinstance(before, tuple):
            assert after == tuple(place if isinstance(place, Point) else found for place in before)
        else:
            assert after == (before if before is None or isinstance(before, Point) else found)


def test_places_are_asked_for_in_the_order_of_the_fields() -> None:
    drag = actions.Drag("the bin", "the file", ("the desk", P, Ref("7")))
    assert described_places(drag) == ("the bin", "the file", "the desk", Ref("7"))


def test_what_is_not_found_stays_not_found() -> None:
    def locate(place: actions.Described) -> Point:
        raise NotFound(f"no {place}")

    with pytest.raises(NotFound, match="no Save"):
        resolve(actions.Click("Save"), locate)


def test_anchors_are_filled_in_where_text_is_said_or_typed() -> None:
    known = {"k7q2:code-1": "8341", "k7q2:a.b": "{@k7q2:code-1}"}

    def anchor(name: str) -> str:
        if name not in known:
            raise NotFound(f"nothing is remembered as {name}")
        return known[name]

    def fill(intent: actions.Intent) -> Any:
        return resolve(intent, lambda _: P, anchor)

    assert fill(actions.TypeText("It is {@k7q2:code-1}.", "the box")) == actions.TypeText("It is 8341.", P)
    assert fill(actions.Answer("{@k7q2:code-1}{@k7q2:code-1}")).text == "83418341"
    # What an anchor holds was read off a screen: it is text, and is not searched for anchors again.
    assert fill(actions.TypeText("{@k7q2:a.b}")).text == "{@k7q2:code-1}"
    assert resolve(actions.TypeText("{@k7q2:code-1}"), lambda _: P) == actions.TypeText("{@k7q2:code-1}")
    # Every text that a verb takes, and JSON arguments; not the name of a verb.
    assert fill(actions.OpenUrl("a.example/{@k7q2:code-1}")).url == "a.example/8341"
    assert fill(actions.Select("the list", "{@k7q2:code-1}")).value == "8341"
    assert fill(actions.Done("success", "{@k7q2:code-1}")).text == "8341"
    custom = actions.Custom("paste_{@k7q2:code-1}", {"text": "{@k7q2:code-1}", "rows": [{"a": "<{@k7q2:code-1}>"}, 2]})
    assert fill(custom) == actions.Custom("paste_{@k7q2:code-1}", {"text": "8341", "rows": [{"a": "<8341>"}, 2]})
    # Doubled braces say that it is the text itself.
    assert fill(actions.TypeText("{{@k7q2:code-1}} and {@k7q2:code-1}")).text == "{@k7q2:code-1} and 8341"
    assert resolve(actions.TypeText("{{@k7q2:code-1}}"), lambda _: P) == actions.TypeText("{{@k7q2:code-1}}")
    untouched = actions.TypeText("{@link Foo} {@} @code-1 {code-1} {@code-1} {{@code-1}} {{@index}}")
    assert fill(untouched) is untouched
    with pytest.raises(NotFound, match="code-2"):
        fill(actions.TypeText("{@k7q2:code-2}"))
    known["k7q2:code-1"] = "x" * LONGEST_TEXT
    with pytest.raises(ActionRejected, match="characters"):
        fill(actions.TypeText("{@k7q2:code-1}!"))


def test_a_region_is_a_box() -> None:
    assert actions.Screenshot(Box(0, 0, 1, 1)).region == Box(0, 0, 1, 1)
