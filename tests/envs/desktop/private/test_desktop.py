"""A private desktop comes up, shut off, and goes without a trace."""

import os
from pathlib import Path

import pytest

from omnipilot.envs import ConfigError
from omnipilot.envs.desktop.private import PrivateDesktop, start_desktop

pytestmark = pytest.mark.desktop


def test_its_programs_run_as_nobody_else_in_a_home_of_their_own(desktop: PrivateDesktop):
    assert desktop.alive
    assert desktop.isolation.uid != 0
    home = str(desktop.home.seen_as)
    said = desktop.shell("id -u; echo $HOME; ls; echo told > Documents/note.txt", 10.0).split("\n")
    assert said[:2] == [str(desktop.address.uid), home]
    assert {"Desktop", "Documents"} <= set(said)
    assert (
        desktop.home.read_file("Documents/note.txt")
        == desktop.home.read_file(f"{home}/Documents/note.txt")
        == b"told\n"
    )


def test_a_program_is_started_and_seen(desktop: PrivateDesktop):
    process = desktop.open("mousepad")
    assert "mousepad" in process.command
    assert process.pid in {one.pid for one in desktop.processes()}
    desktop.end_programs()
    assert process.pid not in {one.pid for one in desktop.processes()}
    assert desktop.alive


def test_nothing_is_left_of_it():
    desktop = start_desktop(programs=("galculator",))
    outside = [one.outside for one in desktop.processes()]
    folder, number = desktop.home.path.parent, desktop.address.display[1:]
    assert len(outside) > 5 and folder.exists()
    desktop.close()
    desktop.close()
    assert not folder.exists()
    assert not os.path.lexists(f"/tmp/.X11-unix/X{number}")
    assert not [pid for pid in outside if Path(f"/proc/{pid}").exists()]


def test_an_unknown_or_missing_program_is_told(desktop: PrivateDesktop):
    with pytest.raises(ConfigError, match="did you mean 'mousepad'"):
        desktop.open("mousepat")
    with pytest.raises(ConfigError, match="no program 'nothing'"):
        desktop.start(["nothing"])
