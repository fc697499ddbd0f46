"""OmniBench's three functions: what they mean in our verbs, and that an agent can use them."""

from __future__ import annotations

import pytest
from scripted import ScriptedPlanner, ScriptedWorld, agent, brief, decide, play

from omnipilot.agents import PartSpec, episode
from omnipilot.agents.assembly.build import VERB_SETS
from omnipilot.bench.suites.omnibench.actions import OmniBenchVerbs, read_keys, verbs_of
from omnipilot.bench.suites.pool.verify.trajectories import function_of
from omnipilot.envs import ActionRejected, Click, Custom, Done, Press, Scroll, TypeText
from omnipilot.memory import Move


@pytest.mark.parametrize(
    ("keys", "verbs"),
    [
        ("hello", [TypeText("hello")]),
        ("a b{ENTER}", [TypeText("a b"), Press(("enter",))]),
        ("^a{DELETE}7394", [Press(("ctrl", "a")), Press(("delete",)), TypeText("7394")]),
        ("{TAB 2}x", [Press(("tab",), 2), TypeText("x")]),
        ("^+s", [Press(("ctrl", "shift", "s"))]),
        ("^(ac)", [Press(("ctrl", "a")), Press(("ctrl", "c"))]),
        ("1{+}1", [TypeText("1+1")]),
        ("{{}x{}}", [TypeText("{x}")]),
        ("%{F4}", [Press(("alt", "f4"))]),
    ],
)
def test_keys_are_read_as_pywinauto_writes_them(keys, verbs):
    assert list(read_keys(keys)) == verbs


def test_keys_that_cannot_be_read_are_said():
    with pytest.raises(ValueError, match="cannot be read from '{ENTER'"):
        list(read_keys("x{ENTER"))


def test_calls_become_our_verbs():
    assert verbs_of(Custom("click_input", {"control": "Save", "double": True})) == (Click("Save", "left", 2),)
    assert verbs_of(Custom("wheel_mouse_input", {"wheel_dist": -3})) == (Scroll("down", None, 3),)
    assert verbs_of(Custom("keyboard_input", {"keys": "milk{ENTER}", "control": "Name"})) == (
        TypeText("milk", "Name"),
        Press(("enter",)),
    )
    with pytest.raises(ActionRejected, match="click_input"):
        verbs_of(Custom("click_input", {"where": "Save"}))
    with pytest.raises(ValueError, match="left, right or middle"):
        verbs_of(Custom("click_input", {"control": "Save", "button": "back"}))


@pytest.mark.parametrize("intent", [TypeText("1+1 {x}"), Press(("ctrl", "s")), Press(("enter",), 2), TypeText("a\nb")])
def test_what_the_pool_writes_is_read_back(intent):
    name, args = function_of(Move("pc", intent))
    found = verbs_of(Custom(name, args))
    typed = "".join(one.text if isinstance(one, TypeText) else "\n" for one in found)
    if isinstance(intent, TypeText):
        assert typed == intent.text
    else:
        assert [one.keys for one in found for _ in range(one.repeat)] == [intent.keys] * intent.repeat


def test_an_agent_uses_them_in_place_of_our_verbs():
    verbs = VERB_SETS.make(PartSpec("omnibench"))
    assert isinstance(verbs, OmniBenchVerbs)
    world = ScriptedWorld()
    planner = ScriptedPlanner(
        decide(Custom("keyboard_input", {"keys": "^sok"})),
        decide(Custom("wheel_mouse_input", {"wheel_dist": 0})),
        decide(Done()),
    )
    played = agent(planner)
    played.take_verbs(verbs)
    play(episode(world, played, brief(world)))
    offered = planner.begun[0].envs["pc"]
    assert offered.kinds == {"drag", "custom"} and set(offered.custom) >= {"click_input", "keyboard_input"}
    assert world.envs["pc"].acted == [Press(("ctrl", "s")), TypeText("ok")]
    assert planner.requests[2].feedback[0].outcome.result == "rejected"
