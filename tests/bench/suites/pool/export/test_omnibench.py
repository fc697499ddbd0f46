"""A pool in OmniBench's files: our own reader takes all of them, and its score gives the trajectories full marks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import export_pools
import pytest
from command_line import omnipilot

from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.omnibench.data import load_data
from omnipilot.bench.suites.omnibench.score import OmniBench
from omnipilot.bench.suites.pool.export.omnibench import export_omnibench
from omnipilot.bench.suites.pool.export.source import ExportSource


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pool of the tests, exported."""
    root = tmp_path_factory.mktemp("omnibench")
    source = ExportSource.open(export_pools.write(root / "pool"), orders=2)
    made = export_omnibench(source, root / "out", cap=3)
    assert (made.unsolved, made.bad) == ([], [])
    assert (made.tasks, made.task_trajectories) == (4, 6)
    return root / "out"


def lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.slow
def test_our_reader_takes_every_record(exported: Path) -> None:
    found = load_data(Source.open(str(exported), ""))
    assert found.bad == ()
    tasks = {task.id: task for task in found.items}
    assert tasks["g2"].graph.edges == (("read-code", "note-down"),)
    assert tasks["g3"].graph.ids == ("delete-note", "favourite-contact", "delete-note#2")
    assert tasks["g1"].intent == "A friend stands before the gate"
    assert tasks["g1"].complexity.capabilities() == tasks["g4"].complexity.capabilities() == ()
    for task in tasks.values():
        for subtask in task.subtasks:
            values = subtask.parameters_in(task.instruction)
            assert all(str(value) for value in values.values()), subtask.id


def test_orders_are_listed_up_to_the_cap_with_their_exact_number(exported: Path) -> None:
    task = json.loads((exported / "tasks" / "g3.json").read_text())
    assert task["successful_topo_count"] == 6
    assert 3 <= len(task["successful_topo"]) <= 5


def test_trajectories_of_tasks_are_named_by_their_order_and_score_full_marks(exported: Path) -> None:
    for line in lines(exported / "task_trajectories.jsonl"):
        task = json.loads((exported / "tasks" / f"{line['task_id']}.json").read_text())
        number = int(line["trajectory_id"].split("(")[1].rstrip(")"))
        assert task["successful_topo"][number] == line["topological_order"]
        assert len(line["observations"]) == len(line["actions"]) + 1
        assert all((exported / name).is_file() for name in line["observations"])
    scored = OmniBench().score(str(exported), exported / "task_trajectories.jsonl", "paper")
    figures = {figure.name: figure.value for figure in scored.figures}
    assert (figures["CR"], figures["SR"]) == (1.0, 1.0)


def test_actions_are_omnibenchs_and_open_applications_by_clicks(exported: Path) -> None:
    actions = [one for line in lines(exported / "subtask_trajectories.jsonl") for one in line["actions"]]
    assert {one["function"] for one in actions} <= {"click_input", "keyboard_input", "wheel_mouse_input"}
    clicks = [one for one in actions if one["function"] == "click_input"]
    assert all(one["rect"] and one["control_text"] for one in clicks)
    assert all(one["description"] and one["thought"] for one in actions)


@pytest.mark.slow
def test_the_command_says_what_it_wrote(tmp_path: Path) -> None:
    export_pools.write(tmp_path / "pool", export_pools.GRAPHS[:1])

    def export(to: str, out: str) -> str:
        done = omnipilot("synth", "export", str(tmp_path / "pool"), "--format", to, "--out", str(tmp_path / out))
        return done.stdout + done.stderr

    assert "2 subtasks, 1 tasks" in export("omnibench", "out")
    assert "holds files already" in export("omnibench", "out")
    assert "omnibench" in export("omnibnech", "other")
