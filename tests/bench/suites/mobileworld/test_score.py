"""`score mobileworld`, by hand, and the tasks of a checkout where one is named."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from omnipilot.bench.scoring import Scored
from omnipilot.bench.suites.mobileworld import MobileWorldScore
from omnipilot.bench.suites.mobileworld.score import GUI, MCP, USER, read_groups
from omnipilot.envs import ConfigError

CHECKOUT = os.environ.get("MOBILEWORLD_CHECKOUT", "")
TASKS = """
from mobile_world.tasks import base
from mobile_world.tasks.base import BaseTask

raise SystemExit("tasks are never run")


class AskFirstTask(BaseTask):
    task_tags = {"lang-en", "agent-user-interaction"}


class AskAndCallTask(base.BaseTask):
    task_tags = {"agent-mcp", "agent-user-interaction"}


class CallTask(BaseTask):
    task_tags = {"agent-mcp"}


class TapTask(BaseTask):
    app_names = {"Clock"}


class TapAgainTask(BaseTask):
    task_tags = {"lang-en"}


class Helper:
    task_tags = {"agent-mcp"}
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout" / "src" / "mobile_world" / "tasks" / "definitions" / "clock"
    folder.mkdir(parents=True)
    (folder / "tasks.py").write_text(TASKS)
    (folder / "broken.py").write_text("class (")
    return tmp_path / "checkout"


def record(root: Path, task: str, score: str | None, *actions: str) -> None:
    """A folder as their runner writes it."""
    folder = root / task
    folder.mkdir(parents=True)
    steps = [{"step": at, "action": {"action_type": one}} for at, one in enumerate(actions)]
    (folder / "traj.json").write_text(json.dumps({"0": {"tools": None, "traj": steps}, "token_usage": None}))
    if score is not None:
        (folder / "result.txt").write_text(f"score: {score}\nreason: because")


def figures(scored: Scored) -> dict[str, tuple[float, int, int]]:
    return {one.name: (round((one.value or 0.0) * one.of, 6), one.of, one.void) for one in scored.figures}


def test_groups_and_questions_are_counted_as_in_the_release(tmp_path: Path, checkout: Path) -> None:
    results = tmp_path / "results"
    record(results, "AskFirstTask", "1.0", "click", "ask_user", "ask_user", "finished")
    record(results, "AskAndCallTask", "1.0", "mcp", "mcp", "mcp")
    record(results, "CallTask", "0.5", "ask_user", "mcp")
    record(results, "TapTask", "1.0", "click")
    record(results, "TapAgainTask", None, "click")
    record(results, "TapTask_backup_20261126_100000", "0.0", "click")
    record(results, "SomethingElse", "1.0", "click")
    scored = MobileWorldScore().score(str(checkout), results)
    assert figures(scored) == {
        "SR": (3.0, 5, 1),
        "SR GUI-only": (1.0, 2, 1),
        "SR user interaction": (2.0, 2, 0),
        "SR MCP": (1.0, 2, 0),
        # Half for two questions, nothing for none, and a task that needs none, in which one was asked: 0.5 of 3.
        "UIQ": (0.5, 3, 0),
    }
    assert scored.extra == ("SomethingElse",) and scored.missing == ("TapAgainTask",)
    told = "\n".join(scored.notes)
    assert "user interaction: 1.00 questions a task" in told and "MCP: 2.00 calls of tools a task" in told
    assert scored.tables[0].rows[0] == (GUI, "2", "1", "1")


def test_without_a_checkout_what_was_recorded_is_counted(tmp_path: Path) -> None:
    record(tmp_path, "AskFirstTask", "1.0", "click")
    record(tmp_path, "TapTask", "0.98", "click")
    scored = MobileWorldScore().score("", tmp_path)
    assert figures(scored) == {"SR": (1.0, 2, 0)} and "no checkout given" in "\n".join(scored.notes)


@pytest.mark.parametrize("score", ["nan", "2", "much", "-1"])
def test_a_verdict_that_is_no_score_is_void_and_said(score: str, tmp_path: Path) -> None:
    record(tmp_path, "AskFirstTask", "1.0", "click")
    record(tmp_path, "TapTask", score, "click")
    (tmp_path / "AskFirstTask" / "traj.json").write_text("{")
    scored = MobileWorldScore().score("", tmp_path)
    assert figures(scored) == {"SR": (1.0, 2, 1)}
    told = "\n".join(scored.notes)
    assert "TapTask/result.txt: " in told and "AskFirstTask/traj.json: it cannot be read" in told


def test_what_is_wrong_is_said_with_its_cure(tmp_path: Path, checkout: Path) -> None:
    rules = MobileWorldScore()
    record(tmp_path / "other", "SomethingElse", "1.0", "click")
    for data, folder, said in [
        ("", tmp_path / "none", "has no result. Expected"),
        (str(tmp_path / "other"), tmp_path / "other", "git clone"),
        (str(checkout), tmp_path / "other", "the results are of SomethingElse"),
    ]:
        with pytest.raises(ConfigError, match=said):
            rules.score(data, folder)


@pytest.mark.needs("a checkout of MobileWorld")
def test_the_tasks_of_a_checkout(tmp_path: Path) -> None:
    groups = read_groups(Path(CHECKOUT))
    assert len(groups) == 201
    assert [sum(name in some for some in groups.values()) for name in (USER, MCP)] == [46, 40]
    record(tmp_path, next(iter(groups)), "1.0", "click")
    assert figures(MobileWorldScore().score(CHECKOUT, tmp_path))["SR"] == (1.0, 201, 200)
