"""Our suite as a cube, with the real cube-standard (`make outside`): its own test passes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from system_needs import outside_python

from omnipilot.bench.suites.cube import Cube
from omnipilot.envs import Custom, Modality, Thinking

pytestmark = [pytest.mark.outside("cube"), pytest.mark.slow, pytest.mark.exhibit("duet")]
WRONG = """
import json, sys
from cube.core import Action
from omnipilot.bench.doors.cube.debug import get_debug_benchmark, make_debug_agent
config = next(iter(get_debug_benchmark().get_task_configs()))
task = config.make()
observation, _ = task.reset()
agent = make_debug_agent(config.metadata.id)
kinds = [type(one).__name__ for one in observation.contents]
bad = task.step(Action(name="click", arguments={"device": "phone", "at": "no such thing"}))
stop = task.step(Action(name="final_step", arguments={}))
print(json.dumps([kinds, bad.error.error_type, bad.done, stop.done, stop.reward]))
"""


def test_cube_test_passes(tmp_path: Path) -> None:
    done = subprocess.run(
        [outside_python("cube").with_name("cube"), "--no-color", "test", "omnipilot-duet"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 task(s) passed" in done.stdout and "7 passed" in done.stdout


def test_a_wrong_verb_is_told_and_an_early_end_is_no_success(tmp_path: Path) -> None:
    done = subprocess.run([outside_python("cube"), "-c", WRONG], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    kinds, error, ended, stopped, reward = json.loads(done.stdout)
    assert kinds == ["TextContent", *["TextContent", "ImageContent"] * 2]
    assert (error, ended, stopped) == ("not_found", False, True) and reward < 1


def test_our_runner_plays_our_own_cube() -> None:
    """Out by one door and in by the other: the same screens, and the cube's actions as verbs."""
    suite = Cube("omnipilot-duet", str(outside_python("cube")), debug=True)
    world = suite.world(Thinking())
    try:
        assert "phone" in suite.instantiate("send-message", 0).setup(world)
        assert {"cube_click", "cube_type"} <= set(world.cube.custom)
        assert len(world.cube.observe({Modality.ELEMENTS}, 0.0).elements) == 3
        world.cube.act(Custom("cube_open_app", {"device": "phone", "app": "Messages"}))
        world.cube.act(Custom("cube_click", {"device": "phone", "at": '{"x": 0.5, "y": 0.5}'}))
        assert next(one.name[:4] for one in world.cube.observe({Modality.ELEMENTS}, 0.0).elements) == "done"
        assert not world.ended()
    finally:
        world.close()
