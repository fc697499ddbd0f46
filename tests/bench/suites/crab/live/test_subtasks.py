"""CRAB's sub-tasks as a table: whole, and joined from a task file."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from omnipilot.bench.judges import load_judge
from omnipilot.bench.suites.crab import CrabSuite
from omnipilot.bench.suites.crab.live.judges import KINDS, PLATFORMS, make_ask
from omnipilot.bench.suites.crab.live.pool import Replacements, live_pool
from omnipilot.bench.suites.crab.live.subtasks import ANDROID, SUBTASKS, UBUNTU
from omnipilot.bench.synthesis.sampling import Claims
from omnipilot.envs import ConfigError

WORLD = {"devices": {"ubuntu": {"kind": "desktop"}, "android": {"kind": "android", "serial": "emulator-5554"}}}
KEEP, VIM = "eb92a1e6-4c86-4d56-baac-95fc8397732e", "0f589bf9-9b26-4581-8b78-2961b115ab49"
TASK = {
    "description": 'Write "sun" into a note, then into "/home/crab/poem".',
    "tasks": [
        {"task": KEEP, "attribute": {"content": "sun"}, "output": None},
        {"task": VIM, "attribute": {"file_path": "/home/crab/poem", "content": "sun"}, "output": None},
    ],
    "adjlist": "0 1\n1",
    "id": "both",
}


def folder_with(folder: Path) -> str:
    (folder / "both.json").write_text(json.dumps(TASK))
    return str(folder)


def test_there_are_as_many_as_crab_has() -> None:
    # Of the 17 for Android, one is commented out in the released code, and has the application's check alone.
    assert (len(ANDROID), len(UBUNTU), len(SUBTASKS)) == (17, 19, 36)
    assert Counter(len(one.judges) for one in SUBTASKS.values()) == {1: 5, 2: 9, 3: 15, 4: 7}


@pytest.mark.parametrize("one", SUBTASKS.values(), ids=lambda one: one.id)
def test_every_attribute_is_judged_and_every_judge_is_for_the_platform(one) -> None:
    pool = live_pool(WORLD, {})
    given = {name: f"value of {name}" for name in one.attributes}
    piece = pool.subtasks[one.id].make(given, pool.start(), Claims())
    assert len(piece.graph.nodes) == len(one.judges)
    assert len(piece.graph.sinks) == 1
    used = {
        hole for _, parameters in one.judges for text in parameters.values() for hole in re.findall(r"{(\w+)}", text)
    }
    assert used == set(one.attributes)
    for kind, _ in one.judges:
        known = KINDS.get(kind) or (None if kind == "submitted" else load_judge(kind))
        assert known is None or known.platform in ("", PLATFORMS[one.platform])


def test_a_judge_that_there_is_not_is_told_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="check_file_exists"):
        make_ask("file_exist", "ubuntu", {"path": "a"})
    with pytest.raises(ConfigError, match="no argument 'name'"):
        make_ask("check_file_exists", "ubuntu", {"name": "a"})


def test_a_task_file_is_joined_with_the_words_of_ones_own_machines(tmp_path: Path) -> None:
    instead = {"/home/crab": "/home/user", "gnome-terminal-server": "xfce4-terminal"}
    suite = CrabSuite(folder_with(tmp_path), world=WORLD, instead=instead)
    task = suite.instantiate("both", 0)
    assert suite.bad == ()
    assert suite.tasks()[0].description == 'Write "sun" into a note, then into "/home/user/poem".'
    names = [node.name for node in task.graph.nodes]
    assert names[3:5] == ["2 1 front process: xfce4-terminal", "2 2 process runs: vim"]
    assert names[-1] == "2 4 file contains: /home/user/poem, sun"
    assert [node.env for node in task.graph.nodes] == ["android"] * 3 + ["ubuntu"] * 4
    assert task.solution is None


def test_a_task_for_a_device_that_the_world_lacks_is_listed_as_bad(tmp_path: Path) -> None:
    suite = CrabSuite(folder_with(tmp_path), world={"devices": {"ubuntu": {"kind": "desktop"}}})
    assert suite.tasks() == [] and KEEP in str(suite.bad[0])


def test_what_does_not_fit_together_is_refused(tmp_path: Path) -> None:
    data = folder_with(tmp_path)
    with pytest.raises(ConfigError, match="add --world FILE"):
        CrabSuite(data, instead={"a": "b"})
    with pytest.raises(ConfigError, match=r"suite\.rules is for real devices: add --world FILE"):
        CrabSuite(data, rules="release")
    with pytest.raises(ConfigError, match="did you mean release"):
        CrabSuite(data, rules="released", world=WORLD)
    with pytest.raises(ConfigError, match="leave out"):
        CrabSuite(data, world=WORLD, subtasks="embedded")
    with pytest.raises(ConfigError, match=r"\[devices.android\]"):
        CrabSuite(data, world={"devices": {"desktop": {"kind": "desktop"}}})
    with pytest.raises(ConfigError, match="maps words to words"):
        Replacements({"a": 1})  # type: ignore[dict-item]


def test_longer_words_are_replaced_first_and_nothing_twice() -> None:
    assert Replacements({"a": "b", "ab": "a", "b": "c"})("ab a b.") == "a b c."
