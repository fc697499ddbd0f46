"""The suite `osworld` on a made checkout and a stand-in for the server: verdicts, voids, and what is refused."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import omnipilot
from osworld_checkout import TASKS, write_checkout
from osworld_server import OSWorldServer

from omnipilot.bench.suites.osworld import OSWorldSuite
from omnipilot.bench.suites.osworld.judge.web_files import find_file
from omnipilot.bench.suites.osworld.score import OSWorldScore
from omnipilot.bench.suites.osworld.task_files import load_checkout
from omnipilot.bench.suites.osworld.world import MachinePlace, OSWorldTaskWorld
from omnipilot.bench.tasks.graph import GraphEvaluator
from omnipilot.bench.tasks.judges import Case, Verdict
from omnipilot.envs import ConfigError, Done, EnvLost, Thinking


@pytest.fixture
def server(tmp_path: Path) -> Iterator[OSWorldServer]:
    one = OSWorldServer(tmp_path / "machine")
    yield one
    one.close()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return write_checkout(tmp_path / "checkout")


@pytest.fixture
def suite(checkout: Path, server: OSWorldServer) -> OSWorldSuite:
    return OSWorldSuite(str(checkout), server=server.url.removeprefix("http://"), dirty=True)


@pytest.fixture
def world(suite: OSWorldSuite) -> Iterator[OSWorldTaskWorld]:
    one = suite.world(Thinking())
    yield one
    one.close()


def judged(suite: OSWorldSuite, world: OSWorldTaskWorld, name: str, *said: Done) -> Verdict:
    task = suite.instantiate(f"os/{name}", 0)
    assert task.setup(world) == TASKS[name]["instruction"]
    for one in said:
        world.hear(one)
    return task.graph.nodes[0](Case(world))


@pytest.mark.parametrize(("name", "score"), [("right", 1.0), ("wrong", 0.0), ("half", 0.5)])
def test_the_score_of_the_checkout_is_the_progress(
    suite: OSWorldSuite, world: OSWorldTaskWorld, name: str, score: float
) -> None:
    verdict = judged(suite, world, name, Done())
    assert verdict.progress == score
    assert "given: " in verdict.reason


def test_a_score_of_a_half_solves_nothing(suite: OSWorldSuite, world: OSWorldTaskWorld) -> None:
    task = suite.instantiate("os/half", 0)
    task.setup(world)
    evaluator = GraphEvaluator(task.graph)
    changes = evaluator.step(Case(world), ended=True)
    assert [change.verdict.progress for change in changes] == [0.5]
    assert not evaluator.success


@pytest.mark.parametrize("name", ["crash", "leave", "nan", "rubbish", "babble", "large"])
def test_a_judge_that_fails_gives_no_zero(suite: OSWorldSuite, world: OSWorldTaskWorld, name: str) -> None:
    with pytest.raises(EnvLost):
        judged(suite, world, name, Done())
    # The next task is judged by a new process, or by the same one.
    assert judged(suite, world, "right", Done()).reached


def test_a_judge_that_hangs_is_ended(suite: OSWorldSuite, world: OSWorldTaskWorld) -> None:
    world.machine.judge = replace(world.machine.judge, seconds=(60.0, 60.0, 1.0))
    with pytest.raises(EnvLost, match="no answer to 'evaluate' within 1 s"):
        judged(suite, world, "hang", Done())


@pytest.mark.parametrize("name", ["broken", "unlaunched", "silent"])
def test_a_setup_that_failed_is_told(suite: OSWorldSuite, world: OSWorldTaskWorld, name: str) -> None:
    with pytest.raises(EnvLost, match="file server|Failed to launch|did not answer"):
        suite.instantiate(f"os/{name}", 0).setup(world)


@pytest.mark.parametrize(
    ("said", "score"),
    [((), 0.0), ((Done(),), 0.0), ((Done("failure"),), 0.0), ((Done("infeasible"),), 1.0)],
)
def test_an_ending_as_infeasible_is_heard(
    suite: OSWorldSuite, world: OSWorldTaskWorld, said: tuple[Done, ...], score: float
) -> None:
    assert judged(suite, world, "impossible", *said).progress == score


def test_an_ending_as_infeasible_fails_a_task_that_can_be_done(suite: OSWorldSuite, world: OSWorldTaskWorld) -> None:
    assert judged(suite, world, "right", Done("infeasible")).progress == 0.0
    # It is forgotten with the next task.
    assert judged(suite, world, "right", Done()).reached


def test_a_zero_of_a_machine_that_is_gone_is_no_zero(
    suite: OSWorldSuite, world: OSWorldTaskWorld, server: OSWorldServer
) -> None:
    task = suite.instantiate("os/wrong", 0)
    task.setup(world)
    world.desktop._machine.timeout = 1.0
    server.failing = 1000
    with pytest.raises(EnvLost, match="is lost"):
        world.evaluate()


def test_the_judge_reads_the_machine(suite: OSWorldSuite, world: OSWorldTaskWorld) -> None:
    assert judged(suite, world, "reads", Done()).reached


def test_what_cannot_be_had_is_listed_with_its_reason(checkout: Path) -> None:
    suite = OSWorldSuite(str(checkout))
    told = {str(bad.record): bad.reason for bad in suite.bad}  # type: ignore[attr-defined]
    assert set(told) == {"unknown", "drive"}
    assert "no metric compare_dreams" in told["unknown"]
    assert "Google Drive" in told["drive"]
    assert len(suite.tasks()) == len(TASKS) - 2
    with pytest.raises(ConfigError, match="cannot be played here: it needs an account of Google Drive"):
        suite.instantiate("os/drive", 0)


def test_files_of_the_web_are_taken_from_a_folder(checkout: Path, tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    assert "web" in {bad.record for bad in load_checkout(str(checkout), files=str(files)).bad}
    (files / "os").mkdir()
    (files / "os" / "a.txt").write_text("hello")
    found = load_checkout(str(checkout), files=str(files))
    assert "os/web" in found.tasks
    assert find_file(files, "https://hub.example/x/resolve/main/os/a.txt") == files / "os" / "a.txt"
    assert find_file(files, "https://hub.example/x/resolve/main/os/../../secret") is None


def test_the_version_is_that_of_tasks_and_evaluators(checkout: Path) -> None:
    before = OSWorldSuite(str(checkout)).version
    assert OSWorldSuite(str(checkout)).version == before
    metrics = checkout / "desktop_env" / "evaluators" / "metrics" / "all.py"
    metrics.write_text(metrics.read_text() + "\n# another rule\n")
    assert OSWorldSuite(str(checkout)).version != before


def test_a_list_of_the_checkout_is_chosen(checkout: Path) -> None:
    assert not any(bad.record == "drive" for bad in OSWorldSuite(str(checkout), subset="test_nogdrive").bad)
    with pytest.raises(ConfigError, match="test_nogdrive"):
        OSWorldSuite(str(checkout), subset="test_nogdrives")


def test_several_tasks_need_a_way_to_restore_the_machine(checkout: Path, server: OSWorldServer) -> None:
    place = server.url.removeprefix("http://")
    suite = OSWorldSuite(str(checkout), server=place)
    assert not suite.lacking(["os/right"])
    assert any("suite.reset" in line for line in suite.lacking(["os/right", "os/wrong"]))
    world = suite.world(Thinking())
    try:
        suite.instantiate("os/right", 0).setup(world)
        with pytest.raises(ConfigError, match=r"suite\.reset"):
            suite.instantiate("os/wrong", 0).setup(world)
    finally:
        world.close()
    assert not OSWorldSuite(str(checkout), server=place, dirty=True).lacking(["os/right", "os/wrong"])


def test_one_machine_is_not_shared(suite: OSWorldSuite, world: OSWorldTaskWorld) -> None:
    with pytest.raises(ConfigError, match="--jobs 1"):
        suite.world(Thinking())


def test_without_a_machine_tasks_are_listed_and_not_played(checkout: Path) -> None:
    suite = OSWorldSuite(str(checkout))
    assert suite.tasks()
    assert any("suite.server" in line for line in suite.lacking(["os/right"]))
    with pytest.raises(ConfigError, match=r"suite\.server"):
        suite.world(Thinking())


def test_a_place_has_up_to_four_ports() -> None:
    assert MachinePlace.parse("vm").ports == (5000, 9222, 8006, 8080)
    assert MachinePlace.parse("vm:5001:9223").ports == (5001, 9223, 8006, 8080)
    assert MachinePlace.parse("vm:5001").url == "http://vm:5001"
    for wrong in ("", ":5000", "vm:x", "vm:0", "vm:1:2:3:4:5"):
        with pytest.raises(ConfigError, match="HOST"):
            MachinePlace.parse(wrong)


@pytest.mark.parametrize("data", ["", "nowhere"])
def test_no_checkout_is_told_with_its_cure(data: str) -> None:
    with pytest.raises(ConfigError, match="git clone"):
        OSWorldSuite(data)


def test_an_interpreter_that_is_none_is_told(checkout: Path, server: OSWorldServer) -> None:
    suite = OSWorldSuite(str(checkout), server=server.url.removeprefix("http://"), python="/no/such/python")
    world = suite.world(Thinking())
    try:
        with pytest.raises(ConfigError, match="name another interpreter"):
            suite.instantiate("os/right", 0).setup(world)
    finally:
        world.close()


def test_a_run_is_scored_with_its_fractions(checkout: Path, server: OSWorldServer, tmp_path: Path) -> None:
    place, out = server.url.removeprefix("http://"), tmp_path / "run"
    options = ["-o", f"suite.server={place}", "-o", "suite.dirty=true", "--planner", "noop", "--turns", "1"]
    tasks = ["--tasks", "os/half,os/right,os/wrong,os/crash"]
    said = omnipilot("run", "--suite", "osworld", "--data", str(checkout), *options, *tasks, "--out", str(out))
    assert (out / "spec.json").is_file(), said.stderr
    found = OSWorldScore().score("", out)
    assert found.figure("raw of judged").value == pytest.approx(0.5)
    assert found.figure("solved of judged").value == pytest.approx(1 / 3)
    assert any("os/crash" in note for note in found.notes)
    # What the figure hangs on stands under both tables.
    assert any("; at most 1 turns; desktop 640x480; " in note for note in found.notes)
    version = OSWorldSuite(str(checkout)).programs()["OSWorld"]
    assert f"; OSWorld {version}, Python {platform.python_version()}" in said.stdout
    assert "; at most 1 turns; desktop 640x480; of 4 episodes of 4 tasks, 1 void and counted as zero" in said.stdout
