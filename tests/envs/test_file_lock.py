"""Locks of files, and the harness on a system without `fcntl`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from shared_folders import ROOT

from omnipilot.bench.journal.load_runs import load_run
from omnipilot.envs.file_lock import lock_file

LIKE_WINDOWS = ROOT / "tests/fixtures/like_windows.py"


def like_windows(*arguments: str, code: str = "") -> subprocess.CompletedProcess[str]:
    """What the command line says without what Windows lacks; `code` runs in place of it."""
    script = [str(LIKE_WINDOWS), *arguments]
    if code:
        setup = f"import sys; sys.path.insert(0, {str(LIKE_WINDOWS.parent)!r}); import like_windows as w; "
        script = ["-c", f"{setup}sys.modules['msvcrt'] = w._locks(); sys.meta_path.insert(0, w._Missing()); {code}"]
    return subprocess.run([sys.executable, *script], capture_output=True, text=True, timeout=200, check=False)


def test_a_file_is_locked_until_it_is_closed(tmp_path: Path) -> None:
    one, other = (os.open(tmp_path / "x", os.O_RDWR | os.O_CREAT) for _ in range(2))
    assert lock_file(one) and not lock_file(other)
    os.close(one)
    assert lock_file(other)
    os.close(other)


def test_any_number_may_share_a_lock_that_nobody_has_alone(tmp_path: Path) -> None:
    one, two, alone = (os.open(tmp_path / "x", os.O_RDWR | os.O_CREAT) for _ in range(3))
    assert lock_file(one, shared=True) and lock_file(two, shared=True) and not lock_file(alone)
    os.close(one)
    os.close(two)
    assert lock_file(alone)
    os.close(alone)


def test_the_calls_of_windows_lock_in_the_same_way(tmp_path: Path) -> None:
    told = like_windows(
        code="import os; sys.modules.pop('fcntl', None); from omnipilot.envs.file_lock import lock_file as lock; "
        f"a, b = (os.open({str(tmp_path / 'x')!r}, os.O_RDWR | os.O_CREAT) for _ in range(2)); "
        "os.write(a, b'me'); print(lock(a), lock(b), os.read(b, 9), os.lseek(a, 0, 1)); os.close(a); print(lock(b))"
    )
    assert told.stdout.split() == ["True", "False", "b'me'", "2", "True"], told.stderr


@pytest.mark.parametrize("command", ["--help", "run --help", "list planners", "list suites", "doctor"])
def test_commands_start_without_fcntl(command: str) -> None:
    told = like_windows(*command.split())
    assert told.returncode in (0, 1) and "Traceback" not in told.stderr and len(told.stdout) > 200, told.stderr


def test_a_run_is_played_and_its_folder_locked_without_fcntl(tmp_path: Path) -> None:
    flags = "--suite toy --planner noop --jobs 0".split()
    told = like_windows("run", *flags, "--out", str(tmp_path / "run"))
    assert told.returncode == 0, told.stderr
    assert len(load_run(tmp_path / "run").episodes) == 1
    told = like_windows(
        code="from pathlib import Path; from omnipilot.bench.journal.lock import RunLock; "
        f"one = RunLock(Path({str(tmp_path / 'run')!r})); RunLock(Path({str(tmp_path / 'run')!r}))"
    )
    assert "is being written by process " in told.stderr
