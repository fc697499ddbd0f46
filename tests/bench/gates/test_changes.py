"""Where two episodes first went different ways, and what became of each task."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from toy_suite import toy_spec

from omnipilot.bench import load_run
from omnipilot.bench.experiments.comparison import compare, narrow
from omnipilot.bench.gates.changes import FirstStep, changed_instances, first_step, task_results
from omnipilot.bench.journal.events import StepTaken
from omnipilot.bench.run import run


def step(
    turn: int, executed: dict[str, Any] | None, env: str = "phone", result: str = "done", **more: Any
) -> StepTaken:
    given = {"proposed": executed, "message": "", "counts": True, "look": None, "pointed": [], "start": 0.0, "end": 1.0}
    rest = {"usage": {}, "changes": [], "completed": 0, "seconds": {}} | given | more
    return StepTaken(key="t#0.0", attempt=1, step=turn, turn=turn, env=env, executed=executed, result=result, **rest)


SEND, BACK = {"kind": "click", "at": "Send"}, {"kind": "system", "name": "back"}
ENDS = ("Solved", "Turn limit reached")


def test_the_first_step_that_differs_in_what_was_done() -> None:
    same = [step(0, {"kind": "open_app", "app": "mail"})]
    found = first_step([*same, step(1, SEND)], [*same, step(1, BACK), step(2, SEND)], ENDS)
    assert found == FirstStep(2, "Click “Send” on phone", "System key back on phone")
    assert found.words == "turn 2: Click “Send” on phone → System key back on phone"


def test_another_device_and_another_result_differ_and_clocks_do_not() -> None:
    assert first_step([step(0, SEND)], [step(0, SEND, env="desktop")], ENDS).b == "Click “Send” on desktop"
    refused = step(0, None, result="rejected", proposed=SEND)
    assert first_step([step(0, SEND)], [refused], ENDS).b == "Click “Send” on phone (rejected)"
    later = step(0, SEND, start=5.0, end=9.0, seconds={"env": 3.0})
    assert first_step([step(0, SEND)], [later], ENDS) == FirstStep(None, *ENDS)


def test_an_episode_that_ended_earlier_is_told_by_its_ending() -> None:
    long, short = [step(0, SEND), step(1, BACK)], [step(0, SEND)]
    assert first_step(long, short, ENDS) == FirstStep(2, "System key back on phone", "Turn limit reached")
    assert first_step(short, long, ENDS) == FirstStep(2, "Solved", "System key back on phone")
    assert first_step([], [], ENDS).words == "after the same steps: Solved → Turn limit reached"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A run that solves `count`, and one that solves nothing."""
    folder = tmp_path_factory.mktemp("played")
    for planner in ("oracle", "noop"):
        run(toy_spec("count", "far", instances=2, planner=planner), folder / planner)
    return folder / "oracle", folder / "noop"


def test_changes_of_recorded_runs(played: tuple[Path, Path]) -> None:
    a, b = map(load_run, played)
    changes = list(changed_instances(compare(a, b), a, b))
    assert [(one.name, one.worse, one.keys) for one in changes] == [
        (f"count#{n}", True, (f"count#{n}.0", f"count#{n}.0")) for n in range(2)
    ]
    assert changes[0].first == FirstStep(1, "Press enter on toy", "Skip")
    results = {one.task: one for one in task_results(a, b, changes)}
    assert (results["count"].a, results["count"].b, results["count"].gain) == ((2, 2), (0, 2), -2)
    assert (results["far"].gain, results["far"].changes) == (0, ())
    back = list(changed_instances(compare(b, a), b, a))
    assert not any(one.worse for one in back) and back[0].first == FirstStep(1, "Skip", "Press enter on toy")


def test_without_a_folder_there_are_no_steps(played: tuple[Path, Path]) -> None:
    a, b = (narrow(load_run(one), 0, None) for one in played)
    assert [one.first for one in changed_instances(compare(a, b), a, b)] == [None]
    assert [(one.task, one.a) for one in task_results(a, b, ())] == [("count", (1, 1)), ("far", (0, 1))]
