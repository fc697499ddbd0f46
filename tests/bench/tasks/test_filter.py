"""Tasks chosen by what is known of them."""

from __future__ import annotations

import pytest

from omnipilot.bench import TaskInfo
from omnipilot.bench.tasks import select
from omnipilot.bench.tasks.filter import facets
from omnipilot.envs import ConfigError

TASKS = [
    TaskInfo("a", "", ("phone",), {"level": "AV-critical", "app": "clock"}),
    TaskInfo("b", "", ("phone", "desktop"), {"level": "AV-present", "app": "mail+clock", "capability": ""}),
    TaskInfo("c", "", ("desktop",), {"level": "AV-present", "app": "mail", "extra": "yes"}),
]


def ids(*conditions: str) -> str:
    return "".join(info.id for info in select(TASKS, conditions))


def test_all_conditions_must_be_met() -> None:
    assert ids() == "abc"
    assert ids("level=AV-present") == "bc"
    assert ids("level=AV-present", "env=phone") == "b"
    assert ids("level=AV-critical", "env=desktop") == ""


def test_one_of_several_values_is_enough() -> None:
    assert ids("app=clock") == "ab"
    assert ids("app=clock,mail") == "abc"
    assert ids("extra=yes") == "c"


def test_an_empty_tag_is_none() -> None:
    assert "capability" not in facets(TASKS[1]) and facets(TASKS[1])["app"] == ("mail", "clock")


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("levl=AV-critical", "no property of a task 'levl'; did you mean level"),
        ("level=AV-critcal", "no level 'AV-critcal'; did you mean AV-critical"),
        ("app=mail,clok", "no app 'clok'; did you mean clock"),
        ("level", "KEY=VALUE"),
        ("level=", "KEY=VALUE"),
        ("=x", "KEY=VALUE"),
    ],
)
def test_a_mistake_is_told_with_the_nearest(condition: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        select(TASKS, [condition])
