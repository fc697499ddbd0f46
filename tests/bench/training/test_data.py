"""The loader of training data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.training.data import as_messages, read_samples, select_tasks, tasks_of, write_samples
from omnipilot.envs import ConfigError

GOOD = {"prompt": "task <r1> a", "reply": "next", "task": "send-message", "instance": 100, "template": "send-text"}


def write(folder: Path, **changed: object) -> Path:
    path = folder / "00100.jsonl"
    path.write_text(json.dumps({**GOOD, **changed}) + "\n")
    return path


def test_samples_are_read_as_conversations(tmp_path: Path) -> None:
    (sample,) = read_samples([write(tmp_path)])
    told = as_messages(sample)
    assert [one["role"] for one in told["messages"]] == ["user", "assistant"] and told["task"] == "send-message"


def test_what_must_not_be_trained_on_is_refused(tmp_path: Path) -> None:
    test = next(info.id for info in Duet("test").tasks())
    for changed, why in (({"instance": 99}, "kept for measuring"), ({"task": test}, "test split")):
        with pytest.raises(ConfigError, match=why):
            read_samples([write(tmp_path, **changed)])
    with pytest.raises(ConfigError, match="kept for measuring"):
        write_samples(tmp_path / "more", [99], lambda *_: None)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"instance": 99}, "kept for measuring"),
        ({"task": "price-seen-10"}, "test split"),
        ({"suite": "duet-memori"}, "duet-memory"),
    ],
)
def test_of_duet_memory_too_what_must_not_be_trained_on_is_refused(
    tmp_path: Path, changed: dict[str, object], why: str
) -> None:
    good = {"task": "changed-code-10", "suite": "duet-memory"}
    assert read_samples([write(tmp_path, **good)])
    with pytest.raises(ConfigError, match=why):
        read_samples([write(tmp_path, **{**good, **changed})])
    with pytest.raises(ConfigError, match="kept for measuring"):
        write_samples(tmp_path / "more", [99], suite_name="duet-memory")


def test_samples_of_chosen_tasks_alone_are_read(tmp_path: Path) -> None:
    path = write(tmp_path)
    path.write_text(path.read_text() + json.dumps({**GOOD, "task": "sounds-and-network"}) + "\n")
    assert [one.task for one in read_samples([path], select_tasks(["branch=easy"]))] == ["send-message"]
    assert len(read_samples([path])) == len(read_samples([path], select_tasks([]))) == 2


def test_conditions_choose_development_tasks() -> None:
    assert select_tasks(["level=AV-supportive", "devices=phone"]) == {"dismiss-alarm"}
    with pytest.raises(ConfigError, match="no development task has branch=hard and devices=phone and knowledge=easy"):
        select_tasks(["branch=hard", "devices=phone", "knowledge=easy"])
    with pytest.raises(ConfigError, match="easy"):
        select_tasks(["branch=esy"])


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    path = write(tmp_path)
    path.write_text("{}\n")
    with pytest.raises(ConfigError, match=r"jsonl:1 is no Sample"):
        read_samples([path])


def test_no_task_of_the_test_split_is_demonstrated() -> None:
    suite = Duet("all")
    for instance in (102, 100):
        assert {suite.split_of(task) for task in tasks_of(Duet("dev"), instance)} == {"dev"}
    assert len(tasks_of(Duet("dev"), 102)) > len(tasks_of(Duet("dev"), 100))


def test_conditions_choose_tasks_of_the_suites_that_are_trained_on() -> None:
    assert select_tasks(["kind=changed", "distance=10"], ["duet", "duet-memory"]) == {
        "changed-code-10",
        "changed-room-10",
    }


def test_tasks_that_hang_on_motion_are_as_common_as_others_where_it_is_told() -> None:
    suite = Duet("dev")
    rare, common = (set(tasks_of(suite, 101, motion)) for motion in (False, True))
    assert "ball-to-message" in common - rare and "send-message" in rare and rare < common
    assert "melody-to-playlist-and-mail" not in common
    assert set(tasks_of(suite, 102)) == set(tasks_of(suite, 102, True)) > common
