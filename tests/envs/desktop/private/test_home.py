"""No path leads out of a desktop's home, whatever programs put there."""

import contextlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.envs import ConfigError
from omnipilot.envs.desktop.private import HomeFolder
from omnipilot.envs.desktop.private.home import LARGEST

SEEN = Path("/home/user")


@pytest.fixture
def home(tmp_path: Path) -> HomeFolder:
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / "home" / "Documents").mkdir(parents=True)
    (tmp_path / "home" / "Documents" / "a.txt").write_bytes(b"a")
    return HomeFolder(tmp_path / "home", SEEN, os.geteuid())


@pytest.mark.parametrize(
    "path",
    [
        "Documents/a.txt",
        "./Documents/../Documents/a.txt",
        "~/Documents/a.txt",
        "/home/user/Documents/a.txt",
        "//home/user/Documents/a.txt",
    ],
)
def test_a_file_is_read_by_each_of_its_names(home: HomeFolder, path: str):
    assert home.read_file(path) == b"a"
    assert home.read_file(str(home.path / "Documents/a.txt")) == b"a"
    assert home.exists(path)


@pytest.mark.parametrize(
    "path",
    ["../secret", "Documents/../../secret", "/etc/passwd", "/home/user/../../etc/passwd", "a\0b", "/home/username"],
)
def test_a_path_that_leads_out_is_refused(home: HomeFolder, path: str):
    for use in (home.read_file, home.exists, lambda path: home.write_file(path, b"x")):
        with pytest.raises(PermissionError):
            use(path)


@pytest.mark.parametrize("target", ["../secret", "/etc/passwd", "../../../../etc/passwd", "out2"])
def test_a_link_that_leads_out_is_refused(home: HomeFolder, target: str):
    (home.path / "out").symlink_to(target)
    (home.path / "out2").symlink_to("../secret")
    (home.path / "up").symlink_to("..")
    for path in ("out", "up/secret", "up/home/Documents/a.txt"):
        with pytest.raises(PermissionError):
            home.read_file(path)
    with pytest.raises(PermissionError):
        home.write_file("up/made", b"x")
    assert not (home.path.parent / "made").exists()


def test_a_link_within_is_followed_even_with_the_path_that_programs_see(home: HomeFolder):
    (home.path / "in").symlink_to("Documents/a.txt")
    (home.path / "Documents" / "whole").symlink_to("/home/user/Documents/a.txt")
    (home.path / "folder").symlink_to("/home/user/Documents")
    assert home.read_file("in") == home.read_file("Documents/whole") == home.read_file("folder/a.txt") == b"a"


def test_a_loop_a_pipe_a_folder_and_a_huge_file_are_refused(home: HomeFolder):
    (home.path / "loop").symlink_to("loop")
    os.mkfifo(home.path / "pipe")
    with open(home.path / "huge", "wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(PermissionError, match="too many"):
        home.read_file("loop")
    for name in ("pipe", "Documents", "huge", "."):
        with pytest.raises(OSError):
            home.read_file(name)
    with pytest.raises(FileNotFoundError):
        home.read_file("none.txt")
    assert not home.exists("none.txt") and not home.exists("none/a.txt")


def test_what_is_written_replaces_and_never_follows(home: HomeFolder):
    (home.path / "link").symlink_to("/etc/passwd")
    home.write_file("new/deep/file", b"1")
    home.write_file("new/deep/file", b"2")
    assert home.read_file("new/deep/file") == b"2"
    with pytest.raises(PermissionError):
        home.write_file("link", b"x")
    assert home.list_files("new") == ("new/deep/file",)
    assert home.list_files() == ("Documents/a.txt", "link", "new/deep/file")


def test_it_is_emptied_and_filled(home: HomeFolder, tmp_path: Path):
    (home.path / "link").symlink_to("../secret")
    (home.path / "kept").write_bytes(b"")
    (tmp_path / "template" / "sub").mkdir(parents=True)
    (tmp_path / "template" / "sub" / "b").write_bytes(b"b")
    home.empty(kept=("kept",))
    assert home.list_files() == ("kept",)
    home.fill(tmp_path / "template")
    assert home.list_files() == ("kept", "sub/b")
    assert (tmp_path / "secret").exists()
    with pytest.raises(ConfigError, match="not a folder"):
        home.fill(tmp_path / "nothing")


def test_pipes_and_sockets_of_a_template_are_left_out(home: HomeFolder, tmp_path: Path):
    template = tmp_path / "template"
    (template / "sub").mkdir(parents=True)
    (template / "sub" / "a").write_bytes(b"a")
    (template / "sub" / "link").symlink_to("nowhere")
    os.mkfifo(template / "sub" / "pipe")
    home.empty()
    home.fill(template)
    assert home.list_files() == ("sub/a", "sub/link")


@given(st.lists(st.sampled_from(["..", ".", "Documents", "a.txt", "up", "abs", "in", "secret", "home"]), max_size=8))
def test_no_path_reads_what_is_outside(tmp_path_factory: pytest.TempPathFactory, parts: list[str]):
    root = tmp_path_factory.getbasetemp() / "walks"
    if not root.exists():
        (root / "home" / "Documents").mkdir(parents=True)
        (root / "secret").write_bytes(b"secret")
        (root / "home" / "Documents" / "a.txt").write_bytes(b"a")
        (root / "home" / "up").symlink_to("..")
        (root / "home" / "abs").symlink_to(root)
        (root / "home" / "in").symlink_to("Documents")
    home = HomeFolder(root / "home", SEEN, os.geteuid())
    with contextlib.suppress(OSError):
        assert home.read_file("/".join(parts)) == b"a"
