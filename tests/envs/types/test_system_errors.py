"""What the system refuses, in one line with its cure."""

import errno
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from omnipilot.envs import ConfigError
from omnipilot.envs.types import system_errors
from omnipilot.envs.types.system_errors import explain, telling_disk_errors


def error(number: int, *names: str) -> OSError:
    return OSError(number, os.strerror(number), *names)


def told(number: int, path: Path) -> str:
    with pytest.raises(ConfigError) as lost, telling_disk_errors(path):
        raise error(number)
    return str(lost.value)


@pytest.mark.parametrize("number", sorted(system_errors._CURES))
def test_every_error_that_is_known_is_one_line_with_its_cure(number: int) -> None:
    line = explain(error(number, "a/file"))
    assert line.startswith(f"'a/file': {os.strerror(number)}; ") and "\n" not in line
    assert "TRACEBACK" not in line


def test_any_other_says_how_to_see_more() -> None:
    assert explain(error(errno.EXDEV, "a", "")).endswith("OMNIPILOT_TRACEBACK=1 to see where this comes from")
    assert explain(OSError(errno.EXDEV, "no", "a", None, "b")).startswith("'a' and 'b': no; ")
    assert explain(OSError("a library's own words")).startswith("a library's own words; ")


def test_memory_is_told_in_the_words_of_who_wanted_it() -> None:
    assert explain(MemoryError()) == "out of memory; fewer --jobs, or close programs"
    assert explain(MemoryError("40 GiB")).startswith("out of memory (40 GiB); ")


@pytest.mark.parametrize("number", sorted(system_errors._WRITING))
def test_what_stops_a_run_from_being_written_says_that_it_can_go_on(number: int, tmp_path: Path) -> None:
    line = told(number, tmp_path)
    assert str(tmp_path) in line and os.strerror(number) in line
    assert line.endswith("and run the same command again: episodes that have ended are kept")


def test_a_full_disk_says_how_much_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def disk(free: int, files: int, favail: int) -> None:
        state = SimpleNamespace(f_bavail=free, f_frsize=4096, f_files=files, f_favail=favail)
        monkeypatch.setattr(os, "statvfs", lambda path: state)

    disk(3, 100, 7)
    assert "No space left on device, 12 kB are free; make room there" in told(errno.ENOSPC, tmp_path)
    disk(4_000, 100, 0)
    assert "it takes no more files, however small; delete some there" in told(errno.ENOSPC, tmp_path)
    # Some file systems do not count files.
    disk(4_000, 0, 0)
    assert "16384 kB are free" in told(errno.EDQUOT, tmp_path)
    monkeypatch.undo()
    assert "No space left on device; make room" in told(errno.ENOSPC, tmp_path / "gone")


def test_any_other_error_is_nobody_elses(tmp_path: Path) -> None:
    with pytest.raises(PermissionError), telling_disk_errors(tmp_path):
        raise error(errno.EACCES)
