"""What stops a run is told in words of its part, whoever played it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.run import run
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.runner import RunFailed

SOURCE = """from omnipilot.memory import Move
from omnipilot.envs import Done
from omnipilot.planners import Decision, Planner


class Base(Planner):
    def begin(self, brief):
        pass


class Fails(Base):
    def plan(self, request):
        return {}["x"]  # here


class Wrong(Base):
    def plan(self, request):
        return Move("phone", Done())


class Lists(Base):
    def plan(self, request):
        return Decision([Move("phone", Done())])
"""
LINE = next(number for number, line in enumerate(SOURCE.splitlines(), 1) if line.endswith("# here"))


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [0, 1])
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Fails", rf"planner own_failing:Fails failed in \S*own_failing\.py, line {LINE}: KeyError: 'x'"),
        ("Wrong", r"planner own_failing:Wrong: plan\(\) returned .*: it must return a Decision, not a Move"),
        ("Lists", r"planner own_failing:Lists: .* must be a tuple of Move"),
    ],
)
def test_who_failed_and_where(name: str, told: str, jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_failing.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    spec = RunSpec(AgentSpec(planner=PartSpec(f"own_failing:{name}")), PartSpec("toy"))
    with pytest.raises(RunFailed) as stopped:
        run(spec, tmp_path / "run", RunExecution(jobs=jobs))
    first, *rest = str(stopped.value).splitlines()
    assert re.fullmatch(rf"\S+#0\.0: {told}", first)
    files = [line for line in rest if line.lstrip().startswith("File ")]
    assert len(files) == (name == "Fails") and all("own_failing.py" in line for line in files)
