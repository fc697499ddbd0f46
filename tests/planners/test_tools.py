"""Calls of tools read: what is valid becomes a move, what is not is told."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.envs import (
    Click,
    Done,
    Drag,
    OpenApp,
    Point,
    Press,
    Ref,
    Scroll,
    Swipe,
    TypeText,
    custom_verb,
)
from omnipilot.envs import Custom as CustomAction
from omnipilot.envs.types import VERBS
from omnipilot.memory import MalformedReply, Move
from omnipilot.planners import Verbs
from omnipilot.planners.chat.tool_calls import Ids, read_call
from omnipilot.planners.chat.toolset import offered_tools


@custom_verb
def check_in_room(room: int, loud: bool = False) -> None:
    """Check into a room.

    Args:
        room: its number.
    """


PHONE = Verbs("phone", frozenset({"click", "swipe", "type", "custom"}), {"check_in_room": check_in_room})
PC = Verbs("desktop", frozenset({"click", "drag", "press", "scroll"}))
BOTH = {"phone": PHONE, "my pc": PC}
ALL = {"all": Verbs("desktop", frozenset(VERBS))}


def read(name: str, arguments: Any, envs: dict[str, Verbs] = BOTH, **options: Any) -> Move:
    told = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return read_call(name, told, envs, "per-device", **options).move


IDS = {"phone": Ids(frozenset({"e1", "7"}), frozenset({"Channel #general", "Save"})), "my pc": Ids(numbered=True)}


@pytest.mark.parametrize(
    ("name", "arguments", "move"),
    [
        ("click_in_phone", {"target": "Save"}, Move("phone", Click("Save"))),
        ("click_in_phone", {"at": "Save", "target": None}, Move("phone", Click("Save"))),
        ("click_in_phone", {"target": "#e1"}, Move("phone", Click(Ref("e1")))),
        ("click_in_phone", {"target": "e1"}, Move("phone", Click(Ref("e1")))),
        ("click_in_phone", {"target": {"id": "e1"}}, Move("phone", Click(Ref("e1")))),
        ("click_in_phone", {"target": {"id": "#e1"}}, Move("phone", Click(Ref("e1")))),
        ("click_in_phone", {"target": "7"}, Move("phone", Click("7"))),
        ("click_in_phone", {"target": "#general"}, Move("phone", Click("#general"))),
        ("click_in_phone", {"target": "#e2/send"}, Move("phone", Click(Ref("e2/send")))),
        ("click_in_phone", {"target": "# of people"}, Move("phone", Click("# of people"))),
        ("click_in_my_pc", {"target": "#send"}, Move("my pc", Click("#send"))),
        ("click_in_my_pc", {"target": "#12"}, Move("my pc", Click(Ref("12")))),
        ("click_in_my_pc", {"target": 12}, Move("my pc", Click(Ref("12")))),
        ("click_in_my_pc", {"target": "12"}, Move("my pc", Click("12"))),
        ("click_in_my_pc", {"button": None, "count": 2.0}, Move("my pc", Click(None, count=2))),
        ("drag_in_my_pc", {"end": "#3", "path": ["a", "#4"]}, Move("my pc", Drag(Ref("3"), path=("a", Ref("4"))))),
        ("type_in_phone", {"text": "#7", "clear": True}, Move("phone", TypeText("#7", clear=True))),
        ("swipe_in_phone", {"direction": "up"}, Move("phone", Swipe("up"))),
        ("press_in_my_pc", {"keys": ["ctrl", "c"]}, Move("my pc", Press(("ctrl", "c")))),
        ("check_in_room_in_phone", {"room": 3}, Move("phone", CustomAction("check_in_room", {"room": 3}))),
        ("done", "", Move("", Done())),
        ("done", {"status": "infeasible", "text": "no"}, Move("", Done("infeasible", "no"))),
    ],
)
def test_a_call_becomes_a_move(name: str, arguments: Any, move: Move) -> None:
    assert read(name, arguments, ids=IDS) == move


def test_coordinates_where_the_planner_points_by_itself() -> None:
    move = read("click_in_phone", {"target": {"x": 0.5, "y": 0.25}}, places="grounded")
    assert move == Move("phone", Click(Point(0.5, 0.25)))
    with pytest.raises(MalformedReply, match="shares of the screen's sides, not pixels"):
        read("click_in_phone", {"target": {"x": 500, "y": 0.25}}, places="grounded")


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("click", {}, "'device' is missing; write one of phone, my pc"),
        ("tap_in_phone", {}, "phone cannot do 'tap'"),
        ("clik_in_phone", {}, "did you mean click_in_phone"),
        ("click_in_tv", {}, "did you mean click_in_phone"),
        ("done_in_phone", {}, "call it 'done'"),
        ("screenshot", {}, "there is no tool 'screenshot'"),
        ("click_in_phone", "{'target'", "are no JSON"),
        ("click_in_phone", "[1]", "are a JSON object, not [1]"),
        ("click_in_phone", "[" * 100_000, "are no JSON"),
        ("click_in_phone", {"element": "x"}, "click.element: no such field; use one of target, button"),
        ("click_in_phone", {"target": 5}, "target is text"),
        ("click_in_phone", {"target": {"x": 0.5, "y": 0.5}}, "target is text"),
        ("click_in_phone", {"target": ""}, "click.target"),
        ("click_in_phone", {"count": 9}, "click.count"),
        ("type_in_phone", {"target": "x"}, "type.text: is missing"),
        ("swipe_in_phone", {}, "either a direction or an end"),
        ("press_in_my_pc", {"keys": ["ctrl+c"]}, 'write ["ctrl", "c"]'),
        ("scroll_in_my_pc", {"direction": "sideways"}, "scroll.direction"),
        ("check_in_room_in_phone", {"room": "x"}, "check_in_room.room"),
        ("wait", {"seconds": 1e9}, "wait.seconds"),
        ("wait", '{"seconds": NaN}', "wait.seconds"),
    ],
)
def test_what_is_wrong_is_told(name: str, arguments: Any, says: str) -> None:
    with pytest.raises(MalformedReply) as error:
        read(name, arguments)
    assert says in str(error.value)


def test_an_environment_named_like_a_verb_is_told_apart_by_the_table_of_names() -> None:
    envs = {"room": Verbs("phone", frozenset({"custom"}), {"check_in_room": check_in_room}), "pc": PC}
    assert read("check_in_room_in_room", {"room": 1}, envs).env == "room"
    assert read("check_in_room", {"room": 1}, envs).env == "room"
    with pytest.raises(MalformedReply, match="is for room only, not for pc"):
        read("check_in_room", {"room": 1, "device": "pc"}, envs)


@given(st.text(max_size=30) | st.sampled_from(["click_in_phone", "done", "type_in_phone"]), st.text(max_size=80))
def test_whatever_is_called_is_a_move_or_malformed(name: str, arguments: str) -> None:
    try:
        assert isinstance(read(name, arguments), Move)
    except MalformedReply as error:
        assert str(error)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.sampled_from(sorted(offered_tools(ALL))),
    st.dictionaries(st.sampled_from("target text at end start keys".split()), JSON),
)
def test_whatever_the_arguments_are_nothing_else_is_raised(name: str, arguments: dict[str, Any]) -> None:
    with contextlib.suppress(MalformedReply):
        assert read(name, arguments, ALL, ids={"all": Ids(numbered=True)}).intent.kind == name


def test_open_app_takes_its_name() -> None:
    assert read("open_app", {"app": "Mail"}, ALL) == Move("all", OpenApp("Mail"))
    assert read("scroll", {"direction": "down"}, ALL) == Move("all", Scroll("down"))
