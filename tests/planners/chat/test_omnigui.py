"""OmniGUI's unified prompt: its primitives become verbs, its media come in the paper's order."""

from __future__ import annotations

import contextlib
import json

import pytest
from scripted import ScriptedGrounder, ScriptedWorld, agent
from scripted_model import Asked, ScriptedModel, says

from omnipilot.agents import Limits, episode
from omnipilot.envs import (
    AudioClip,
    Click,
    ConfigError,
    Done,
    Image,
    LongPress,
    Observation,
    Point,
    Size,
    Swipe,
    System,
    TypeText,
    VideoClip,
    Wait,
)
from omnipilot.envs.sim import SimWorld
from omnipilot.memory import MalformedReply, Move, Outcome
from omnipilot.planners import Brief, Feedback, OmniGuiPlanner, Request, Verbs
from omnipilot.planners.chat.omnigui import read_primitive
from omnipilot.planners.prompts import load

UP = {"start_coordinate": [500, 800], "end_coordinate": [500, 300]}
SWIPE = Swipe(start=Point(0.5, 0.8), end=Point(0.5, 0.3))
AT = {"coordinate": [250, 1000]}
PLACE = Point(0.25, 1.0)
PRIMITIVES = [
    ("NONE", {}, Wait(1.0)),
    ("TAP", AT, Click(PLACE)),
    ("DOUBLE_TAP", AT, Click(PLACE, count=2)),
    ("LONG_PRESS", AT, LongPress(PLACE)),
    ("SWIPE_UP", UP, SWIPE),
    ("SWIPE_DOWN", UP, SWIPE),
    ("SWIPE_LEFT", UP, SWIPE),
    ("SWIPE_RIGHT", UP, SWIPE),
    ("INPUT", {"text": "hello"}, TypeText("hello")),
    ("BACK", {}, System("back")),
    ("HOME", {}, System("home")),
    ("TASK_COMPLETE", {}, Done("success")),
    ("TASK_IMPOSSIBLE", {}, Done("infeasible")),
]


@pytest.mark.parametrize(("number", "case"), list(enumerate(PRIMITIVES, -1)))
def test_each_of_the_thirteen_is_a_verb_by_name_and_by_number(number, case):
    name, parameters, intent = case
    env = "" if isinstance(intent, Wait | Done) else "phone"
    for said in (name, name.lower(), number):
        assert read_primitive({"action_type": said, **parameters}, ("phone",)) == Move(env, intent)
    assert f"| {number} | {name} |" in load("omnigui").text


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"action_type": "PINCH"}, "no action_type 'PINCH'"),
        ({"action_type": True, **AT}, "no action_type"),
        ({"action_type": 12}, "no action_type 12"),
        ({}, "no action_type"),
        ({"action_type": "TAP"}, r"is \[x, y\]"),
        ({"action_type": "TAP", "coordinate": [500]}, r"is \[x, y\]"),
        ({"action_type": "TAP", "coordinate": [500, 1001]}, "from 0 to 1000"),
        ({"action_type": "TAP", "coordinate": ["500", "10"]}, "from 0 to 1000"),
        ({"action_type": "TAP", "coordinate": "500, 10"}, "from 0 to 1000"),
        ({"action_type": "TAP", "point": [1, 1]}, "not point"),
        ({"action_type": "SWIPE_UP", "start_coordinate": [1, 1]}, "end_coordinate"),
        ({"action_type": "INPUT", "text": ""}, "what to type"),
        ({"action_type": "BACK", "device": "tv"}, "one of phone, not 'tv'"),
    ],
)
def test_what_is_no_primitive_is_malformed_and_says_why(told, message):
    with pytest.raises(MalformedReply, match=message):
        read_primitive(told, ("phone",))


def test_with_several_devices_each_action_names_one():
    assert read_primitive({"action_type": "HOME", "device": "pc"}, ("phone", "pc")) == Move("pc", System("home"))
    with pytest.raises(MalformedReply, match="one of phone, pc, not None"):
        read_primitive({"action_type": "HOME"}, ("phone", "pc"))


def test_media_come_in_the_papers_order_and_the_actions_as_a_list():
    world = SimWorld()
    world.reset(0)
    phone = world.envs["phone"]
    model = ScriptedModel(says({"action_type": "TAP", "coordinate": [1, 2]}), says({"action_type": "NONE"}))
    planner = OmniGuiPlanner.over(model)
    brief = Brief("Ring.", {"phone": Verbs(phone.platform, phone.verbs)})
    planner.begin(brief)
    first = phone.observe(planner.reads, 0.0)
    planner.plan(Request(brief, 0, {"phone": first}))
    world.wait(2.0)
    second = phone.observe(planner.reads, first.time)
    planner.plan(Request(brief, 1, {"phone": second}))
    assert model.asked[0].media == (first.screenshot,)
    before, video, sound, now = model.asked[1].media
    assert (before, now) == (first.screenshot, second.screenshot)
    assert isinstance(before, Image) and isinstance(video, VideoClip) and isinstance(sound, AudioClip)
    assert '1. {"action_type": "TAP", "coordinate": [1, 2]}' in model.asked[1].words
    assert "Goal: Ring." in model.asked[1].words and not model.asked[1].tools
    assert load("omnigui").text.strip() in model.asked[1].words
    planner.begin(brief)
    planner.plan(Request(brief, 0, {"phone": first}))
    assert model.asked[2].messages == model.asked[0].messages


def test_an_episode_no_grounder_is_asked_and_what_failed_is_told():
    world = ScriptedWorld(("phone",), rejects=lambda action: "locked" if isinstance(action, Click) else "")
    model = ScriptedModel(
        says({"action_type": "TAP", "coordinate": [10, 10]}),
        says("I cannot say."),
        says(json.dumps({"action_type": "TASK_COMPLETE"})),
    )
    verbs = {name: Verbs(env.platform, env.verbs, env.custom) for name, env in world.envs.items()}
    run = episode(world, agent(OmniGuiPlanner.over(model), ScriptedGrounder({})), Brief("Go.", verbs), Limits(9, 9))
    steps = []
    while True:
        try:
            steps.append(next(run))
        except StopIteration as stop:
            assert stop.value.reason == "done"
            break
    assert [step.outcome.result for step in steps] == ["rejected", "control"]
    assert "locked" in model.asked[1].words
    assert "Nothing was carried out" in model.asked[2].words


def step(planner: OmniGuiPlanner, brief: Brief, turn: int, *feedback: Feedback) -> None:
    """A turn at which the screen is of a grey of its own."""
    seen = Observation("phone", float(turn), Size(4, 4), Image.raw(Size(4, 4), bytes([turn] * 48)))
    planner.plan(Request(brief, turn, {"phone": seen}, feedback=feedback))


def forced(words: str) -> Feedback:
    return Feedback(Move("phone", Wait(1.0)), Outcome("forced", words))


def listed(asked: Asked) -> list[str]:
    return asked.words.split("Actions so far:\n")[1].split("\nAnswer with")[0].split("\n")


def test_in_a_recording_its_actions_are_listed_in_its_words_and_none_of_the_models():
    tap = {"action_type": "TAP", "coordinate": [1, 2]}
    model = ScriptedModel(says(tap), says("no object"), says(tap), says(tap))
    planner = OmniGuiPlanner.over(model, repairs=0)
    brief = Brief("Go.", {"phone": Verbs("phone", frozenset({"click"}))})
    planner.begin(brief)
    step(planner, brief, 0)
    with pytest.raises(MalformedReply):
        step(planner, brief, 1, forced("BACK"))
    unread = Feedback(None, Outcome("malformed", "Answer with one JSON object"))
    step(planner, brief, 2, unread, forced('INPUT text: "hi"'))
    step(planner, brief, 3, Feedback(Move("phone", Wait(1.0)), Outcome("not_found", "no")), forced("点击"))
    assert [listed(asked) for asked in model.asked] == [
        ["none"],
        ["1. BACK"],
        ["1. BACK", '2. INPUT text: "hi"'],
        ["1. BACK", '2. INPUT text: "hi"', "3. 点击"],
    ]
    planner.begin(brief)
    step(planner, brief, 0)
    assert listed(model.asked[4]) == ["none"]


@pytest.mark.parametrize(("before", "shown"), [(1, [None, 0, 1, 2]), (2, [None, None, 0, 1])])
def test_the_earlier_screenshot_lies_one_or_two_steps_back_also_after_an_unreadable_reply(before, shown):
    model = ScriptedModel(says({"action_type": "NONE"}), says("nothing"), says({"action_type": "NONE"}))
    planner = OmniGuiPlanner.over(model, repairs=0, before=before)
    brief = Brief("Go.", {"phone": Verbs("phone", frozenset({"click"}))})
    planner.begin(brief)
    for turn, earlier in enumerate(shown):
        with contextlib.suppress(MalformedReply):
            step(planner, brief, turn)
        assert [image.rgb[0] for image in model.asked[turn].media] == [*([] if earlier is None else [earlier]), turn]
        label = f"Screenshot of phone {'one step' if before == 1 else 'two steps'} before:"
        assert (label in model.asked[turn].words) == (earlier is not None)


def test_other_distances_are_refused():
    with pytest.raises(ConfigError, match="before must be 1 or 2, not 3"):
        OmniGuiPlanner.over(ScriptedModel(), before=3)
