"""The command line of the sandbox shuts off what it says."""

import os
from pathlib import Path

import pytest

from omnipilot.envs.desktop.private import sandbox
from omnipilot.envs.desktop.private.sandbox import account_files, enclose, why_no_bubblewrap


def pairs(line: list[str], option: str) -> list[list[str]]:
    return [line[n + 1 : n + 3] for n, part in enumerate(line) if part == option]


def test_it_has_its_own_namespaces_and_only_what_is_bound_can_be_written():
    line = enclose(60600, False, 5, {Path("/in"): Path("/out")}, {"/etc/passwd": 7}, {"A": "b c"}, ["true"])
    assert {"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net"} <= set(line)
    assert {"--die-with-parent", "--new-session", "--clearenv"} <= set(line)
    assert pairs(line, "--bind") == [["/out", "/in"]]
    assert pairs(line, "--ro-bind-data") == [["7", "/etc/passwd"]]
    assert pairs(line, "--setenv") == [["A", "b c"]]
    assert line[-2:] == ["--", "true"]
    assert "--unshare-net" not in enclose(60600, True, 5, {}, {}, {}, ["true"])


def test_root_hands_over_to_another_user_and_others_stay_themselves(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert enclose(60600, False, 5, {}, {}, {}, [])[:4] == [
        "setpriv",
        "--reuid=60600",
        "--regid=60600",
        "--clear-groups",
    ]
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert enclose(1000, False, 5, {}, {}, {}, [])[0] == "bwrap"


def test_the_user_has_an_entry():
    assert b"user:x:4711:4711:" in account_files(4711)["/etc/passwd"]


def test_why_there_is_no_bubblewrap_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    why_no_bubblewrap.cache_clear()
    whole = os.environ["PATH"]
    monkeypatch.setenv("PATH", str(tmp_path))
    try:
        assert "apt install bubblewrap" in why_no_bubblewrap()
        why_no_bubblewrap.cache_clear()
        broken = tmp_path / "bwrap"
        broken.symlink_to("/bin/false")
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{whole}")
        assert why_no_bubblewrap().startswith("bwrap does not work: ")
    finally:
        why_no_bubblewrap.cache_clear()
    assert Path("/home/user") == sandbox.HOME
