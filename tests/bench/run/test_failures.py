"""What stops a run is told in words of its part, whoever played it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.run import run
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.executors.failures import RunFailure, failure_of, stop_words
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
    [line] = str(stopped.value).splitlines()
    kept = tmp_path / "run/failure.txt"
    where = rf" \(the whole traceback: {re.escape(str(kept))}\)" if name == "Fails" else ""
    assert re.fullmatch(rf"\S+#0\.0: {told}{where}", line)
    if name == "Fails":
        trace = kept.read_text()
        assert trace.startswith(line.partition(" (the whole")[0]) and trace.endswith("KeyError: 'x'\n")
        assert "own_failing.py" in trace and "loop.py" in trace, "from our own code on"
    else:
        assert not kept.exists()


@pytest.mark.slow
def test_the_traceback_of_a_failure_is_gone_when_the_run_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "own_moody.py").write_text(
        SOURCE.replace("Fails", "Moody").replace(
            '{}["x"]', 'Decision((Move("", Done()),)) if OPEN.exists() else {}["x"]'
        )
        + f"\n\nfrom pathlib import Path\n\nOPEN = Path({str(tmp_path / 'open')!r})\n"
        + 'DONE = Decision((Move("", Done()),))\n'
    )
    spec = RunSpec(AgentSpec(planner=PartSpec("own_moody:Moody")), PartSpec("toy"))
    with pytest.raises(RunFailed):
        run(spec, tmp_path / "run", RunExecution(jobs=0))
    assert (tmp_path / "run/failure.txt").exists()
    (tmp_path / "open").touch()
    assert run(spec, tmp_path / "run", RunExecution(jobs=0)).ran and not (tmp_path / "run/failure.txt").exists()


def test_a_failure_of_many_lines_is_one_line_and_shows_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-abcdefghijklmnopqrstuvwx")
    failure = RunFailure("planner a:B failed in a.py, line 1: E", "Traceback: sk-abcdefghijklmnopqrstuvwx\n", True)
    assert stop_words("one#0.0", failure, tmp_path).count("\n") == 0
    assert "sk-abc" not in (tmp_path / "failure.txt").read_text()
    assert stop_words("one#0.0", RunFailure("E", "Traceback: ours\n"), tmp_path).endswith("\n\nTraceback: ours\n")
    try:
        raise ValueError("first\nsecond")
    except ValueError as error:
        assert failure_of(error, None).words == "first\nsecond" and not failure_of(error, None).named
