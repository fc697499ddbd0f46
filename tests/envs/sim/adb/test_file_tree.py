"""The phone's files: paths, limits, and where may be written."""

from __future__ import annotations

import pytest

from omnipilot.envs.sim.adb.file_tree import FileError, FileTree


@pytest.mark.parametrize(
    ("path", "whole"),
    [
        ("/sdcard/../sdcard/./a", "/sdcard/a"),
        ("/storage/emulated/0/a", "/sdcard/a"),
        ("../../../etc/passwd", "/etc/passwd"),
        ("//sdcard//a", "/sdcard/a"),
        ("a/b", "/data/a/b"),
    ],
)
def test_paths_have_one_form(path: str, whole: str) -> None:
    assert FileTree.resolve(path, "/data") == whole


@pytest.mark.parametrize("path", ["/a", "/system/a", "/data/a", "/sdcard/none/a", "/sdcard", "/sdcard/" + "x" * 2000])
def test_elsewhere_nothing_is_written(path: str) -> None:
    with pytest.raises(FileError):
        FileTree().write(path, b"a", 1)


def test_space_and_numbers_are_limited() -> None:
    files = FileTree(most_bytes=100)
    files.write("/sdcard/a", bytes(60), 1)
    with pytest.raises(FileError, match="No space"):
        files.write("/sdcard/b", bytes(60), 1)
    files.write("/sdcard/a", bytes(100), 1)
    files.remove("/sdcard/a")
    files.write("/sdcard/b", bytes(100), 1)
    few = FileTree(most_files=len(FileTree()._files) + 1)
    few.write("/sdcard/a", b"", 1)
    with pytest.raises(FileError, match="No space"):
        few.write("/sdcard/b", b"", 1)
    with pytest.raises(FileError, match="No space"):
        few.make_folder("/sdcard/c", 1)


def test_a_tree_is_removed_as_a_whole() -> None:
    files = FileTree()
    files.make_folder("/sdcard/x/y", 1, parents=True)
    files.write("/sdcard/x/y/a", b"abc", 1)
    with pytest.raises(FileError, match="Is a directory"):
        files.remove("/sdcard/x")
    files.remove("/sdcard/x", tree=True)
    assert files.walk("/sdcard/x") == []
