"""Content is on the disk before its name, and names before what refers to them."""

import errno
import os
from pathlib import Path

import pytest

from omnipilot.memory.store.durable import make_folder, sync_names, write_atomically


@pytest.fixture
def order(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was synced and renamed, in order."""
    told: list[str] = []
    replace = os.replace

    def replaced(old: Path, new: Path) -> None:
        told.append(f"name {new.name}")
        replace(old, new)

    monkeypatch.setattr(os, "fsync", lambda handle: told.append(Path(os.readlink(f"/proc/self/fd/{handle}")).name))
    monkeypatch.setattr(os, "replace", replaced)
    return told


def test_a_file_is_there_as_a_whole_or_not_at_all(tmp_path: Path, order: list[str]) -> None:
    write_atomically(tmp_path / "spec", b"first")
    write_atomically(tmp_path / "spec", b"second")
    assert (tmp_path / "spec").read_bytes() == b"second" and [path.name for path in tmp_path.iterdir()] == ["spec"]
    assert order == ["spec.new", "name spec", tmp_path.name] * 2


def test_what_cannot_be_synced_does_not_get_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_atomically(tmp_path / "spec", b"first")

    def fail(handle: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="Input/output"):
        write_atomically(tmp_path / "spec", b"second")
    assert (tmp_path / "spec").read_bytes() == b"first"


def test_folders_are_made_from_the_outermost_on(tmp_path: Path, order: list[str]) -> None:
    make_folder(tmp_path / "a" / "b" / "c")
    assert (tmp_path / "a" / "b" / "c").is_dir() and order == [tmp_path.name, "a", "b"]
    make_folder(tmp_path / "a")
    assert len(order) == 3


@pytest.mark.parametrize(("number", "told"), [(errno.EINVAL, False), (errno.ENOTSUP, False), (errno.EIO, True)])
def test_a_file_system_that_syncs_no_folders_is_no_failing_one(
    number: int, told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(handle: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    if told:
        with pytest.raises(OSError):
            sync_names([tmp_path])
    else:
        sync_names([tmp_path])
