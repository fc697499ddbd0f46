"""A plug-in in a package of its own: installed, listed, loaded by name and driven through an episode."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from installed_plugin import environment

from omnipilot.agents.assembly.build import GROUNDERS, PLANNERS

EPISODE = """
import json
from scripted import ScriptedWorld, brief, element, play
from omnipilot.agents.assembly.build import GROUNDERS, PLANNERS, build
from omnipilot.agents.loop import episode
from omnipilot.agents.assembly.spec import AgentSpec, PartSpec
from omnipilot.envs.types.errors import ConfigError
import sys

told = {"planners": PLANNERS.names(), "grounders": GROUNDERS.names()}
told["imported by listing"] = "omnipilot_example" in sys.modules
told["ours"] = [PLANNERS.is_ours(name) for name in ("noop", "rules", "example-first-button")]
told["noop"] = PLANNERS.load("noop").__module__
world = ScriptedWorld(items=(element("Title", "heading"), element("Go", row=1), element("Stop", row=2)))
planner = PartSpec("example-first-button", {"clicks": 2})
agent = build(AgentSpec(planner=planner, grounder=PartSpec("example-first-named")))
steps, ending = play(episode(world, agent, brief(world)))
told["acted"] = [action.at.to_permille() for action in world.envs["pc"].acted]
told["ending"] = ending.reason
try:
    PLANNERS.load("example-broken")
except ConfigError as error:
    told["broken"] = str(error)
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told(plugin: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What a fresh interpreter sees that has the plug-in installed."""
    work = tmp_path_factory.mktemp("plugin")
    run = subprocess.run(
        [sys.executable, "-c", EPISODE],
        env=environment(plugin),
        capture_output=True,
        text=True,
        timeout=120,
        cwd=work,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.slow
@pytest.mark.exhibit("rules", "mini")
def test_its_parts_are_listed_after_ours_without_being_imported(told):
    ours = list(PLANNERS.names())
    assert {PLANNERS.where(name) for name in ours} == {"omnipilot"}
    assert {"rules", "oracle", "random", "noop"} <= set(ours)
    assert told["planners"] == [*ours, "example-broken", "example-first-button"]
    assert told["grounders"] == [*GROUNDERS.names(), "example-first-named"]
    assert told["imported by listing"] is False


def test_its_parts_act_like_ours(told):
    assert told["acted"] == [[500.0, pytest.approx(140.0)]] * 2
    assert told["ending"] == "done"


def test_a_name_of_ours_stays_ours(told):
    assert told["noop"] == "omnipilot.planners.baselines.noop"
    assert told["ours"] == [True, True, False]


def test_a_part_that_cannot_be_loaded_names_its_package(told):
    assert "omnipilot-example" in told["broken"] and "NotThere" in told["broken"]
