"""Desktops are found by name; what has ended is forgotten, and what somebody else wrote is not believed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from omnipilot.envs import ConfigError, Size
from omnipilot.envs.desktop import DesktopAddress
from omnipilot.envs.desktop.private import Isolation, enter, find_desktop, free_name, read_entry, running_desktops
from omnipilot.envs.desktop.private.register import register_folder

ADDRESS = DesktopAddress(":9", "unix:path=/r/bus", "", "", Path("/h"), Path("/r"), 1000)
ISOLATION = Isolation("bubblewrap", "own", 1000)


@pytest.fixture(autouse=True)
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    return tmp_path


def test_what_is_entered_is_found():
    path = enter("a", ADDRESS, Size(800, 600), ("mousepad",), ISOLATION)
    found = find_desktop("")
    assert found == read_entry("a") == running_desktops()[0]
    assert found.address == ADDRESS and found.size == Size(800, 600) and found.programs == ("mousepad",)
    assert found.pid == os.getpid() and found.runs and found.isolation["kind"] == "bubblewrap"
    assert path.stat().st_mode & 0o077 == 0 or register_folder().stat().st_mode & 0o077 == 0
    with pytest.raises(ConfigError, match="runs already"):
        enter("a", ADDRESS, Size(800, 600), (), ISOLATION)
    assert free_name() == "desktop-1"
    enter("desktop-1", ADDRESS, Size(800, 600), (), ISOLATION)
    assert free_name() == "desktop-2"
    with pytest.raises(ConfigError, match="several desktops run; say which: a, desktop-1"):
        find_desktop("")
    with pytest.raises(ConfigError, match="no desktop 'b' runs"):
        find_desktop("b")


def test_what_has_ended_is_forgotten():
    path = enter("old", ADDRESS, Size(800, 600), (), ISOLATION)
    entry = json.loads(path.read_text())
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    for change in ({"pid": ended.pid}, {"started": entry["started"] - 1}):  # the second: a number used again
        path.write_text(json.dumps({**entry, **change}))
        assert read_entry("old") is None and not path.exists()
    path.write_text("{")
    assert running_desktops() == [] and not path.exists()
    with pytest.raises(ConfigError, match="omnipilot desktop up"):
        find_desktop("")


@pytest.mark.parametrize(
    "said",
    [
        *("", "{", "[]", "null", '"text"', "[" * 5000, '{"address": null}', "\0", "7"),
        *('{"pid": "self"}', '{"pid": -1}', '{"name": "b"}', '{"address": []}', '{"size": 7}', '{"extra": 1}'),
    ],
)
def test_an_entry_that_is_none_is_forgotten_and_nobody_is_signalled(said: str):
    path = enter("a", ADDRESS, Size(800, 600), (), ISOLATION)
    whole = json.loads(path.read_text())
    change = json.loads(said) if said.startswith('{"') else None
    path.write_text(said if change is None else json.dumps({**whole, **change}))
    assert running_desktops() == [] and not path.exists()


def test_an_entry_that_is_no_file_is_told(runtime: Path):
    os.mkfifo(register_folder() / "pipe.json")
    assert running_desktops() == []
    (register_folder() / "folder.json").mkdir()
    (runtime / "real.json").write_text("{}")
    with pytest.raises(ConfigError, match=r"folder\.json cannot be read .*; remove it"):
        running_desktops()
    (register_folder() / "folder.json").rmdir()
    (register_folder() / "link.json").symlink_to(runtime / "real.json")
    with pytest.raises(ConfigError, match=r"link\.json cannot be read"):
        read_entry("link")


@pytest.mark.parametrize("name", ["", "../a", "a/b", ".hidden", "a" * 60, "a b"])
def test_a_name_that_is_none_is_refused(name: str):
    with pytest.raises(ConfigError, match="no name for a desktop"):
        read_entry(name)


def test_a_folder_that_others_can_write_is_refused(runtime: Path):
    (runtime / "omnipilot").mkdir()
    (runtime / "omnipilot").chmod(0o777)
    with pytest.raises(ConfigError, match="only you can write"):
        register_folder()
    (runtime / "omnipilot").rmdir()
    (runtime / "elsewhere").mkdir()
    (runtime / "omnipilot").symlink_to(runtime / "elsewhere")
    with pytest.raises(ConfigError, match="only you can write"):
        register_folder()
