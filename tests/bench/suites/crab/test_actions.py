"""The actions of CRAB's Table 6: what they mean in our verbs, and that an agent uses them by numbers of marks."""

from __future__ import annotations

import pytest
from scripted import ScriptedPlanner, ScriptedWorld, agent, brief, decide, play

from omnipilot.agents import PartSpec, episode
from omnipilot.agents.assembly.build import VERB_SETS
from omnipilot.bench.suites.crab.actions import ACTIONS, CrabVerbs, swipe_end
from omnipilot.envs import (
    Click,
    Custom,
    Done,
    Element,
    LongPress,
    OpenApp,
    Point,
    Press,
    Ref,
    Scroll,
    Size,
    Swipe,
    System,
    TypeText,
)
from omnipilot.envs.types import Box
from omnipilot.grounders.marks import MarksGrounder
from omnipilot.memory import Move
from omnipilot.planners import Brief, Verbs
from omnipilot.planners.chat.toolset import toolset

KINDS = frozenset({"click", "long_press", "type", "press", "swipe", "system", "open_app"})
DEVICES = {"android": Verbs("phone", KINDS), "ubuntu": Verbs("desktop", KINDS)}
SEVEN = Ref("7")


@pytest.mark.parametrize(
    ("device", "name", "arguments", "program"),
    [
        ("ubuntu", "click", {"elem": 7}, [Click(SEVEN)]),
        ("ubuntu", "right_click", {"elem": 7}, [Click(SEVEN, "right")]),
        ("ubuntu", "double_click", {"elem": 7}, [Click(SEVEN, "left", 2)]),
        ("ubuntu", "write_text", {"text": "tea"}, [TypeText("tea")]),
        ("ubuntu", "press", {"key": "enter"}, [Press(("enter",))]),
        ("ubuntu", "hotkey", {"keys": ["ctrl", "c"]}, [Press(("ctrl", "c"))]),
        ("ubuntu", "scroll", {"direction": "down"}, [Scroll("down")]),
        ("ubuntu", "search_app", {"name": "slack"}, [OpenApp("slack")]),
        ("android", "tap", {"elem": 7}, [Click(SEVEN)]),
        ("android", "long_tap", {"elem": 7}, [LongPress(SEVEN, 1.0)]),
        ("android", "write_text", {"text": "tea"}, [TypeText("tea")]),
        ("android", "press", {"key": "back"}, [System("back")]),
        ("android", "show_all_drawer", {}, [System("home"), Swipe(None, Point(0.6, 0.67), Point(0.6, 0.03))]),
    ],
)
def test_an_action_is_a_program_of_our_verbs(device, name, arguments, program):
    verbs = CrabVerbs()
    verbs.begin(Brief("", DEVICES))
    assert list(verbs.expand(Move(device, Custom(name, arguments)), None)) == [Move(device, one) for one in program]


def test_a_search_is_by_keys_where_the_run_says_so():
    verbs = CrabVerbs(keys=True)
    verbs.begin(Brief("", DEVICES))
    program = verbs.expand(Move("ubuntu", Custom("search_app", {"name": "slack"})), None)
    assert [one.intent for one in program] == [Press(("esc",)), Press(("meta", "a")), TypeText("slack")]


@pytest.mark.parametrize(
    "call",
    [
        Custom("click", {"element": 7}),
        Custom("press", {"key": "no such key"}),
        Custom("hotkey", {"keys": []}),
    ],
)
def test_what_an_action_cannot_be_is_refused_in_words(call):
    verbs = CrabVerbs()
    verbs.begin(Brief("", DEVICES))
    (refusal,) = verbs.expand(Move("ubuntu", call), None)
    assert refusal.why.startswith(call.name)


@pytest.mark.parametrize(
    ("dire", "dist", "pixels"),
    [
        ("right", "short", (641, 1200)),
        ("left", "medium", (533 - 2 * 108, 1200)),
        ("up", "short", (533, 1200 - 2 * 108)),
        ("down", "medium", (533, 1200 + 4 * 108)),
        ("up", "long", (533, 1200 - 6 * 108)),
        ("left", "long", (533 - 3 * 108, 1200)),
    ],
)
def test_a_swipe_is_as_long_as_crabs(dire, dist, pixels):
    size = Size(1085, 2400)  # a tenth of the width is 108 whole pixels
    end = swipe_end(Point.from_pixels(533, 1200, size), dire, dist, size)
    assert (end.x * size.width, end.y * size.height) == pytest.approx(pixels)


def test_a_swipe_ends_at_the_edge_of_the_screen():
    assert swipe_end(Point(0.9, 0.1), "right", "long", Size(100, 200)) == Point(1.0, 0.1)
    assert swipe_end(Point(0.9, 0.1), "up", "medium", Size(100, 200)) == Point(0.9, 0.0)


def test_a_swipe_starts_where_the_mark_lies_and_a_lost_one_is_the_planners_own_move():
    card = Element("button", "Card", Box(0.4, 0.4, 0.6, 0.5))
    world = ScriptedWorld(("phone",), platform="phone", verbs=frozenset({"swipe"}), items=(card,))
    swipe = {"dire": "up", "dist": "short"}
    calls = (decide(Custom("swipe", {"elem": 1, **swipe})), decide(Custom("swipe", {"elem": 5, **swipe})))
    planner = ScriptedPlanner(*calls, decide(Done()))
    played = agent(planner, MarksGrounder(sources="elements"))
    played.take_verbs(CrabVerbs())
    steps, _ = play(episode(world, played, brief(world)))
    (made,) = world.envs["phone"].acted
    size = steps[0].seen.size
    end = swipe_end(made.start, "up", "short", size)
    assert card.box.contains(made.start) and made == Swipe(None, made.start, end)
    assert steps[0].pointed[0].target == "#1" and steps[0].proposed == Move("phone", made)
    assert steps[1].outcome.result == "not_found" and steps[1].proposed.intent.name == "swipe"


def test_a_swipe_with_another_length_is_refused():
    verbs = CrabVerbs()
    verbs.begin(Brief("", DEVICES))
    call = Custom("swipe", {"elem": 7, "dire": "up", "dist": "endless"})
    (refusal,) = verbs.expand(Move("android", call), None)
    assert refusal.why.startswith("swipe")


def test_nothing_but_its_actions_is_offered_each_once_a_device():
    offered = CrabVerbs().offer(DEVICES)
    names = [tool.name for tool in toolset(offered, "per-device", controls=("done",), thought=False)]
    android = [f"{name}_in_android" for name in ACTIONS["phone"]]
    assert names == [*android, *(f"{name}_in_ubuntu" for name in ACTIONS["desktop"]), "done"]
    (tap, *_) = toolset(offered, "per-device", thought=False, of_device="In {environment} environment, {description}")
    assert tap.description.startswith("In android environment, Tap on elem.")
    assert tap.parameters["properties"]["elem"]["type"] == "integer" and tap.parameters["required"] == ["elem"]


def test_an_agent_names_marks_by_their_numbers():
    verbs = VERB_SETS.make(PartSpec("crab"))
    assert isinstance(verbs, CrabVerbs)
    save = Element("button", "Save", Box(0.4, 0.4, 0.6, 0.5))
    world = ScriptedWorld(items=(save,))
    planner = ScriptedPlanner(decide(Custom("double_click", {"elem": 1})), decide(Custom("tap")), decide(Done()))
    played = agent(planner, MarksGrounder(sources="elements"))
    played.take_verbs(verbs)
    play(episode(world, played, brief(world)))
    (double,) = world.envs["pc"].acted
    assert double.count == 2 and save.box.contains(double.at)
    assert planner.requests[2].feedback[0].outcome.refused
