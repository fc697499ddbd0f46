"""Killed, interrupted, gone on with: the table is that of an undisturbed run, and nobody outlives the parent."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from toy_suite import FOLDER, alive, table, toy_spec, workers

from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import EpisodeEnded, EpisodeStarted, Interrupted, TurnTaken
from omnipilot.bench.journal.journal import FILE
from omnipilot.bench.journal.results import survey
from omnipilot.bench.run import run
from omnipilot.bench.run.execution import RunExecution

TASKS = ("count", "far", "answer", "lost", "guard", "unsolved")
INSTANCES = 3
DELAY = 0.004


def launch(
    folder: Path, out: Path, jobs: int, tasks: tuple[str, ...] = TASKS, delay: float = DELAY
) -> subprocess.Popen[bytes]:
    here = Path(__file__).parents[2] / "fixtures"
    return subprocess.Popen(
        [sys.executable, here / "toy_suite.py", str(out), str(jobs), ",".join(tasks), str(INSTANCES), str(delay)],
        env={**os.environ, FOLDER: str(folder)},
        stderr=subprocess.PIPE,
    )


def until(condition: Callable[[], bool], what: str, seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds} s: {what}"
        time.sleep(0.002)


def size(out: Path) -> int:
    return (out / FILE).stat().st_size if (out / FILE).exists() else 0


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    spec = toy_spec(*TASKS, instances=INSTANCES, delay=DELAY)
    return table(run(spec, tmp_path_factory.mktemp("undisturbed") / "run").episodes)


@pytest.mark.parametrize("jobs", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_killed_at_random_moments(tmp_path: Path, undisturbed: list[dict[str, object]], jobs: int) -> None:
    seed = int(os.environ.get("TOY_SEED", random.randrange(10**6)))
    print(f"TOY_SEED={seed}")
    dice, out = random.Random(seed), tmp_path / "run"
    code, kills = None, 0
    while code is None:
        process = launch(tmp_path, out, jobs)
        grown = size(out) + dice.randrange(1, 25_000)
        if kills < 6:
            until(lambda: size(out) >= grown or process.poll() is not None, "the journal grows")
            time.sleep(dice.random() * 0.01)
            process.kill()
        process.communicate(timeout=60)
        kills += process.returncode == -signal.SIGKILL
        code = None if process.returncode < 0 else process.returncode
        until(lambda: not any(map(alive, workers(tmp_path))), "workers die with their parent", 10)
    assert code == 0 and kills >= 3
    events = list(read(out))
    assert table(survey(events).episodes) == undisturbed
    ended = Counter(event.key for event in events if isinstance(event, EpisodeEnded))
    assert set(ended.values()) == {1}, "nothing complete is repeated"
    told = survey(events)
    assert told.starts >= 2 and told.cut == sum(told.attempts.values()) - len(ended) >= 1
    assert told.unfinished == () and len(told.episodes) == told.planned


@pytest.mark.slow
def test_torn_anywhere_the_run_goes_on_to_the_same_table(tmp_path: Path, undisturbed: list[dict[str, object]]) -> None:
    spec, out = toy_spec(*TASKS, instances=INSTANCES, delay=DELAY), tmp_path / "run"
    run(spec, out)
    whole = (out / FILE).read_bytes()
    seed = int(os.environ.get("TOY_SEED", random.randrange(10**6)))
    print(f"TOY_SEED={seed}")
    for cut in sorted(random.Random(seed).sample(range(len(whole)), 5)):
        (out / FILE).write_bytes(whole[:cut])
        torn = whole[:cut].rpartition(b"\n")[2]
        result = run(spec, out, RunExecution(2))
        assert table(result.episodes) == undisturbed
        assert result.repaired == torn.decode()[:2000]


@pytest.mark.slow
def test_no_process_outlives_the_parent(tmp_path: Path) -> None:
    out = tmp_path / "run"
    process = launch(tmp_path, out, 2, ("stuck",))
    until(lambda: size(out) > 0 and sum(isinstance(e, TurnTaken) for e in read(out)) == 2, "two workers fall asleep")
    # Awake they would die of their broken pipe; asleep they write nothing for a minute.
    time.sleep(0.2)
    assert len(workers(tmp_path)) == 2 and all(map(alive, workers(tmp_path)))
    process.kill()
    process.communicate(timeout=10)
    until(lambda: not any(map(alive, workers(tmp_path))), "workers that are asleep die with their parent", 5)


def test_where_the_kernel_does_not_tell_the_end_of_the_pipe_does(tmp_path: Path) -> None:
    """A worker of a parent that only closed its pipe, as on systems where the kernel kills no orphans."""
    orders_in, orders = os.pipe()
    events, events_out = os.pipe()
    code = (
        "import sys; from omnipilot.bench.run.executors import worker\n"
        "worker.sys = type('S', (), {'platform': 'other', 'stderr': sys.stderr}); worker.main(sys.argv[1:])"
    )
    arguments = [str(orders_in), str(events_out), str(os.getpid())]
    process = subprocess.Popen([sys.executable, "-c", code, *arguments], pass_fds=(orders_in, events_out))
    os.close(orders_in)
    os.close(events_out)
    os.close(orders)
    assert process.wait(10) == 3
    os.close(events)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_leaves_a_run_that_goes_on(
    tmp_path: Path, undisturbed: list[dict[str, object]], number: signal.Signals
) -> None:
    """A SIGTERM goes to all processes of the run, as that of a cluster does."""
    out = tmp_path / "run"
    process = launch(tmp_path, out, 2, delay=0.02)
    until(lambda: size(out) > 0 and any(isinstance(e, EpisodeEnded) for e in read(out)), "an episode ends")
    if number == signal.SIGTERM:
        for worker in filter(alive, workers(tmp_path)):
            os.kill(worker, number)
    process.send_signal(number)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130, said.decode()
    assert not any(map(alive, workers(tmp_path)))
    events = list(read(out))
    last = events[-1]
    begun = {e.key for e in events if isinstance(e, EpisodeStarted)}
    ended = {e.key for e in events if isinstance(e, EpisodeEnded)}
    assert isinstance(last, Interrupted) and last.running == sorted(begun - ended) and len(last.running) <= 2
    spec = toy_spec(*TASKS, instances=INSTANCES, delay=0.02)
    result = run(spec, out)
    assert 0 < result.ran < len(undisturbed) and result.left == 0
    assert table(result.episodes) == undisturbed


@pytest.mark.slow
def test_ctrl_c_does_not_wait_for_what_hangs(tmp_path: Path) -> None:
    out = tmp_path / "run"
    process = launch(tmp_path, out, 1, ("stuck",))
    until(lambda: size(out) > 0 and any(isinstance(e, EpisodeStarted) for e in read(out)), "an episode begins")
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130 and time.monotonic() - began < 5
    assert not any(map(alive, workers(tmp_path)))


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "run"
    first = launch(tmp_path, out, 1, ("stuck",))
    until(lambda: size(out) > 0, "the run begins")
    second = launch(tmp_path, out, 1, ("stuck",))
    _, said = second.communicate(timeout=20)
    assert second.returncode == 1 and f"being written by process {first.pid}" in said.decode()
    first.kill()
    first.communicate(timeout=10)
