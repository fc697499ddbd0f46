"""What is written in a session, such as a cell of a notebook, is played in its process, and nowhere else."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from omnipilot.bench import Case, compare, load_runs, load_suite, run, sweep, task
from omnipilot.bench.own import WrittenTask, session_tasks
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import ConfigError, Done
from omnipilot.memory import Move
from omnipilot.planners import Brief, Decision, Planner, Request

HERE: dict[str, Any] = {"turns": 4, "progress": False}
CELL = """
from omnipilot.bench import run, task
from omnipilot.envs import Done, OpenApp
from omnipilot.memory import Move
from omnipilot.planners import Decision, Planner

@task("Open Notes.", world={"phone": "toy"}, turns=4)
def open_notes(case):
    return case.state["phone"].app == "Notes"

class Opener(Planner):
    def begin(self, brief):
        pass

    def plan(self, request):
        return Decision((Move("phone", OpenApp("Notes")),))

if __name__ == "__main__":
    record = run(open_notes, planner=Opener, out="runs/cell", progress=False)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def made(app: str = "Notes") -> WrittenTask:
    @task("Open Notes.", world={"phone": "toy"})
    def open_notes(case: Case) -> bool:
        return bool(case.state["phone"].app == app)

    return open_notes


def test_a_task_and_a_planner_of_a_cell_are_played(folder: Path) -> None:
    (folder / "cell.py").write_text(CELL, encoding="utf-8")
    record = runpy.run_path("cell.py", run_name="__main__")["record"]
    assert (record.solved, record.total, record.episodes[0].task) == (1, 1, "open-notes")
    assert (record.folder / "report.html").is_file()


def test_a_task_of_a_module_is_played_from_its_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "cell_of_a_module.py").write_text(CELL, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    import cell_of_a_module  # type: ignore[import-not-found]

    record = run(cell_of_a_module.open_notes, planner=cell_of_a_module.Opener, jobs=0, out="runs/x", **HERE)
    assert record.solved == 1
    assert str(record.run.spec.suite.options["file"]).endswith("cell_of_a_module.py")


def test_several_tasks_without_a_function_are_a_suite() -> None:
    one = task("Open Notes.", world={"phone": "toy"}, checks=["element textbox exists"])
    other = task("Look around.", world={"phone": "toy"})
    record = run([one, other], planner="noop", out="runs/x", **HERE)
    assert [episode.task for episode in record.episodes] == ["open-notes", "look-around"]
    assert (record.total, record.unjudged) == (1, 1)
    with pytest.raises(ConfigError, match="two tasks are called 'open-notes'"):
        run([one, made()], planner="noop", **HERE)


def test_workers_are_refused_with_the_cure() -> None:
    with pytest.raises(
        ConfigError, match=r"only this session of Python has task 'open-notes'.*jobs=0, or put it into a file"
    ):
        run(made(), planner="noop", jobs=2, **HERE)


def test_a_class_that_nobody_finds_is_refused() -> None:
    class Hidden(Planner):
        def begin(self, brief: Brief) -> None:
            pass

        def plan(self, request: Request) -> Decision:
            return Decision((Move("", Done()),))

    with pytest.raises(ConfigError, match="class Hidden is defined inside a function"):
        run("toy", planner=Hidden, **HERE)


def test_an_edited_task_is_another_one() -> None:
    first = run(made(), planner="noop", out="runs/x", **HERE)
    assert run(made(), planner="noop", out="runs/x", **HERE).episodes == first.episodes
    edited = task("Open Notes.", world={"phone": "toy"})(lambda case: case.state["phone"].app == "Maps")
    with pytest.raises(ConfigError, match="runs/x"):
        run(edited, planner="noop", out="runs/x", **HERE)


def test_a_session_that_is_over_leaves_runs_that_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = sweep(made(), planner=["noop", "random"], out="runs/sweep", **HERE)
    assert [row.run.suite for row in cells] == ["file", "file"]
    monkeypatch.setattr(session_tasks, "_KEPT", {})
    loaded = load_runs("runs/sweep")
    assert compare(loaded[0], loaded[1], out="runs/compared").pairs == 1
    spec: RunSpec = loaded[0].run.spec
    with pytest.raises(ConfigError, match="a session of Python that is over"):
        load_suite(spec.suite)
