"""`omnipilot status` says how a run stands, from the files of its directory alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import omnipilot
from going_run import going_run, until
from toy_suite import FOLDER, held, toy_spec

from omnipilot.bench.cli.commands.status import status_lines
from omnipilot.bench.journal.journal import FILE
from omnipilot.bench.journal.run_directory import OURS, WORKERS
from omnipilot.bench.live.ongoing import OngoingRun
from omnipilot.bench.live.status import run_status
from omnipilot.bench.run import run
from omnipilot.bench.run.executors.workers_file import PAUSE, FleetState, WorkersFile, WorkerState, read_fleet
from omnipilot.bench.shards.shard import Shard
from omnipilot.envs import ConfigError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where episodes are held."""
    monkeypatch.setenv(FOLDER, str(tmp_path))


def playing(out: Path) -> tuple[WorkerState, ...]:
    """What the workers say that they do."""
    return (read_fleet(out) or FleetState(())).workers


def test_of_a_finished_run(tmp_path: Path) -> None:
    run(toy_spec("count", "far", "lost", trials=2), tmp_path / "run")
    told = run_status(tmp_path / "run")
    counts = {name: told[name] for name in ("planned", "done", "solved", "failed", "void", "left_episodes")}
    assert counts == {"planned": 6, "done": 6, "solved": 2, "failed": 2, "void": 2, "left_episodes": 0}
    assert (told["state"], told["workers"], told["left"], told["shard"]) == ("finished", [], None, "")
    assert status_lines(told)[1] == "  6 of 6 played, 0 left · 2 solved, 2 failed, 2 void"
    assert not (tmp_path / "run" / WORKERS).exists()


@pytest.mark.slow
def test_while_it_goes_on_it_says_what_each_worker_does(tmp_path: Path) -> None:
    held(tmp_path, "count")
    out = tmp_path / "run"
    with going_run(out, "count,guard", jobs=1, delay=0.0):
        until(lambda: any(one.doing == "plays" and one.quiet > 1 for one in playing(out)))
        before = sorted(path.name for path in out.iterdir())
        told = run_status(out)
        said = omnipilot("status", str(out))
        also = omnipilot("status", "--json", str(out))
        assert sorted(path.name for path in out.iterdir()) == before, "nothing is written"
    assert (told["state"], told["planned"], told["done"]) == ("going", 2, 0)
    [worker] = told["workers"]
    assert (worker["key"], worker["doing"], worker["turn"]) == ("count#0.0", "plays", 1)
    assert worker["limits"]["turns"] == 30 and worker["quiet"] > 1 and worker["seconds"] > 1
    line = said.stdout.splitlines()[2]
    assert line.startswith("  count#0.0  turn 1 of 30  for ") and "  quiet " in line
    assert json.loads(also.stdout)["workers"][0]["key"] == "count#0.0"


def test_a_run_that_was_killed_is_stopped(tmp_path: Path) -> None:
    held(tmp_path, "count")
    out = tmp_path / "run"
    with going_run(out, "count,guard", jobs=1, delay=0.0):
        until(lambda: read_fleet(out))
    left = json.loads((out / WORKERS).read_text())
    (out / WORKERS).write_text(json.dumps({**left, "wall": left["wall"] - 60}))
    told = run_status(out)
    assert (told["state"], told["workers"], told["left_episodes"]) == ("stopped", [], 2)


def test_of_shards_it_says_which_and_adds_them_up(tmp_path: Path) -> None:
    spec = toy_spec("count", "guard", "far", trials=2)
    for number in (1, 2):
        run(spec, tmp_path / str(number), shard=Shard(number, 3))
    told = [run_status(tmp_path / name) for name in "12"]
    assert [one["shard"] for one in told] == ["1/3", "2/3"] and {one["state"] for one in told} == {"finished"}
    assert all(0 < one["planned"] == one["done"] < 6 for one in told)
    played = sum(one["done"] for one in told)
    said = omnipilot("status", str(tmp_path / "1"), str(tmp_path / "2"))
    assert said.stdout.splitlines()[-1].startswith(f"all 2: {played} of {played} played, 0 left")


def test_what_is_no_run_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no run in"):
        run_status(tmp_path)
    said = omnipilot("status", str(tmp_path))
    assert said.returncode == 2 and "omnipilot run --out" in said.stderr


def test_money_is_expected_in_proportion_to_the_episodes_that_are_left(tmp_path: Path) -> None:
    run(toy_spec("count", "guard"), tmp_path / "run", shard=Shard(1, 1))
    ongoing = OngoingRun()
    assert ongoing.figures(True, 0.0)["expected"] is None
    told = run_status(tmp_path / "run")
    assert told["paid"] == 0.0 and told["expected"] == 0.0
    line = status_lines({**told, "done": 1, "left_episodes": 1, "paid": 0.5, "expected": 1.0, "left": 90.0})[1]
    assert line.endswith("about 1 min 30 s to go · $0.50 spent, about $1.00 in all")


def test_the_file_of_workers_is_written_at_times_and_goes_with_the_run(tmp_path: Path) -> None:
    state = WorkerState("plays", "count#0.0", 1, 0.5)
    with WorkersFile(tmp_path) as file:
        file.write([state])
        first = (tmp_path / WORKERS).read_bytes()
        file.write([])
        assert (tmp_path / WORKERS).read_bytes() == first and PAUSE >= 0.5
        [read_back] = playing(tmp_path)
        assert (read_back.key, read_back.doing) == (state.key, state.doing) and read_back.quiet >= state.quiet
    assert read_fleet(tmp_path) is None and WORKERS in OURS and f"{WORKERS}.new" in OURS
    for damaged in ("", "[]", '{"wall": 1}', '{"wall": "now", "workers": []}'):
        (tmp_path / WORKERS).write_text(damaged)
        assert read_fleet(tmp_path) is None
    # A disk that does not take it stops nothing.
    WorkersFile(tmp_path / "nowhere" / FILE).write([state])
