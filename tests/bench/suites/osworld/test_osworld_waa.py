"""`layout=waa`: a made checkout in the form of WindowsAgentArena's, on a stand-in for its Windows machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import omnipilot
from osworld_checkout import NOTEPAD, WAA_TASKS, write_waa_checkout
from osworld_server import WINDOWS, OSWorldServer

from omnipilot.bench.suites.osworld import OSWorldSuite
from omnipilot.bench.suites.osworld.world import OSWorldTaskWorld
from omnipilot.bench.tasks.judges import Case, Verdict
from omnipilot.envs import ConfigError, Done, EnvLost, Thinking


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return write_waa_checkout(tmp_path / "client")


@pytest.fixture
def suite(checkout: Path, tmp_path: Path) -> Iterator[OSWorldSuite]:
    server = OSWorldServer(tmp_path / "machine", "Windows", WINDOWS)
    yield OSWorldSuite(str(checkout), layout="waa", server=server.url.removeprefix("http://"), dirty=True)
    server.close()


@pytest.fixture
def world(suite: OSWorldSuite) -> Iterator[OSWorldTaskWorld]:
    one = suite.world(Thinking())
    yield one
    one.close()


def judged(suite: OSWorldSuite, world: OSWorldTaskWorld, id: str, said: Done) -> Verdict:
    task = suite.instantiate(id, 0)
    task.setup(world)
    world.hear(said)
    return task.graph.nodes[0](Case(world))


def test_its_tasks_are_listed_as_those_of_windows(checkout: Path) -> None:
    tasks = OSWorldSuite(str(checkout), layout="waa").tasks()
    assert sorted(one.id for one in tasks) == sorted(WAA_TASKS)
    assert {one.tags["platform"] for one in tasks} == {"os_windows"}


@pytest.mark.parametrize(
    ("id", "said", "score"),
    [
        (NOTEPAD, Done(), 1.0),  # set up by its own step, which wrote what the judge reads
        ("file_explorer/wrong-WOS", Done(), 0.0),
        ("settings/impossible-WOS", Done("infeasible"), 1.0),
        ("settings/impossible-WOS", Done(), 0.0),
        (NOTEPAD, Done("infeasible"), 0.0),
    ],
)
def test_its_code_sets_up_and_judges(
    suite: OSWorldSuite, world: OSWorldTaskWorld, id: str, said: Done, score: float
) -> None:
    assert world.desktop.system == "windows"
    assert judged(suite, world, id, said).progress == score


@pytest.mark.parametrize("id", ["file_explorer/crash-WOS", "file_explorer/broken-WOS"])
def test_its_failures_are_no_zero(suite: OSWorldSuite, world: OSWorldTaskWorld, id: str) -> None:
    with pytest.raises(EnvLost, match="no such file on the machine|file server"):
        judged(suite, world, id, Done())


def test_a_port_that_its_controllers_do_not_know_is_told(suite: OSWorldSuite, checkout: Path) -> None:
    assert any("5000" in line for line in suite.lacking([NOTEPAD]))
    on_its_port = OSWorldSuite(str(checkout), layout="waa", server="127.0.0.1", reset="true")
    assert not on_its_port.lacking([NOTEPAD])


def test_another_checkout_is_told_with_its_cure(tmp_path: Path) -> None:
    (tmp_path / "desktop_env").mkdir()
    with pytest.raises(ConfigError, match="win-arena-container/client"):
        OSWorldSuite(str(tmp_path), layout="waa")


def test_the_command_lists_them(checkout: Path) -> None:
    said = omnipilot("list", "tasks", "--suite", "osworld", "--data", str(checkout), "-o", "suite.layout=waa")
    assert NOTEPAD in said.stdout, said.stderr
