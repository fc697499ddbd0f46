"""Our agents in the loop of the real AgentLab (`make outside`), on pages of MiniWoB."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from system_needs import outside_python

from omnipilot.envs.web import find_chromium

pytestmark = [pytest.mark.outside("agentlab"), pytest.mark.web, pytest.mark.slow, pytest.mark.timeout(900)]
THEIR_LOOP = """
import json, os, sys
from pathlib import Path
import miniwob
os.environ["MINIWOB_URL"] = (Path(miniwob.__file__).parent / "html" / "miniwob").as_uri() + "/"
import browsergym.miniwob
from agentlab.experiments.loop import EnvArgs, ExpArgs
from omnipilot.agents import SingleAgent
from omnipilot.bench.suites.browsergym.agentlab_agent import OmnipilotArgs

def play(task, planner, actions="coord"):
    args = OmnipilotArgs(planner=planner, actions=actions, chromium=sys.argv[2])
    experiment = ExpArgs(args, EnvArgs(task, task_seed=1, max_steps=4, slow_mo=0), logging_level_stdout=50)
    experiment.prepare(sys.argv[1])
    experiment.run()
    return json.loads((experiment.exp_dir / "summary_info.json").read_text())

found = {
    "coord": play("miniwob.click-link", "rules"),
    "bid": play("miniwob.click-test", "rules", "bid"),
    "ending": play("miniwob.click-test", "noop"),
}
def fail(*_): raise RuntimeError("the model has gone home")
SingleAgent.decide = fail
found["error"] = play("miniwob.click-test", "rules")
Path(sys.argv[1], "found.json").write_text(json.dumps(found))
"""


def test_an_episode_is_solved_ended_or_its_error_recorded(tmp_path: Path) -> None:
    done = subprocess.run(
        [outside_python("agentlab"), "-c", THEIR_LOOP, tmp_path, find_chromium()], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads((tmp_path / "found.json").read_text())
    for how in ("coord", "bid"):
        assert found[how]["cum_reward"] == 1.0 and found[how]["terminated"] and found[how]["err_msg"] is None
        assert found[how]["stats.cum_n_tokens"] == 0
    assert found["ending"]["cum_reward"] == 0.0 and found["ending"]["truncated"]
    assert "the model has gone home" in found["error"]["err_msg"], "AgentLab alone loses it"
