"""An agent of ours is one of AndroidWorld's, and their actions are what it does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from android_world_env import WIDTH, SwitchEnv

STANDIN = Path(__file__).parents[2] / "fixtures" / "android_world_standin"
sys.path.append(str(STANDIN))
from omnipilot.agents import AgentSpec, PartSpec  # noqa: E402
from omnipilot.bench.doors.androidworld import AsyncEnvPhone, OmnipilotAgent  # noqa: E402
from omnipilot.envs import (  # noqa: E402
    Action,
    ActionRejected,
    Click,
    Drag,
    LongPress,
    Modality,
    OpenApp,
    Point,
    Press,
    Scroll,
    Swipe,
    System,
    TypeText,
)

CHECKOUT, PYTHON = os.environ.get("ANDROIDWORLD_CHECKOUT", ""), os.environ.get("ANDROIDWORLD_PYTHON", "")
SPEC = AgentSpec(planner=PartSpec("android_world_agents:BluetoothPlanner"))
MIDDLE = Point(0.5, 0.5)


def test_a_decision_is_a_step_and_done_ends_it() -> None:
    env = SwitchEnv()
    agent = OmnipilotAgent(env, SPEC, transition_pause=0.0)
    agent.reset(go_home=True)
    agent.set_max_steps(10)
    first = agent.step("Turn bluetooth on.")
    assert (first.done, first.data["thought"], env.on) == (False, "tap it", True)
    second = agent.step("Turn bluetooth on.")
    assert second.done and [one["outcome"] for one in second.data["moves"]] == ["control", "control"]
    assert env.done == [
        {"reset": True},
        {"action_type": "click", "x": WIDTH // 2, "y": 120},
        {"action_type": "answer", "text": "it is on"},
        {"action_type": "status", "goal_status": "complete"},
    ]
    agent.reset()
    assert not agent.step("Turn bluetooth on.").done, "the next episode begins anew"


def test_an_agent_that_gives_up_without_saying_so_is_not_done() -> None:
    env = SwitchEnv()
    agent = OmnipilotAgent(env, AgentSpec(planner=PartSpec("noop", {"patience": 9})), transition_pause=0.0)
    agent.reset()
    agent.set_max_steps(2)
    assert [agent.step("wait").done for _ in range(4)] == [False] * 4
    looked = env.looked
    assert agent.step("wait").data["ended"] == "the agent stopped" and env.looked == looked


def test_their_elements_have_names_roles_and_places_and_hidden_ones_are_left_out() -> None:
    phone = AsyncEnvPhone(SwitchEnv(), 0.0)
    seen = phone.observe({Modality.ELEMENTS, Modality.SCREENSHOT}, 0.0)
    assert [(one.role, one.name) for one in seen.elements.items] == [("button", "Bluetooth"), ("textbox", "Name")]
    assert seen.elements.items[0].box.center == Point(0.5, 0.3)
    assert seen.screenshot.size == phone.size and phone.observe({Modality.SCREENSHOT}, 0.0).time == seen.time


@pytest.mark.parametrize(
    ("action", "told"),
    [
        (Click(MIDDLE), {"action_type": "click", "x": 100, "y": 200}),
        (Click(MIDDLE, count=2), {"action_type": "double_tap", "x": 100, "y": 200}),
        (LongPress(MIDDLE), {"action_type": "long_press", "x": 100, "y": 200}),
        (Scroll("down"), {"action_type": "scroll", "direction": "down"}),
        # The finger goes left; their swipe "right" goes from the right side to the left.
        (Swipe("left"), {"action_type": "swipe", "direction": "right"}),
        (Swipe(start=Point(0.5, 0.8), end=Point(0.5, 0.2)), {"action_type": "swipe", "direction": "up"}),
        (TypeText("hi", MIDDLE), {"action_type": "input_text", "text": "hi", "clear_text": False, "x": 100, "y": 200}),
        (Press(("enter",)), {"action_type": "keyboard_enter"}),
        (System("back"), {"action_type": "navigate_back"}),
        (OpenApp("clock"), {"action_type": "open_app", "app_name": "clock"}),
    ],
)
def test_each_verb_is_an_action_of_theirs(action: Action, told: dict[str, Any]) -> None:
    env = SwitchEnv()
    AsyncEnvPhone(env, 0.0).act(action)
    assert env.done == [told]


@pytest.mark.parametrize("action", [Click(MIDDLE, button="right"), Drag(MIDDLE, MIDDLE), Press(("tab",)), TypeText("")])
def test_what_they_have_not_is_rejected_and_nothing_is_done(action: Action) -> None:
    env = SwitchEnv()
    with pytest.raises(ActionRejected, match="taps once or twice"):
        AsyncEnvPhone(env, 0.0).act(action)
    assert env.done == []


THEIRS = """
import json, sys
serial, port, *paths = sys.argv[1:]
sys.path[:0] = paths
from android_env.components import adb_controller
from android_world import registry, suite_utils
from android_world.env import android_world_controller, interface
from android_world.task_evals import task_eval
from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.doors.androidworld import OmnipilotAgent
from serve_android_world import AdbAlone

adb_controller.AdbController._restart_server = lambda *_, **__: None
task_eval.TaskEval.initialize_device_time = lambda *_: None
by_dump = android_world_controller.A11yMethod.UIAUTOMATOR
device = AdbAlone(serial, int(port), "adb")
env = interface.AsyncAndroidEnv(android_world_controller.AndroidWorldController(device, a11y_method=by_dump))
task = registry.TaskRegistry().get_registry("android_world")["SystemBluetoothTurnOn"]
said = []
for planner in ("android_world_agents:SettingsPlanner", "noop"):
    suite = suite_utils.create_suite({"SystemBluetoothTurnOn": task}, 1, 30)
    suite.suite_family = "android_world"
    agent = OmnipilotAgent(env, AgentSpec(planner=PartSpec(planner)), transition_pause=0.5)
    (found,) = suite_utils.run(suite, agent)
    said.append([found["is_successful"], found["episode_length"], found["exception_info"]])
sys.stderr.write("FOUND " + json.dumps(said))
"""


@pytest.mark.needs("a checkout of AndroidWorld", "adb")
@pytest.mark.exhibit("sim", "androidworld")
def test_it_runs_in_their_own_loop_on_a_phone_over_adb_and_their_judge_tells_right_from_wrong() -> None:
    from omnipilot.envs.sim.phone_over_adb import EmbeddedPhone

    root = Path(__file__).parents[3]
    paths = [CHECKOUT, *(str(root / name) for name in ("src", "tests/fixtures", "bench/foreign"))]
    world = EmbeddedPhone()
    try:
        world.reset(0)
        phone = world.envs["phone"]
        arguments = [phone.serial, str(phone.server.port), *paths, str(root / "bench/suites/androidworld")]
        done = subprocess.run([PYTHON, "-c", THEIRS, *arguments], capture_output=True, text=True, timeout=280)
    finally:
        world.close()
    assert "FOUND " in done.stderr, done.stderr[-3000:]
    assert json.loads(done.stderr.rpartition("FOUND ")[2]) == [[1.0, 3, None], [0.0, 4, None]]
