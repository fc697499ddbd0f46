"""Private desktops by the command line: up and down, side by side, and nothing left behind."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import omnipilot

from omnipilot.bench.cli.commands.desktop import parse_size, parse_variables
from omnipilot.bench.cli.commands.doctor import SYSTEM, examine
from omnipilot.envs import ConfigError, Size
from omnipilot.envs.desktop.private import running_desktops


@pytest.fixture(autouse=True)
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A list of desktops of this test's own; what it lists at the end is ended."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    yield tmp_path
    for one in running_desktops():
        os.kill(one.pid, signal.SIGKILL)


@pytest.mark.desktop
def test_two_go_up_and_down(shared_desktop: object, runtime: Path):
    first = omnipilot("desktop", "up", "--detach", "--programs", "galculator")
    assert first.returncode == 0, first.stderr
    assert "desktop-1 is up: 1280x800" in first.stdout and "omnipilot desktop view desktop-1" in first.stdout
    second = omnipilot("desktop", "up", "small", "-d", "--size", "640x480", "--no-sound", "--window-manager", "none")
    assert second.returncode == 0 and "sound      none" in second.stdout
    again = omnipilot("desktop", "up", "small", "-d")
    assert again.returncode == 2 and "runs already" in again.stderr
    listed = omnipilot("desktop", "list").stdout.splitlines()
    assert [line.split()[0] for line in listed] == ["name", "desktop-1", "small"] and "galculator" in listed[1]
    which = omnipilot("desktop", "down")
    assert which.returncode == 2 and "say which: desktop-1, small" in which.stderr
    homes = [one.address.home for one in running_desktops()]
    assert all(home.is_dir() for home in homes)
    assert omnipilot("desktop", "down", "desktop-1").stdout == "desktop-1 is down\n"
    assert [one.name for one in running_desktops()] == ["small"]
    assert omnipilot("desktop", "down", "--all").stdout == "small is down\n"
    assert not any(home.exists() for home in homes)
    assert list((runtime / "omnipilot" / "desktops").iterdir()) == []
    assert "no private desktop runs" in omnipilot("desktop", "list").stdout


@pytest.mark.parametrize("wrong", ["true", "80,x", "0", "hosts"])
def test_a_network_that_is_none_is_told_in_one_line(wrong: str):
    told = omnipilot("desktop", "up", "--detach", "--network", wrong)
    assert told.returncode == 2 and len(told.stderr.splitlines()) == 1
    assert "network is" in told.stderr and "ports" in told.stderr


@pytest.mark.desktop
def test_what_its_programs_reach_is_said_when_it_is_up(shared_desktop: object):
    few = ("--no-sound", "--window-manager", "none")
    ports = omnipilot("desktop", "up", "few", "-d", "--network", "8080,8443", *few)
    assert "with port 8080, 8443 of this machine" in ports.stdout, ports.stderr
    wide = omnipilot("desktop", "up", "wide", "-d", "--network", "host", *few)
    assert "all that listens on its loopback interface" in wide.stdout, wide.stderr
    # The key lets programs of the same user in.
    display, key = re.findall(r"display    (:\d+), XAUTHORITY=(\S+)", ports.stdout)[0]
    asked = ["xdpyinfo", "-display", display]
    let_in = [
        subprocess.run(asked, env={**os.environ, "XAUTHORITY": one}, capture_output=True, check=False).returncode
        for one in (key, os.devnull)
    ]
    assert let_in == [0, 1]
    assert omnipilot("desktop", "down", "--all").returncode == 0


@pytest.mark.desktop
def test_one_in_the_foreground_ends_with_ctrl_c(shared_desktop: object):
    command = [sys.executable, "-m", "omnipilot.bench.cli.app", "desktop", "up", "mine", "--no-sound"]
    # A shell's background job has SIGINT ignored, and so would what it starts.
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, heard)
    try:
        assert running.stdout is not None
        assert "mine is up" in running.stdout.readline()
        home = running_desktops()[0].address.home
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=120)
        assert "mine is down" in errors and running.returncode == 0
        assert not home.exists() and running_desktops() == []
    finally:
        running.kill()
        running.communicate()


@pytest.mark.desktop
def test_one_that_was_killed_is_not_listed_and_leaves_nothing(shared_desktop: object):
    assert omnipilot("desktop", "up", "-d", "--no-sound").returncode == 0
    (one,) = running_desktops()
    os.kill(one.pid, signal.SIGKILL)
    end = time.monotonic() + 20
    while one.address.home.parent.exists() and time.monotonic() < end:
        threading.Event().wait(0.02)
    assert not one.address.home.parent.exists()
    assert running_desktops() == []


@pytest.mark.slow
@pytest.mark.desktop
def test_two_at_once_have_names_of_their_own_and_one_name_only_one(shared_desktop: object, runtime: Path):
    command = [sys.executable, "-m", "omnipilot.bench.cli.app", "desktop", "up", "-d", "--no-sound"]
    command += ["--window-manager", "none"]
    made = [
        subprocess.Popen([*command, *name], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for name in (["mine"], ["mine"], [], [])
    ]
    said = [one.communicate(timeout=120) for one in made]
    assert sorted(one.returncode for one in made[:2]) == [0, 2], said
    assert "runs already" in "".join(errors for _, errors in said[:2])
    assert [one.returncode for one in made[2:]] == [0, 0], said
    assert [one.name for one in running_desktops()] == ["desktop-1", "desktop-2", "mine"]
    folders = [one.address.home.parent for one in running_desktops()]
    assert omnipilot("desktop", "down", "--all").returncode == 0
    assert not any(folder.exists() for folder in folders)
    assert list((runtime / "omnipilot" / "desktops").iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["up", "--programs", "mousepat"], "did you mean 'mousepad'"),
        (["up", "--size", "big"], "WIDTHxHEIGHT"),
        (["up", "--set", "GDK_SCALE"], "NAME=VALUE"),
        (["up", "../x"], "no name for a desktop"),
        (["down"], "no private desktop runs"),
        (["down", "nothing"], "no private desktop runs"),
        (["down", "a", "--all"], "not both"),
        (["view", "a", "--own"], "not both"),
    ],
)
def test_what_is_wrong_is_told(arguments: list[str], told: str):
    said = omnipilot("desktop", *arguments)
    assert said.returncode == 2 and told in said.stderr


@pytest.mark.desktop
def test_what_keeps_a_detached_one_from_starting_is_told(shared_desktop: object):
    said = omnipilot("desktop", "up", "-d", "--window-manager", "nothing")
    assert said.returncode == 2 and "unknown window manager 'nothing'" in said.stderr
    assert running_desktops() == []


def test_sizes_and_variables_are_read():
    assert parse_size("1280x800") == Size(1280, 800)
    for wrong in ("1280", "0x800", "1280x99999", "1280 x 800", "-1x800"):
        with pytest.raises(ConfigError, match="1280x800"):
            parse_size(wrong)
    assert parse_variables(["A=b=c", "D="]) == {"A": "b=c", "D": ""}
    for wrong in ("A", "=b", "1A=b"):
        with pytest.raises(ConfigError, match="GDK_SCALE=2"):
            parse_variables([wrong])


def test_doctor_names_the_package_of_what_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    from omnipilot.envs.desktop import programs
    from omnipilot.envs.desktop.private import sandbox

    monkeypatch.setattr(programs, "PATH", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    sandbox.why_no_bubblewrap.cache_clear()
    try:
        group = next(found for heading, found in examine().items() if "make system-desktop" in heading)
    finally:
        sandbox.why_no_bubblewrap.cache_clear()
    cures = {finding.name: finding.cure for finding in group}
    for program, package, _ in SYSTEM:
        if not program.startswith("/"):
            assert cures[package] == f"apt install {package}"
    assert "apt install bubblewrap" in cures["bubblewrap"]


def test_doctor_shows_each_known_program_by_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    from omnipilot.envs.desktop import PROGRAMS, programs

    for name in PROGRAMS.keys() - {"mpv", "firefox"}:
        place = tmp_path / PROGRAMS[name].command[0]
        place.write_text("")
        place.chmod(0o755)
    monkeypatch.setattr(programs, "PATH", str(tmp_path))
    (group,) = [found for heading, found in examine().items() if "--programs" in heading]
    assert [finding.name for finding in group] == list(PROGRAMS)
    assert {one.name: one.cure for one in group if not one.ok} == {
        "mpv": "apt install mpv mpv-mpris",
        "firefox": "apt install firefox-esr",
    }
    assert all(one.found == str(tmp_path / PROGRAMS[one.name].command[0]) for one in group if one.ok)


@pytest.mark.exhibit("workshop", "sim")
def test_what_doctor_looks_for_is_what_make_installs():
    makefile = (Path(__file__).parents[3] / "Makefile").read_text(encoding="utf-8")
    recipe = makefile.partition("\nsystem-desktop:\n")[2].partition("\nclean:")[0]
    installed = set(re.findall(r"[a-z0-9.+-]+", recipe))
    assert {package for _, package, _ in SYSTEM} | {"bubblewrap"} <= installed
