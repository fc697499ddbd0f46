"""Programs are found by name; one that is unknown or missing names what to do."""

import re

import pytest

from omnipilot.envs import ConfigError
from omnipilot.envs.desktop import PROGRAMS, find_program, programs


def test_each_program_has_a_kind_a_title_and_a_command():
    for name, program in PROGRAMS.items():
        assert program.name == name and program.kind and program.title and program.command
        assert all(not path.startswith("/") and ".." not in path for path in program.files)
        assert re.fullmatch(r"[a-z0-9.+ -]+", program.packages)


def test_a_program_that_hands_its_second_start_to_the_first_is_told_not_to():
    for name, flag in (
        ("mousepad", "--disable-server"),
        ("xfce4-terminal", "--disable-server"),
        ("firefox", "--no-remote"),
    ):
        assert flag in PROGRAMS[name].command


def test_what_is_missing_names_its_package(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(programs, "PATH", "/nowhere")
    with pytest.raises(ConfigError, match="apt install mpv mpv-mpris"):
        find_program("mpv")
    with pytest.raises(ConfigError, match="did you mean 'galculator'"):
        find_program("galculater")
    with pytest.raises(ConfigError, match="known are mousepad"):
        find_program("??")
