"""What editors see of an editable install: completion, the place of a definition, and types."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jedi
import pytest
from shared_folders import ROOT
from system_needs import PYRIGHT

SOURCE = """\
import omnipilot
from omnipilot.agents import AgentSpec, build
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import Click, Point

reveal_type(omnipilot.__version__)
reveal_type(Click(Point(0.5, 0.5)))
reveal_type(build)
reveal_type(Duet())
reveal_type(omnipilot.envs.Point)
"""
TYPES = ["str", "Click[Point]", "(spec: AgentSpec", "Duet", "type[Point]"]


@pytest.fixture(scope="module")
def environment() -> jedi.api.environment.Environment:
    """The interpreter of these tests, without this process's path: as an editor asks it."""
    return jedi.create_environment(sys.executable, safe=False)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("from omnipilot.envs import Cli", "Click"),
        ("from omnipilot.agents import buil", "build"),
        ("from omnipilot.bench.suites.duet import Due", "Duet"),
        ("import omnipilot\nomnipilot.__vers", "__version__"),
        ("from omnipilot import planne", "planners"),
    ],
)
def test_names_are_completed(source: str, name: str, environment: jedi.api.environment.Environment) -> None:
    assert name in [found.name for found in jedi.Script(source, environment=environment).complete()]


@pytest.mark.slow
def test_a_name_leads_to_its_definition(environment: jedi.api.environment.Environment) -> None:
    script = jedi.Script("from omnipilot.envs import Click\nClick", environment=environment)
    (found,) = script.goto(2, 2, follow_imports=True)
    assert found.module_path is not None and found.module_path.resolve() == ROOT / "envs/types/actions.py"


@pytest.mark.needs("pyright")
def test_pyright_knows_every_type(tmp_path: Path) -> None:
    (tmp_path / "probe.py").write_text(SOURCE, encoding="utf-8")
    command = [PYRIGHT, "--pythonpath", sys.executable, "--outputjson", "probe.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    said = json.loads(done.stdout)["generalDiagnostics"]
    assert [one["message"] for one in said if one["severity"] != "information"] == []
    types = [one["message"].partition(' is "')[2] for one in said]
    assert [told[: len(expected)] for told, expected in zip(types, TYPES, strict=True)] == TYPES
