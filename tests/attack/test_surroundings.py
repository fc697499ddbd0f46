"""What happens around a run: terminals that close, clocks that jump, processes that sleep, disks that fail."""

import errno
import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import omnipilot
from toy_suite import table, toy_spec

from omnipilot.bench import load_run
from omnipilot.bench.journal.journal import FILE
from omnipilot.bench.run import run

TOY = Path(__file__).parents[1] / "fixtures" / "toy_suite.py"
INSTANCES = 12


def spec(delay: float = 0.02):
    """A run of a dozen short episodes."""
    return toy_spec("count", instances=INSTANCES, delay=delay)


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    """The table of an undisturbed run."""
    return table(run(spec(), tmp_path_factory.mktemp("whole") / "run").episodes)


def start(out: Path, jobs: int = 1, **options: object) -> subprocess.Popen[bytes]:
    """The run as a process of its own."""
    command = [sys.executable, str(TOY), str(out), str(jobs), "count", str(INSTANCES), "0.02"]
    return subprocess.Popen(command, **options)  # type: ignore[call-overload]


def grow(out: Path, size: int) -> None:
    """Wait until the journal has a size."""
    deadline = time.monotonic() + 60
    while not (out / FILE).exists() or (out / FILE).stat().st_size < size:
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.mark.slow
def test_a_terminal_that_is_gone_does_not_stop_a_run(tmp_path: Path):
    line = f"exec {sys.executable} -m omnipilot.bench.cli.app run --suite toy_suite:ToySuite --tasks count"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for number, closed in enumerate(("2>&-", "2>/dev/full", ">&- 2>&-")):
        out = tmp_path / f"run-{number}"
        done = subprocess.run(
            ["bash", "-c", f"{line} --planner oracle --instances 3 --jobs 0 --out {out} {closed}"],
            env=environment, timeout=120, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert len(load_run(out).episodes) == 3, (closed, done.returncode)


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGHUP, signal.SIGTERM])
def test_a_hang_up_loses_nothing_that_ended(sent: signal.Signals, tmp_path: Path, wanted: list[dict[str, object]]):
    out = tmp_path / "run"
    process = start(out)
    grow(out, 12_000)
    process.send_signal(sent)
    process.wait(30)
    ended = load_run(out).episodes
    again = run(spec(), out)
    assert table(again.episodes) == wanted and again.ran <= INSTANCES - len(ended)


@pytest.mark.slow
def test_a_process_that_sleeps_goes_on(tmp_path: Path, wanted: list[dict[str, object]]):
    out = tmp_path / "run"
    process = start(out, 2)
    grow(out, 8_000)
    for _ in range(3):
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.5)
        process.send_signal(signal.SIGCONT)
        time.sleep(0.05)
    assert process.wait(60) == 0
    assert table(load_run(out).episodes) == wanted


def test_a_clock_that_jumps_changes_no_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    plain = table(run(spec(), tmp_path / "plain").episodes)
    true, jumps = time.time, iter(range(10**9))
    monkeypatch.setattr(time, "time", lambda: true() + (-1) ** next(jumps) * 86_400 * 400)
    assert table(run(spec(), tmp_path / "jumping").episodes) == plain
    monkeypatch.undo()
    assert omnipilot("report", str(tmp_path / "jumping")).returncode == 0


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL])
def test_a_file_system_without_locks_is_told(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)
    done = omnipilot("run", "--suite", "toy_suite:ToySuite", "--tasks", "count", "--out", str(tmp_path / "run"))
    assert done.returncode == 2 and "cannot be locked" in done.stderr and "local disk" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("number", [errno.EROFS, errno.EIO, errno.ESTALE, errno.ENOSPC, errno.EDQUOT])
def test_a_disk_that_fails_ends_a_run_in_one_line_and_loses_nothing(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    plain = table(run(spec(), tmp_path / "plain").episodes)
    true, calls = os.write, iter(range(10**9))

    def write(handle: int, data: bytes) -> int:
        if os.readlink(f"/proc/self/fd/{handle}").endswith(FILE) and next(calls) >= 40:
            raise OSError(number, os.strerror(number), str(tmp_path / "run" / FILE))
        return true(handle, data)

    monkeypatch.setattr(os, "write", write)
    asked = ("run", "--suite", "toy_suite:ToySuite", "--tasks", "count", "--instances", str(INSTANCES), "--jobs", "0")
    asked += ("--option", "suite.delay=0.02")
    done = omnipilot(*asked, "--planner", "oracle", "--out", str(tmp_path / "run"))
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr[-900:]
    assert FILE in done.stderr or str(tmp_path / "run") in done.stderr
    monkeypatch.undo()
    ended = len(load_run(tmp_path / "run").episodes)
    again = run(spec(), tmp_path / "run")
    assert 0 < ended < INSTANCES and again.ran == INSTANCES - ended and table(again.episodes) == plain
