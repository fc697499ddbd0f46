"""SIGTERM ends a run as Ctrl-C does, wherever it is played, and a silent world costs its episode alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from going_run import until
from toy_suite import FOLDER, ToySuite, alive, held, toy_spec, workers

from omnipilot.agents import Limits
from omnipilot.bench.cli.commands.interrupts import serve_until_told, sigterm_as_interrupt
from omnipilot.bench.journal import load_run, read
from omnipilot.bench.journal.episode_start import started_event
from omnipilot.bench.journal.events import Interrupted, TurnTaken
from omnipilot.bench.journal.journal import Journal, encode
from omnipilot.bench.journal.results import Slot
from omnipilot.bench.journal.tally import Tally
from omnipilot.bench.journal.void_reasons import SILENT
from omnipilot.bench.run import run
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.executors import worker as worker_main
from omnipilot.bench.run.executors.coordinator import Dispatch
from omnipilot.bench.run.executors.permits import PermitDesk
from omnipilot.bench.run.executors.worker_process import WorkerProcess
from omnipilot.bench.run.interrupts import ending_signals
from omnipilot.bench.settings import SILENCE, RunSettings
from omnipilot.envs import ConfigError
from omnipilot.memory.models.broker.broker import Broker
from omnipilot.memory.models.broker.limits import EndpointLimits, LimitTable
from omnipilot.memory.models.broker.permits import RequestOutcome


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["0", "1"])
def test_a_command_that_is_told_to_end_says_how_it_goes_on(tmp_path: Path, jobs: str) -> None:
    out = tmp_path / "run"
    words = ["run", "--suite", "toy_suite:ToySuite", "--planner", "oracle", "--tasks", "count", "--instances", "3"]
    path = os.pathsep.join(filter(None, sys.path))
    hold = held(tmp_path, "count")
    process = subprocess.Popen(
        [sys.executable, "-m", "omnipilot.bench.cli.app", *words, "--jobs", jobs, "--out", str(out)],
        env={**os.environ, "PYTHONPATH": path, FOLDER: str(tmp_path)},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        until(lambda: (out / "journal.jsonl").exists() and any(isinstance(e, TurnTaken) for e in read(out)))
        process.send_signal(signal.SIGTERM)
        if jobs == "0":
            hold.unlink()
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130 and "run the same command again to resume" in said
    last = list(read(out))[-1]
    assert isinstance(last, Interrupted) and last.running == ["count#0.0"]
    assert not any(map(alive, workers(tmp_path)))


def test_the_end_of_the_terminal_counts_unless_it_is_ignored() -> None:
    # As under `nohup`, tests may have been started with it ignored.
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        assert set(ending_signals()) == {signal.SIGTERM, signal.SIGHUP}
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        assert ending_signals() == [signal.SIGTERM]
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_signal_interrupts_a_command_and_afterwards_all_is_as_before() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), sigterm_as_interrupt():
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(10)
    assert signal.getsignal(signal.SIGTERM) is before


def test_no_signal_is_touched_outside_the_main_thread() -> None:
    found: list[Any] = []

    def look() -> None:
        with sigterm_as_interrupt():
            found.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [signal.getsignal(signal.SIGTERM)]


@pytest.mark.slow
def test_an_episode_from_which_nothing_comes_is_void_and_the_others_are_played(tmp_path: Path) -> None:
    """The world of the first sleeps for a minute, and cannot be closed."""
    result = run(toy_spec("stuck", "count", instances=2), tmp_path / "run", RunExecution(1, silence=3.0))
    assert {one.key: one.void for one in result.episodes} == {
        **{"count#0.0": False, "count#1.0": False},
        **{"stuck#0.0": True, "stuck#1.0": True},
    }
    assert result.left == 0 and {one.detail for one in load_run(tmp_path / "run").episodes if one.void} == {
        f"{SILENT}: no event for 3 s, so its world or a model hung; --silence sets how long is waited"
    }


def a_worker(**values: Any) -> WorkerProcess:
    """A worker without a process."""
    worker = WorkerProcess.__new__(WorkerProcess)
    made = {
        "ready": True,
        "here": True,
        "slot": Slot("count", 0, 0),
        "handed": 90.0,
        "heard": 100.0,
        "silent": False,
        "cancelled": None,
        "over": False,
        "_process": SimpleNamespace(cut_off=False),
    }
    for name, value in {**made, **values}.items():
        setattr(worker, name, value)
    return worker


def test_only_a_worker_with_an_episode_is_silent() -> None:
    assert not a_worker().is_silent(109.0, 10.0) and a_worker().is_silent(111.0, 10.0)
    assert a_worker(over=True).is_silent(111.0, 10.0), "an episode that cannot be left hangs, too"
    assert not a_worker(ready=False).is_silent(111.0, 10.0), "models may take any time to be loaded"
    assert not a_worker(slot=None).is_silent(111.0, 10.0) and not a_worker(silent=True).is_silent(111.0, 10.0)


def test_a_silent_worker_is_told_to_end_and_killed_if_it_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(WorkerProcess, "stop", lambda _: done.append("stop"))
    monkeypatch.setattr(WorkerProcess, "kill", lambda _: done.append("kill"))
    worker = a_worker(heard=time.monotonic() - 11.0)
    state: Any = SimpleNamespace(workers={worker}, _silence=0, permits=PermitDesk(Broker()))
    Dispatch._replace_hung(state)
    assert done == [], "0 waits for any time"
    state._silence = 10.0
    Dispatch._replace_hung(state)
    Dispatch._replace_hung(state)
    assert done == ["stop"]
    worker.deadline = time.monotonic() - 1.0
    Dispatch._replace_hung(state)
    assert done == ["stop", "kill"]


def test_a_worker_that_waits_for_a_permit_is_not_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(WorkerProcess, "stop", lambda _: done.append("stop"))
    monkeypatch.setattr(WorkerProcess, "_order", lambda _, order: done.append(order["do"]))
    first, second = a_worker(), a_worker()
    desk = PermitDesk(Broker(LimitTable((("", EndpointLimits(in_flight=1)),))))
    state: Any = SimpleNamespace(workers={first, second}, _silence=10.0, permits=desk)
    ask = {"worker": "asks", "permit": 1, "endpoint": {"base": "http://here/v1", "provider": "x"}, "tokens": 0}
    for worker in (first, second):
        assert desk.hear(worker, ask)
    desk.grant()
    first.heard = second.heard = time.monotonic() - 11.0
    assert not desk.waits(first) and desk.waits(second) and done == ["permit"]
    Dispatch._replace_hung(state)
    assert first.silent and not second.silent, "only the one that could go on"
    desk.forget(first)
    desk.grant()
    Dispatch._replace_hung(state)
    assert not desk.waits(second) and not second.silent, "its time begins with its permit"
    second.heard -= 11.0
    Dispatch._replace_hung(state)
    assert second.silent and done == ["permit", "stop", "permit", "stop"]


def test_a_permit_that_is_no_longer_wanted_is_not_waited_for() -> None:
    worker, desk = a_worker(), PermitDesk(Broker())
    desk.hear(worker, {"worker": "asks", "permit": 7, "endpoint": {"base": "b", "provider": "x"}, "tokens": 0})
    assert desk.waits(worker)
    desk.hear(worker, {"worker": "returns", "permit": 7, "outcome": {}})
    assert not desk.waits(worker)


def test_a_worker_that_is_stopped_does_not_wait_for_a_parent_that_reads_nothing() -> None:
    reader, writer = os.pipe()
    stop = threading.Event()
    outbox = worker_main._Outbox(writer)
    permits = worker_main._Permits(outbox, stop)
    blocked = threading.Thread(target=outbox.line, args=(b"x" * (1 << 20) + b"\n",), daemon=True)
    blocked.start()
    while not outbox._one.locked():
        time.sleep(0.01)
    stop.set()
    stopped = threading.Thread(target=permits.give_back, args=(1, RequestOutcome()), daemon=True)
    stopped.start()
    stopped.join(10.0)
    assert blocked.is_alive() and not stopped.is_alive()
    left = (1 << 20) + 1
    while left:
        left -= len(os.read(reader, left))
    blocked.join(10.0)
    os.close(reader)
    os.close(writer)


@pytest.mark.parametrize("interrupted", [False, True])
def test_an_episode_whose_device_or_worker_is_told_to_end_with_the_run_is_not_void(
    tmp_path: Path, interrupted: bool
) -> None:
    start = started_event(ToySuite().instantiate("count", 0), Slot("count", 0, 0), 1, "Count.", Limits())
    void = Tally(start).ended("void", detail="device lost: it was told to end")
    with Journal.open(tmp_path) as journal:
        state = Dispatch(toy_spec("count"), ToySuite(), journal, {}, RunExecution(1), [], [])
        state.signals = int(interrupted)
        worker = a_worker(tally=Tally(start), attempt=1, began=0.0, raising={})
        state._event(worker, void, encode(void))
    assert [event.event for event in read(tmp_path)] == ([] if interrupted else ["episode_ended"])
    assert worker.over is not interrupted and state.void == int(not interrupted)


@pytest.mark.parametrize("interrupted", [False, True])
def test_a_worker_that_ends_with_the_run_leaves_its_episode_to_be_played_again(
    tmp_path: Path, interrupted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WorkerProcess, "ended", lambda *_: True)
    monkeypatch.setattr(WorkerProcess, "bury", lambda _: 0)
    with Journal.open(tmp_path) as journal:
        state = Dispatch(toy_spec("count"), ToySuite(), journal, {}, RunExecution(1), [], [])
        state.signals, state.selector = int(interrupted), cast(Any, SimpleNamespace(unregister=lambda _: None))
        worker = a_worker(tally=None, attempt=1, began=0.0, raising={}, events=0)
        state.workers.add(worker)
        state._died(worker)
    expected = [] if interrupted else ["episode_started", "episode_ended"]
    assert [event.event for event in read(tmp_path)] == expected


@pytest.mark.parametrize(("begun", "over", "todo"), [(True, False, [2]), (False, False, [1]), (True, True, [])])
def test_a_worker_that_dies_with_what_it_was_forked_from_has_no_void_episode(
    tmp_path: Path, begun: bool, over: bool, todo: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WorkerProcess, "ended", lambda *_: True)
    monkeypatch.setattr(WorkerProcess, "bury", lambda _: None)
    start = started_event(ToySuite().instantiate("count", 0), Slot("count", 0, 0), 1, "Count.", Limits())
    with Journal.open(tmp_path) as journal:
        state = Dispatch(toy_spec("count"), ToySuite(), journal, {}, RunExecution(1), [], [])
        state.selector = cast(Any, SimpleNamespace(unregister=lambda _: None))
        made = {"tally": Tally(start) if begun else None, "attempt": 1, "began": 0.0, "raising": {}, "events": 0}
        worker = a_worker(**made, over=over, _process=SimpleNamespace(cut_off=True))
        state.workers.add(worker)
        state._died(worker)
    assert [attempt for _, attempt in state.todo] == todo and not list(read(tmp_path))
    assert not state.workers and state.deaths == state.void == state.voids.count == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_is_waited_for_to_the_end_of_a_look(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    looks: list[float] = []

    def look(seconds: float) -> bool:
        os.kill(os.getpid(), number)
        time.sleep(0.01)
        looks.append(seconds)
        return False

    with sigterm_as_interrupt():
        assert serve_until_told("it answers", look)
    assert len(looks) == 1 and capsys.readouterr() == ("it answers\n", "ending the server\n")
    assert not serve_until_told("it answers", lambda _: True)


def test_how_long_is_waited_is_a_setting() -> None:
    assert RunSettings().longest_silence == SILENCE and RunSettings(silence=0).longest_silence == 0
    for wrong in (-1.0, float("inf"), float("nan")):
        with pytest.raises(ConfigError, match="silence must be 0"):
            RunSettings(silence=wrong)
