"""A foreign process answers, fails, or is lost; it never answers for another request, and leaves nothing behind."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from omnipilot.bench.foreign import ForeignFailure, ForeignLost, ForeignProcess, finite_score
from omnipilot.envs import ConfigError

SCRIPT = r"""
import os, subprocess, sys, time
from serve_lines import serve_lines

def double(number):
    print("foreign code prints what it likes")
    os.write(1, b"also past Python\n")
    return 2 * number

def fail(): raise ValueError("no such task")
def leave(): raise SystemExit(3)
def die():
    sys.stderr.write("out of memory\n"); sys.stderr.flush()
    os._exit(7)
def hang(): time.sleep(60)
def child(): return subprocess.Popen(["sleep", "60"]).pid
def nan(): return float("nan")
def odd(): return object()
def variable(name): return os.environ.get(name)

serve_lines({one.__name__: one for one in (double, fail, leave, die, hang, child, nan, odd, variable)})
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    file = tmp_path / "asked.py"
    file.write_text(SCRIPT)
    return file


@pytest.fixture
def process(script: Path) -> Iterator[ForeignProcess]:
    process = ForeignProcess(sys.executable, script, variables={"GIVEN": "ü", "HOME": None})
    yield process
    process.close()
    assert not is_there(process.pid)


def is_there(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_it_answers_whatever_the_foreign_code_prints(process: ForeignProcess) -> None:
    assert [process.ask("double", 20, number=number) for number in (1, 21)] == [2, 42]
    assert process.ask("variable", 20, name="GIVEN") == "ü" and process.ask("variable", 20, name="HOME") is None


def test_an_error_of_the_foreign_code_is_a_failure_and_the_process_goes_on(process: ForeignProcess) -> None:
    for do, told in {"fail": "ValueError: no such task", "leave": "SystemExit: 3", "odd": "TypeError"}.items():
        with pytest.raises(ForeignFailure, match=f"asked failed at '{do}': {told}") as failure:
            process.ask(do, 20)
        assert "Traceback" in failure.value.trace
    with pytest.raises(ForeignFailure, match="KeyError"):
        process.ask("unknown", 20)
    assert process.alive and process.ask("double", 20, number=4) == 8


def test_a_process_that_dies_is_lost_with_its_last_words(process: ForeignProcess) -> None:
    with pytest.raises(ForeignLost, match=r"it ended while it was asked 'die' \(it ended with 7\)(.|\n)*out of memory"):
        process.ask("die", 20)
    with pytest.raises(ForeignLost, match="out of memory"):
        process.ask("double", 20, number=1)
    assert not process.alive


def test_one_that_hangs_is_killed_with_what_it_started(process: ForeignProcess) -> None:
    child = process.ask("child", 20)
    begun = time.monotonic()
    with pytest.raises(ForeignLost, match=r"no answer to 'hang' within 0\.3 s"):
        process.ask("hang", 0.3)
    assert time.monotonic() - begun < 20 and not is_there(process.pid)
    until = time.monotonic() + 10
    while is_there(child) and time.monotonic() < until:
        time.sleep(0.01)
    assert not is_there(child)


@pytest.mark.parametrize("rubbish", ["hello", "[1]", '{"id": 9, "value": 1}', '{"id": 1}', "[" * 100_000])
def test_rubbish_is_no_answer(tmp_path: Path, rubbish: str) -> None:
    file = tmp_path / "rubbish.py"
    file.write_text(f"import sys\nsys.stdin.readline()\nprint({rubbish!r}, flush=True)\nsys.stdin.readline()")
    process = ForeignProcess(sys.executable, file)
    with pytest.raises(ForeignLost, match="its answer to 'score' is none"):
        process.ask("score", 20)
    process.close()


def test_an_interpreter_that_is_none_is_the_users_to_mend(script: Path) -> None:
    with pytest.raises(ConfigError, match="/nowhere/python cannot be started"):
        ForeignProcess("/nowhere/python", script)


def test_a_score_is_a_finite_number_in_its_range(process: ForeignProcess) -> None:
    assert finite_score(1, "the judge") == 1.0 and finite_score(-1, "the judge", -1.0) == -1.0
    for wrong in (process.ask("nan", 20), math.inf, True, None, "1", [1], 1.01, -0.1):
        with pytest.raises(ForeignFailure, match="the judge answered"):
            finite_score(wrong, "the judge")


def test_its_group_is_its_own(process: ForeignProcess) -> None:
    process.ask("double", 20, number=1)
    assert os.getpgid(process.pid) == process.pid != os.getpgid(0)
