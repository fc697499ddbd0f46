"""AndroidWorld's tasks are set up and judged by a checkout in a process of its own; what goes wrong there is void."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from made_settings import spec_of

from omnipilot.bench import load_run
from omnipilot.bench.foreign import ForeignFailure, ForeignLost, checkout_hash
from omnipilot.bench.run import run
from omnipilot.bench.session import Session
from omnipilot.bench.suites.androidworld import AndroidWorldSuite
from omnipilot.bench.suites.androidworld import world as module
from omnipilot.bench.suites.androidworld.suite import JUDGING_FILES
from omnipilot.bench.tasks import TaskVoid
from omnipilot.envs import Answer, ConfigError, Done, OpenApp

STANDIN = Path(__file__).parents[3] / "fixtures" / "android_world_standin"
WORLD = {"devices": {"phone": {"kind": "android_world_phone:Emulator"}}}
CHECKOUT, PYTHON = os.environ.get("ANDROIDWORLD_CHECKOUT", ""), os.environ.get("ANDROIDWORLD_PYTHON", "")
REAL = pytest.mark.needs("a checkout of AndroidWorld", "adb")


def suite(**options: Any) -> AndroidWorldSuite:
    return AndroidWorldSuite(str(STANDIN), **{"python": sys.executable, "world": WORLD, **options})


def play(task: str, *said: Answer | Done, instance: int = 0) -> Any:
    with Session(suite()) as session:
        session.open(task, instance)
        for one in said:
            session.act(one)
        return session.score()


def test_tasks_have_their_goals_limits_and_applications() -> None:
    made = suite()
    one = next(info for info in made.tasks() if info.id == "AnswerNumber")
    assert (one.description, one.envs, one.tags["app"]) == ("Say 30-AnswerNumber-0.", ("phone",), "settings")
    task = made.instantiate("AnswerNumber", 2)
    assert task.limits is not None and task.limits.turns == 12
    assert made.version.startswith(f"{checkout_hash(STANDIN, JUDGING_FILES)}+")
    assert made.programs()["android_world"] == checkout_hash(STANDIN, JUDGING_FILES) and "Python" in made.programs()


def test_a_task_that_the_clock_changes_is_told_apart_and_the_platform_is_named_as_mmbench_gui_names_it() -> None:
    made = suite()
    assert [info.id for info in made.tasks() if not info.seeded] == ["NamedByTheClock"]
    assert {info.tags["platform"] for info in made.tasks()} == {"os_android"}


def test_an_instance_is_theirs_of_that_number_and_an_answer_reaches_their_judge() -> None:
    assert play("AnswerNumber", Answer("30-AnswerNumber-3"), Done("success"), instance=3).success
    assert not play("AnswerNumber", Answer("30-AnswerNumber-0"), Done("success"), instance=3).success


def test_who_does_not_say_that_it_is_done_has_not_solved_the_task() -> None:
    with Session(suite()) as session:
        session.open("AnswerNumber", 0)
        session.act(Answer("30-AnswerNumber-0"))
        world = session._world
        assert world is not None
        judge = session.suite.instantiate("AnswerNumber", 0).graph.nodes[0]
        course = session._course
        assert course is not None
        before = judge(course.case)
        assert world.score() == 1.0 and before.progress == 0.0 and "did not say" in before.reason
        session.act(Done("infeasible"))
        assert session.score().success, "their rule counts either status as done"


def test_a_part_of_a_score_is_no_success() -> None:
    assert not play("HalfDone", Done("success")).success


def test_what_a_judge_prints_is_no_answer() -> None:
    assert play("JudgePrints", Done("success")).success


@pytest.mark.parametrize(
    ("task", "error", "words"),
    [
        ("JudgeFails", ForeignFailure, "the judge is broken"),
        ("JudgeEnds", ForeignLost, "ended"),
        ("JudgeHangs", ForeignLost, "within 1 s"),
        ("JudgeSaysNan", ForeignFailure, "nan"),
    ],
)
def test_a_judge_that_misbehaves_loses_the_world(
    task: str, error: type[Exception], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "JUDGING", 1.0)
    with pytest.raises(error, match=words):
        play(task, Done("success"))


def test_void_is_said_and_counted_apart_and_the_run_goes_on(tmp_path: Path) -> None:
    settings = {
        "suite": {"name": "androidworld", "data": str(STANDIN), "python": sys.executable, "world": WORLD},
        "planner": "noop",
        "tasks": ["NoSuchApp", "JudgeFails", "AnswerNumber"],
        "limits": {"turns": 2},
        "instances": 4,
    }
    run(spec_of(settings), tmp_path)
    found = {(episode.task, episode.instance): episode for episode in load_run(tmp_path).episodes}
    assert len(found) == 12
    assert all(found["NoSuchApp", number].void for number in range(4))
    assert found["NoSuchApp", 0].detail.startswith("the task cannot be played here: AndroidWorld cannot set it up")
    assert "no.such.app is not installed" in found["NoSuchApp", 0].detail
    assert not found["AnswerNumber", 0].void and not found["AnswerNumber", 0].success


def test_a_task_that_cannot_be_torn_down_does_not_hurt_the_next() -> None:
    with Session(suite()) as session:
        session.open("LeavesBadly", 0)
        session.act(Done("success"))
        assert session.score().success
        session.open("AnswerNumber", 0)
        session.act(Answer("30-AnswerNumber-0"))
        session.act(Done("success"))
        assert session.score().success


def test_a_task_whose_setup_fails_says_so_and_the_next_one_is_played() -> None:
    with Session(suite()) as session:
        with pytest.raises(TaskVoid, match="no.such.app"):
            session.open("NoSuchApp", 0)
        session.open("AnswerNumber", 0)
        session.act(Done("success"))
        assert not session.score().success


def test_mistakes_are_told_with_their_cure(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="git clone"):
        AndroidWorldSuite()
    with pytest.raises(ConfigError, match=r"android_world/suite_utils\.py"):
        AndroidWorldSuite(str(tmp_path))
    with pytest.raises(ConfigError, match="connection"):
        suite(connection="usb")
    with pytest.raises(ConfigError, match="one phone"):
        suite(world={"devices": {key: {"kind": "android", "serial": "emulator-5554"} for key in "ab"}})
    with pytest.raises(ConfigError, match="Unsupported family"):
        suite(family="miniwob_all")
    with pytest.raises(ConfigError, match="cannot be started"):
        suite(python="/no/such/python")
    with (
        pytest.raises(ConfigError, match="reached over adb"),
        Session(suite(world={"devices": {"a": {"kind": "toy"}}})) as one,
    ):
        one.open("AnswerNumber", 0)


@REAL
def test_their_116_tasks_are_listed() -> None:
    made = AndroidWorldSuite(CHECKOUT, python=PYTHON)
    steps = [made.instantiate(info.id, 0).limits for info in made.tasks()]
    assert len(steps) == 116 and sum(one.turns for one in steps if one) == 2349
    assert [info.id for info in made.tasks() if not info.seeded] == ["MarkorCreateFolder"]


@REAL
@pytest.mark.exhibit("sim")
def test_their_own_judge_tells_right_from_wrong_on_a_phone_over_adb() -> None:
    phone = {"devices": {"phone": {"kind": "phone-over-adb"}}}
    made = AndroidWorldSuite(CHECKOUT, python=PYTHON, connection="adb", freeze=False, world=phone)
    with Session(made) as session:
        for task, wanted in (("SystemBluetoothTurnOn", True), ("SystemWifiTurnOff", False)):
            session.open(task, 0)
            session.act(OpenApp("Settings"))
            session.act({"kind": "click", "at": "Bluetooth"})
            session.act(Done("success"))
            assert session.score().success is wanted
