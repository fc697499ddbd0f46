"""The phone tasks of duet are judged alike in process and through adb's commands."""

from __future__ import annotations

import pytest
from duet_over_adb import in_process, over_adb

from omnipilot.bench.suites.duet.suite import Duet

QUICK = (
    "send-message",
    "add-alarm",
    "forget-old-network",
    "picture-filed",
    "tick-the-right-task",
    "number-by-voicemail",
)
SUITE = Duet("all")
TASKS = [info.id for info in SUITE.every() if info.envs == ("phone",)]


@pytest.mark.parametrize("task", QUICK)
def test_a_solved_task_is_solved_over_adb_and_a_task_cut_short_is_not(task: str) -> None:
    assert in_process(SUITE, task)[0]
    assert over_adb(SUITE, task, 10.0) == in_process(SUITE, task)
    half = over_adb(SUITE, task, 10.0, most=2)
    assert half == in_process(SUITE, task, most=2)
    assert not half[0]


@pytest.mark.slow
@pytest.mark.parametrize("task", [task for task in TASKS if task not in QUICK])
def test_every_phone_task_is_judged_alike(task: str) -> None:
    assert over_adb(SUITE, task, 10.0) == in_process(SUITE, task)
