"""Temporary folders go with whoever made them, also if that was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from omnipilot.envs.temporary_folders import make_folder, remove_folder

MAKE = """import sys
from omnipilot.envs.temporary_folders import make_folder
print(make_folder("x"), flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_what_a_killed_process_left_is_removed_by_the_next_and_what_lives_stays(place: Path) -> None:
    mine, other = make_folder("x"), make_folder("y")
    (place / "omnipilot-x-file").write_text("no folder")
    maker = subprocess.Popen(
        [sys.executable, "-c", MAKE],
        env={**os.environ, "TMPDIR": str(place)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert maker.stdout is not None and maker.stdin is not None
    theirs = Path(maker.stdout.readline().strip())
    (theirs / "inside").mkdir()
    third = make_folder("x")
    assert theirs.is_dir() and mine.is_dir() and theirs.name.startswith("omnipilot-x-")
    maker.send_signal(signal.SIGKILL)
    maker.communicate()
    assert theirs.is_dir()
    fourth = make_folder("x")
    assert not theirs.exists()
    for folder in (mine, other, third, fourth):
        assert folder.is_dir()
        remove_folder(folder)
        remove_folder(folder)
    assert [one.name for one in place.iterdir()] == ["omnipilot-x-file"]


def test_no_file_stays_open() -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        remove_folder(make_folder("x"))
    assert len(os.listdir("/proc/self/fd")) == before
