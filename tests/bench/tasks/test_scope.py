"""How many applications and devices a task needs, from its tags and its judges."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from omnipilot.bench import TaskInfo
from omnipilot.bench.registry import load_suite
from omnipilot.bench.run.config import suite_of
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.suites.crab.suite import tags_of
from omnipilot.bench.tasks import select
from omnipilot.bench.tasks.scope import app_count, device_count
from omnipilot.envs import ConfigError


@pytest.mark.parametrize(
    ("tags", "count"),
    [
        ({}, "unknown"),
        ({"app": ""}, "unknown"),
        ({"app": "mail"}, "one"),
        ({"app": "mail+clock"}, "several"),
        ({"app": "mail+mail"}, "one"),
        ({"app": "mail", "apps": "unknown"}, "unknown"),
        ({"apps": "several"}, "several"),
    ],
)
def test_applications(tags: dict[str, str], count: str) -> None:
    assert app_count(tags) == count


@pytest.mark.parametrize(
    ("tags", "envs", "count"),
    [
        ({}, (), "unknown"),
        ({}, ("phone",), "one"),
        ({}, ("phone", "desktop"), "several"),
        ({"devices": "both"}, ("phone",), "several"),
        ({"devices": "phone"}, ("phone",), "one"),
        ({"devices": "desktop+phone"}, ("phone",), "several"),
        ({"devices": "desktop"}, (), "one"),
        ({"devices": "one"}, (), "one"),
    ],
)
def test_devices(tags: dict[str, str], envs: tuple[str, ...], count: str) -> None:
    assert device_count(tags, envs) == count


def test_tasks_of_any_suite_are_chosen_by_it() -> None:
    duet = load_suite(suite_of(RunSettings(suite="duet"))).tasks()
    one, several = select(duet, ["apps=one"]), select(duet, ["apps=several"])
    assert len(one) + len(several) == len(duet) and one and several
    assert all("+" not in info.tags["app"] for info in one)
    assert select(duet, ["devices=several"]) == select(duet, ["devices=both"]) == [i for i in duet if len(i.envs) == 2]
    plain = [TaskInfo("a", "", ("phone",)), TaskInfo("b", "", ("phone",), {"app": "x+y"})]
    assert [info.id for info in select(plain, ["apps=unknown"])] == ["a"]
    with pytest.raises(ConfigError, match="no devices 'several'"):
        select(plain, ["devices=several"])


def test_a_crab_task_of_which_not_all_applications_are_known_says_so() -> None:
    def tags(*apps: str) -> dict[str, str]:
        found: Any = SimpleNamespace(
            subtasks=[SimpleNamespace(app=app) for app in apps], envs=("phone",), graph=SimpleNamespace(nodes=())
        )
        task: Any = SimpleNamespace(folder="", uses=(), templates=(), review=None)
        return tags_of(task, found)

    assert [app_count(tags(*apps)) for apps in (("a", "a"), ("a", ""), ("a", "b", ""), ("", ""))] == [
        "one",
        "unknown",
        "several",
        "unknown",
    ]
