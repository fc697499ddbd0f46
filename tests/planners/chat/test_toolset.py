"""The tools of each combination of devices: all can be called, and what a call lacks is told."""

from __future__ import annotations

import json
from dataclasses import fields
from itertools import combinations
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.envs import ConfigError, Intent, Point, Ref, custom_verb
from omnipilot.envs.schema import to_json
from omnipilot.envs.types import VERBS
from omnipilot.envs.types.actions import place_fields
from omnipilot.memory import MalformedReply, Move
from omnipilot.planners import Verbs
from omnipilot.planners.chat.tool_calls import Ids, read_call
from omnipilot.planners.chat.toolset import DESCRIPTIONS, Naming, offered_tools, toolset
from omnipilot.planners.tools import CONTROLS, TARGET, tool_lines


@custom_verb
def set_clipboard(text: str) -> None:
    """Put text on the clipboard."""


@custom_verb
def rotate(device: str, turns: int = 1) -> None:
    """Turn something that is attached."""


PHONE = Verbs(
    "phone",
    frozenset({"click", "long_press", "swipe", "scroll", "drag", "type", "press", "system", "open_app", "custom"}),
    {"set_clipboard": set_clipboard},
)
DESKTOP = Verbs(
    "desktop",
    frozenset(
        "click move mouse_down mouse_up drag scroll type select press key_down key_up open_app screenshot".split()
    ),
)
WEB = Verbs(
    "web",
    frozenset({"click", "scroll", "type", "select", "press", "open_url", "browser", "custom"}),
    {"set_clipboard": set_clipboard},
)
DEVICES = {"phone": PHONE, "desktop": DESKTOP, "web": WEB, "second phone": PHONE}
WORLDS = [{name: DEVICES[name] for name in names} for size in range(5) for names in combinations(DEVICES, size)]
NAMINGS = get_args(Naming)
EXAMPLES: dict[str, dict[str, Any]] = {
    **{kind: {TARGET: "Save"} for kind in ("click", "long_press", "move", "mouse_down", "mouse_up")},
    "drag": {"start": "a", "path": ["b"], "end": "#7"},
    "swipe": {"direction": "up"},
    "scroll": {"direction": "down", TARGET: "the list"},
    "type": {"text": "hi", TARGET: "the field"},
    "select": {TARGET: "the list", "value": "two"},
    **{kind: {"keys": ["ctrl", "c"]} for kind in ("press", "key_down", "key_up")},
    "system": {"name": "back"},
    "open_app": {"app": "Mail"},
    "open_url": {"url": "https://example.org"},
    "browser": {"op": "focus_tab", "tab": 1},
    **{kind: {"text": "x"} for kind in ("answer", "ask_user", "set_clipboard")},
    **{kind: {} for kind in ("wait", "done", "noop")},
}


def said(world: dict[str, Verbs]) -> str:
    return "+".join(world) or "nothing"


@pytest.mark.parametrize("naming", NAMINGS)
@pytest.mark.parametrize("world", WORLDS, ids=said)
def test_each_tool_of_each_world_can_be_called_for_each_of_its_devices(world: dict[str, Verbs], naming: Any) -> None:
    tools = {tool.name: tool for tool in toolset(world, naming)}
    assert list(tools) == list(offered_tools(world, naming))
    reached = set()
    for name, one in offered_tools(world, naming).items():
        schema = tools[name].parameters
        assert next(iter(schema["properties"])) == "thought" and schema["required"][0] == "thought"
        assert schema["additionalProperties"] is False and not {"anyOf", "oneOf"} & set(schema)
        kind = one.verb if isinstance(one.verb, str) else one.verb.name
        arguments = {"thought": "So.", **EXAMPLES[kind]}
        for env in one.envs or ("",):
            given_ = {**arguments, "device": env} if one.asks else arguments
            assert set(given_) <= set(schema["properties"]) and set(schema["required"]) <= set(given_)
            call = read_call(name, json.dumps(given_), world, naming)
            assert (call.move.env, call.thought) == (env, "So.")
            assert kind in (call.move.intent.kind, getattr(call.move.intent, "name", ""))
            reached.add((env, kind))
    able = {(env, kind) for env, verbs in world.items() for kind in verbs.kinds - {"custom", "screenshot"}}
    able |= {(env, name) for env, verbs in world.items() for name in verbs.custom}
    assert reached == able | {("", kind) for kind in CONTROLS}


@pytest.mark.parametrize("world", [world for world in WORLDS if len(world) > 1], ids=said)
def test_a_device_that_is_missing_or_wrong_is_told_with_the_right_ones(world: dict[str, Verbs]) -> None:
    for name, one in offered_tools(world).items():
        arguments = EXAMPLES[one.verb if isinstance(one.verb, str) else one.verb.name]
        if one.asks:
            with pytest.raises(MalformedReply, match=f"{name}: 'device' is missing; write one of ") as missing:
                read_call(name, arguments, world)
            assert all(env in str(missing.value) for env in one.envs)
        elif one.envs:
            assert read_call(name, arguments, world).move.env == one.envs[0], "it can only be that one"
        if one.envs:
            for wrong in ("tv", "", 7, ["phone"]):
                with pytest.raises(MalformedReply, match="there is no device"):
                    read_call(name, {**arguments, "device": wrong}, world)
            for other in set(world) - set(one.envs):
                with pytest.raises(MalformedReply, match=f"{name} is for .* only, not for {other}"):
                    read_call(name, {**arguments, "device": other}, world)


def test_names_of_the_other_naming_are_understood() -> None:
    world = {"phone": PHONE, "desktop": DESKTOP}
    shared = read_call("click", {"device": "phone", "target": "Save"}, world)
    assert read_call("click_in_phone", {"target": "Save"}, world) == shared
    assert read_call("click_in_phone", {"target": "Save"}, world, "per-device") == shared
    assert read_call("click", {"device": "phone", "target": "Save"}, world, "per-device") == shared
    with pytest.raises(MalformedReply, match="click_in_phone is for phone only, not for desktop"):
        read_call("click_in_phone", {"target": "Save", "device": "desktop"}, world)


def test_a_custom_verb_with_a_device_of_its_own_is_a_tool_a_device() -> None:
    holder = Verbs("phone", frozenset({"custom"}), {"rotate": rotate})
    both = {"one": holder, "two": holder}
    assert list(offered_tools(both, controls=())) == ["rotate_in_one", "rotate_in_two"]
    move = read_call("rotate_in_two", {"thought": "", "device": "lamp"}, both).move
    assert (move.env, move.intent.arguments) == ("two", {"device": "lamp"})
    assert read_call("rotate", {"device": "lamp"}, {"one": holder}).move.intent.arguments == {"device": "lamp"}

    @custom_verb
    def set_clipboard(text: str, plain: bool = True) -> None:
        """Put text on another clipboard."""

    other = Verbs("desktop", frozenset({"custom"}), {"set_clipboard": set_clipboard})
    names = list(offered_tools({"phone": PHONE, "pc": other}, controls=()))
    assert "set_clipboard" not in names and {"set_clipboard_in_phone", "set_clipboard_in_pc"} <= set(names)


def test_two_verbs_of_one_name_are_refused() -> None:
    with pytest.raises(ConfigError, match="would both become the tool 'click_in_my_pc'"):
        toolset({"my pc": DESKTOP, "my_pc": DESKTOP}, "per-device")
    assert len(toolset({"my pc": DESKTOP, "my_pc": DESKTOP})) > 5, "as an argument they are told apart"


def test_every_verb_has_a_description_and_no_list_of_keys_is_sent() -> None:
    assert set(DESCRIPTIONS) == set(VERBS) - {"screenshot", "custom"}
    told = json.dumps([dict(tool.parameters) for tool in toolset(DEVICES)])
    assert "capslock" not in told and "maxLength" not in told
    assert "click(device: phone|desktop|web|second phone, target?: string" in tool_lines(
        toolset(DEVICES, thought=False)
    )


def test_no_list_and_no_whole_number_of_a_call_is_without_end() -> None:
    """A server that holds a model to the schema ends an answer by it alone: SmolLM2 went on listing modifiers."""
    for tool in toolset({"any": Verbs("desktop", frozenset(VERBS) - {"custom"})}):
        for name, argument in tool.parameters["properties"].items():
            if argument.get("type") in ("array", "integer"):
                assert {"array": "maxItems", "integer": "maximum"}[argument["type"]] in argument, (tool.name, name)
    (click,) = (tool for tool in toolset({"pc": DESKTOP}) if tool.name == "click")
    assert click.parameters["properties"]["modifiers"]["maxItems"] == 4
    assert click.parameters["properties"]["count"]["maximum"] == 3


ANY = {"any": Verbs("desktop", frozenset(VERBS)), "too": Verbs("phone", frozenset(VERBS))}
IDS = {env: Ids(frozenset({"e1"}), numbered=True) for env in ANY}
WORDS = st.text("abc 'x", min_size=1, max_size=12).filter(str.strip)
PLACES = WORDS | st.sampled_from([Ref("e1"), Ref("12")])
FIELDS: dict[str, Any] = {
    **dict.fromkeys(("at", "start", "end"), PLACES),
    "path": st.lists(PLACES, max_size=3).map(tuple),
    "keys": st.lists(st.sampled_from(["ctrl", "enter", "a", "f12"]), min_size=1, max_size=3, unique=True).map(tuple),
    "modifiers": st.sampled_from([(), ("ctrl",), ("shift", "alt")]),
    **dict.fromkeys(("direction",), st.sampled_from(["up", "down", "left", "right"])),
    "button": st.sampled_from(["left", "middle", "right"]),
    "count": st.integers(1, 3),
    **dict.fromkeys(("seconds", "amount"), st.floats(0.1, 60)),
    "unit": st.sampled_from(["notch", "px", "page"]),
    **dict.fromkeys(("text", "value", "app", "url"), st.text(min_size=1, max_size=20)),
    **dict.fromkeys(("clear", "submit"), st.booleans()),
    "repeat": st.integers(1, 100),
    "name": st.sampled_from(["back", "home", "volume_up"]),
    "op": st.sampled_from(["back", "reload", "close_tab"]),
    "tab": st.none() | st.integers(0, 9),
    "status": st.sampled_from(["success", "failure", "infeasible"]),
}


@st.composite
def intents(draw: st.DrawFn, kind: str) -> Intent:
    """Any intent of a verb."""
    values = {name: draw(FIELDS[name]) for name in (spec.name for spec in fields(VERBS[kind]))}
    if kind == "swipe":
        for name in draw(st.sampled_from([("end",), ("direction",)])):
            values[name] = None
    made: Any = VERBS[kind](**values)
    return made


def arguments_of(intent: Intent) -> dict[str, Any]:
    """An intent as the arguments of its tool."""
    told = {name: value for name, value in to_json(intent).items() if name != "kind"}

    def place(value: Any) -> Any:
        return f"#{value['id']}" if isinstance(value, dict) else value

    for name in place_fields(intent):
        if name in told:
            told[name] = [place(one) for one in told[name]] if isinstance(told[name], list) else place(told[name])
    return {TARGET if name == "at" and "at" in place_fields(intent) else name: value for name, value in told.items()}


SCHEMAS: dict[Any, dict[str, Any]] = {
    naming: {tool.name: tool.parameters for tool in toolset(ANY, naming)} for naming in NAMINGS
}
OFFERED: dict[Any, Any] = {naming: offered_tools(ANY, naming) for naming in NAMINGS}


@pytest.mark.parametrize("kind", sorted(set(VERBS) - {"screenshot", "custom"}))
@given(data=st.data())
def test_any_action_comes_back_from_its_call(kind: str, data: st.DataObject) -> None:
    naming, intent = data.draw(st.sampled_from(NAMINGS)), data.draw(intents(kind))
    env = "" if kind in CONTROLS else data.draw(st.sampled_from(sorted(ANY)))
    able = [name for name, one in OFFERED[naming].items() if one.verb == kind and (not one.envs or env in one.envs)]
    (name,) = able
    arguments = {"thought": "", **({"device": env} if env and naming == "shared" else {}), **arguments_of(intent)}
    assert set(arguments) <= set(SCHEMAS[naming][name]["properties"])
    assert read_call(name, json.dumps(arguments), ANY, naming, ids=IDS).move == Move(env, intent)


def test_coordinates_are_arguments_where_the_planner_points_by_itself() -> None:
    (click, *_) = toolset({"pc": DESKTOP}, places="grounded")
    assert set(click.parameters["properties"]["target"]["properties"]) == {"x", "y"}
    call = read_call("click", {"target": {"x": 0.5, "y": 0.25}}, {"pc": DESKTOP}, places="grounded")
    assert call.move.intent.at == Point(0.5, 0.25)
