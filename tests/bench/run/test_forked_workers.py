"""Workers are forked from one process that has loaded what they share; started by themselves where that is not safe."""

from __future__ import annotations

import os
import select
import signal
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from toy_suite import FOLDER, alive, held, table, toy_spec, workers

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.run import run
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.executors import processes, warm_process
from omnipilot.bench.run.executors.processes import ChildProcess, StartedProcess, WarmProcess
from omnipilot.bench.run.executors.worker_process import WorkerProcess
from omnipilot.bench.run.progress import Standing

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks")


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> list[ChildProcess | None]:
    """What warmed processes were asked to fork."""
    found: list[ChildProcess | None] = []
    fork = WarmProcess.fork

    def noted(source: WarmProcess, handles: tuple[int, int]) -> ChildProcess | None:
        found.append(fork(source, handles))
        return found[-1]

    monkeypatch.setattr(WarmProcess, "fork", noted)
    return found


@pytest.mark.slow
def test_forked_workers_play_what_started_ones_play(tmp_path: Path, forked: list[ChildProcess | None]) -> None:
    spec = toy_spec("count", "guard", "die", instances=2)
    several = run(spec, tmp_path / "several", RunExecution(3))
    assert len(forked) >= 3 and None not in forked
    assert [episode.detail for episode in several.episodes if episode.void] == [
        "worker died (signal 9, which is also what running out of memory looks like)"
    ] * 2
    del forked[:]
    one = run(spec, tmp_path / "one", RunExecution(1))
    assert not forked, "one worker shares with nobody"
    assert table(one.episodes) == table(several.episodes)


@pytest.mark.slow
def test_workers_are_started_by_themselves_where_a_part_has_a_thread(
    tmp_path: Path, forked: list[ChildProcess | None]
) -> None:
    agent = AgentSpec(planner=PartSpec("slow_start:Threaded"))
    result = run(replace(toy_spec("count", trials=2), agent=agent), tmp_path / "run", RunExecution(2))
    assert not forked and [episode.success for episode in result.episodes] == [True, True]


@pytest.mark.parametrize("package", warm_process.NOT_FORKED)
def test_what_keeps_a_process_from_being_forked(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in warm_process.NOT_FORKED:
        monkeypatch.delitem(sys.modules, name, raising=False)
    assert "loaded" not in warm_process.unsafe()
    monkeypatch.setitem(sys.modules, package, ModuleType(package))
    assert warm_process.unsafe() == f"{package} is loaded"


@pytest.mark.slow
def test_a_run_goes_on_when_the_process_that_its_workers_come_from_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    holds = [held(tmp_path, "count", instance) for instance in (0, 1)]
    made: list[WarmProcess] = []
    init = WarmProcess.__init__

    def noted(source: WarmProcess, start: dict[str, object]) -> None:
        init(source, start)
        made.append(source)

    monkeypatch.setattr(WarmProcess, "__init__", noted)

    def kill(standing: Standing) -> None:
        if len(workers(tmp_path)) == 2 and all(hold.exists() for hold in holds):
            made[0]._process.kill()
            for hold in holds:
                hold.unlink()

    result = run(toy_spec("count", instances=6), tmp_path / "run", RunExecution(2, on_progress=kill))
    assert len(result.episodes) == 6 and result.left == 0 and not any(episode.void for episode in result.episodes)
    assert [episode.key for episode in result.episodes if episode.attempt == 2] == ["count#0.0", "count#1.0"]
    assert not holds[0].exists(), "it was killed"
    assert not any(map(alive, workers(tmp_path)))


def test_one_that_never_gets_warm_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    warm = WarmProcess({"spec": toy_spec("count").to_json(), "media": str(tmp_path / "media")})
    assert not warm.ready
    monkeypatch.setattr(processes, "WARMING", 0.0)
    assert warm.ready and not warm.warm
    warm.hear()
    assert not warm.warm
    warm.close()


@pytest.mark.slow
def test_one_that_does_not_answer_is_asked_no_more_and_keeps_its_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = {"spec": toy_spec("count").to_json(), "media": str(tmp_path / "media")}
    warm = WarmProcess(start)
    made: list[WorkerProcess] = []
    try:
        select.select([warm.messages], [], [], 120.0)
        warm.hear()
        made.append(WorkerProcess(start, warm))
        assert made[0].read() == [b'{"worker": "ready"}\n']
        source = warm._process._process  # type: ignore[attr-defined]
        source.send_signal(signal.SIGSTOP)
        monkeypatch.setattr(processes, "ANSWERS", 0.2)
        made.append(WorkerProcess(start, warm))
        assert not warm.warm and isinstance(made[1]._process, StartedProcess)
        source.send_signal(signal.SIGCONT)
        assert made[1].read() == [b'{"worker": "ready"}\n']
        assert not any(worker.ended(0.0) for worker in made), "nobody was killed"
        made[0].kill()
        assert made[0].ended(10.0) and made.pop(0).bury() is None
    finally:
        for worker in made:
            worker.bury()
        warm.close()


@pytest.mark.slow
def test_a_worker_that_dies_with_its_source_is_cut_off_and_no_other(tmp_path: Path) -> None:
    start = {"spec": toy_spec("count").to_json(), "media": str(tmp_path / "media")}
    warm = WarmProcess(start)
    made: list[WorkerProcess] = []
    try:
        select.select([warm.messages], [], [], 120.0)
        warm.hear()
        made += [WorkerProcess(start, warm), WorkerProcess(start, warm)]
        assert made[0].read() == [b'{"worker": "ready"}\n']
        made[0].kill()
        first, second = made.pop(0), made[0]
        assert first.bury() == -signal.SIGKILL and not first.cut_off
        warm._process.kill()
        assert second.ended(10.0) and made.pop().bury() is None and second.cut_off
    finally:
        for worker in made:
            worker.bury()
        warm.close()


@pytest.mark.slow
def test_a_forked_worker_is_killed_and_buried(tmp_path: Path) -> None:
    spec = toy_spec("count")
    start = {"spec": spec.to_json(), "media": str(tmp_path / "media")}
    warm = WarmProcess(start)
    try:
        select.select([warm.messages], [], [], 120.0)
        warm.hear()
        assert warm.warm
        worker = WorkerProcess(start, warm)
        assert worker.read() == [b'{"worker": "ready"}\n'] and not worker.ended(0.0)
        assert os.getpgid(worker._process._process) != os.getpgid(0)  # type: ignore[attr-defined]
        worker.kill()
        assert worker.ended(10.0) and worker.bury() == -signal.SIGKILL
        second = WorkerProcess(start, warm)
        second.quit()
        assert second.ended(10.0) and second.bury() == 0
    finally:
        warm.close()
