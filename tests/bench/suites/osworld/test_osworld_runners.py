"""An agent of OSWorld's package and its `DesktopEnv`, unchanged, play a task on a desktop of ours to its end.

The agent is UI-TARS 1.5's. Its model is scripted: it says in UI-TARS's words what a person would do, and finds the
places in the tree that the desktop tells.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from chat_server import Answer, ChatServer, Request
from osworld_demonstrations import HOME_FILES
from osworld_source import PYTHON, TASKS

from omnipilot.bench.suites.osworld.score import read_results
from omnipilot.bench.suites.osworld.serving.desktop import ServedDesktop
from omnipilot.bench.suites.osworld.serving.server import DesktopServer
from omnipilot.bench.suites.osworld.serving.tree_xml import SPACES
from omnipilot.envs import Size
from omnipilot.envs.desktop import DesktopWorld

pytestmark = [
    pytest.mark.outside("osworld"),
    pytest.mark.desktop,
    pytest.mark.needs("vlc"),
    pytest.mark.slow,
    pytest.mark.timeout(600),
]
RUNNER = Path(__file__).parents[3] / "fixtures" / "osworld_uitars.py"
(TASK,) = (TASKS / "vlc").glob("a5bbbcd5*.json")
"""VLC: start in minimal view mode."""
SCREEN = Size(1920, 1080)
MODEL_SCREEN = Size(1932, 1092)
"""The screen as UI-TARS's model sees it: in multiples of 28 pixels."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[ServedDesktop]:
    home = tmp_path / "home"
    for name, text in HOME_FILES.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    one = ServedDesktop(lambda: DesktopWorld(size=SCREEN, home=home))
    yield one
    one.close()


def place_of(served: ServedDesktop, name: str) -> tuple[int, int]:
    """The middle of an element, once it is there, in pixels of the model's screen."""
    component = f"{{{SPACES['cp']}}}"
    until = time.monotonic() + 30.0
    while time.monotonic() < until:
        for one in ElementTree.fromstring(served.tree()).iter():
            if (one.get("name") or "").strip() == name and one.get(f"{component}screencoord"):
                told = " ".join(one.attrib[component + key] for key in ("screencoord", "size"))
                left, top, width, height = map(int, re.findall(r"-?\d+", told))
                x, y = (left + width / 2) / SCREEN.width, (top + height / 2) / SCREEN.height
                return round(x * MODEL_SCREEN.width), round(y * MODEL_SCREEN.height)
        time.sleep(0.5)
    raise AssertionError(f"nothing is called {name}")


@pytest.mark.parametrize("solves", [True, False])
def test_uitars_plays_a_task_to_its_end(served: ServedDesktop, tmp_path: Path, solves: bool) -> None:
    def say(request: Request) -> Answer:
        turn = sum(one["role"] == "assistant" for one in request.json["messages"])
        if not solves or turn == 3:
            return Answer("Thought: It is done.\nAction: finished(content='done')")
        if turn == 0:
            return Answer("Thought: The preferences.\nAction: hotkey(key='ctrl p')")
        x, y = place_of(served, ("", "Start in minimal view mode", "Save")[turn])
        return Answer(f"Thought: This one.\nAction: click(start_box='({x},{y})')")

    server = DesktopServer(served)
    results = tmp_path / "pyautogui" / "screenshot" / "scripted" / "vlc" / TASK.stem
    results.mkdir(parents=True)
    place = f"127.0.0.1:{server.port}:{served.reach(9222)}:8006:{served.reach(8080)}"
    given = {"task": str(TASK), "place": place, "results": str(results), "steps": 6}
    try:
        with ChatServer(say) as model:
            variables = {**os.environ, "DOUBAO_API_URL": model.url, "DOUBAO_API_KEY": "none"}
            said = subprocess.run(
                [PYTHON, str(RUNNER), json.dumps(given)], env=variables, capture_output=True, text=True, timeout=300
            )
    finally:
        server.close()
    assert said.returncode == 0, said.stderr[-3000:]
    (outcome,) = read_results(tmp_path / "pyautogui").tasks.values()
    assert outcome.score == float(solves), (results / "traj.jsonl").read_text()
    assert outcome.steps == (4 if solves else 1)
