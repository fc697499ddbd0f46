"""`omnipilot run` with more tasks, instances or trials in the same directory goes on with what is there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from command_line import omnipilot
from toy_suite import table

from omnipilot.bench import load_run
from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import EpisodeEnded, EpisodeStarted, RunStarted
from omnipilot.bench.journal.journal import FILE


def play(out: Path, tasks: str, *more: str) -> subprocess.CompletedProcess[str]:
    """What a user types."""
    return omnipilot(*command(out, tasks, *more))


def command(out: Path, tasks: str, *more: str) -> tuple[str, ...]:
    part = ("--suite", "toy_suite:ToySuite", "-o", "suite.delay=0.002", "--planner", "oracle")
    return ("run", *part, "--tasks", tasks, "--out", str(out), *more)


def attempts(out: Path) -> dict[str, int]:
    """How often each episode was begun."""
    return dict(Counter(event.key for event in read(out) if isinstance(event, EpisodeStarted)))


def starts(out: Path) -> list[RunStarted]:
    return [event for event in read(out) if isinstance(event, RunStarted)]


def test_more_instances_trials_and_tasks_grow_a_run(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert play(out, "count").returncode == 0
    for tasks, sizes, planned in (
        ("count", ("--instances", "2"), 2),
        ("count", ("--instances", "2", "--trials", "2"), 4),
        ("count,far", ("--instances", "2", "--trials", "2"), 8),
    ):
        dry = play(out, tasks, *sizes, "--dry-run")
        assert dry.returncode == 0 and f"{planned // 2} done, {planned // 2} to run" in dry.stdout, dry.stderr
        done = play(out, tasks, *sizes)
        assert done.returncode == 0 and f"{planned}/{planned} done" in done.stderr, done.stderr
        told = json.loads((out / "spec.json").read_text(encoding="utf-8"))
        # What was asked for is what the specification, its identity and the journal's last start say.
        assert told["identity"] == starts(out)[-1].identity and told["spec"] == starts(out)[-1].spec
    loaded = load_run(out)
    assert loaded.problems == () and loaded.planned == 8 and len(starts(out)) == 4
    assert attempts(out) == dict.fromkeys(attempts(out), 1) and len(attempts(out)) == 8
    play(tmp_path / "whole", "count,far", "--instances", "2", "--trials", "2")
    assert table(loaded.episodes) == table(load_run(tmp_path / "whole").episodes)
    compared = omnipilot("compare", str(out), str(tmp_path / "whole"))
    assert compared.returncode == 0 and "spec.json" not in compared.stdout, compared.stderr


def test_fewer_is_refused_with_what_to_do(tmp_path: Path) -> None:
    out = tmp_path / "run"
    play(out, "count,far", "--instances", "2")
    before = {name: (out / name).read_bytes() for name in ("spec.json", FILE)}
    for tasks, sizes in (("count,far", ()), ("count", ("--instances", "2")), ("count,far", ("--trials", "2"))):
        for more in ((), ("--dry-run",)):
            refused = play(out, tasks, *sizes, *more)
            assert refused.returncode == 2 and "Traceback" not in refused.stderr
            assert "holds the tasks count, far with --instances 2 --trials 1, and less is asked for" in refused.stderr
            assert "ask for all of what it holds, and more if you like, or choose another --out" in refused.stderr
    other = play(out, "count,far", "--instances", "3", "--planner", "noop")
    assert other.returncode == 2 and "other settings" in other.stderr and "agent.planner.name" in other.stderr
    assert before == {name: (out / name).read_bytes() for name in before}


def test_the_size_of_a_grown_run_outlasts_its_specification_file(tmp_path: Path) -> None:
    out = tmp_path / "run"
    play(out, "count")
    play(out, "count", "--instances", "2")
    (out / "spec.json").unlink()
    assert "with --instances 2 --trials 1, and less is asked for" in play(out, "count").stderr
    assert play(out, "count", "--instances", "2").returncode == 0
    assert load_run(out).problems == () and len(starts(out)) == 2


def test_other_words_for_the_same_episodes_are_recorded_too(tmp_path: Path) -> None:
    """All tasks, after each of them by its name: nothing is left to play, and yet something else was asked for."""
    out = tmp_path / "run"
    all_tasks = ("run", "--suite", "toy_suite:SmallToySuite", "--planner", "oracle", "--out", str(out))
    assert omnipilot(*all_tasks, "--tasks", "count,far").returncode == 0
    assert omnipilot(*all_tasks).returncode == 0
    assert load_run(out).problems == () and [len(start.spec["tasks"]) for start in starts(out)] == [2, 0]
    # The other way round nothing is missing either.
    assert omnipilot(*all_tasks, "--tasks", "count,far").returncode == 0
    assert omnipilot(*all_tasks, "--tasks", "count").returncode == 2
    assert attempts(out) == {"count#0.0": 1, "far#0.0": 1}


@pytest.mark.parametrize(
    "moment", ["before the start is written", pytest.param("in the middle", marks=pytest.mark.slow)]
)
def test_a_run_that_is_killed_while_it_grows_goes_on(tmp_path: Path, moment: str) -> None:
    out, whole, sizes = tmp_path / "run", tmp_path / "whole", ("--instances", "12")
    play(out, "count")
    play(whole, "count", *sizes)
    if moment == "in the middle":
        slow = [
            sys.executable,
            "-c",
            "from omnipilot.bench.cli.app import main; main()",
            *command(out, "count", *sizes),
        ]
        process = subprocess.Popen([*slow, "--jobs", "1"], env=surroundings(), stderr=subprocess.PIPE)
        deadline = time.monotonic() + 30
        while ended(out) < 3:
            assert time.monotonic() < deadline and process.poll() is None
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=30)
    else:
        # As it is left by a kill between the two: the file has grown, and the journal has not.
        (out / "spec.json").write_bytes((whole / "spec.json").read_bytes())
        assert "spec.json is not what the run was last started with" in omnipilot("report", str(out)).stdout
    done = play(out, "count", *sizes)
    assert done.returncode == 0 and "12/12 done" in done.stderr, done.stderr
    loaded = load_run(out)
    assert loaded.problems == () and len(loaded.episodes) == 12
    assert table(loaded.episodes) == table(load_run(whole).episodes)


def ended(out: Path) -> int:
    return sum(isinstance(event, EpisodeEnded) for event in read(out))


def surroundings() -> dict[str, str]:
    """The environment of a command whose suite is that of the tests."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
