"""A private desktop comes up, shut off, and goes without a trace, however its owner ends."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from desktop_hands import wait_for

from omnipilot.envs import ConfigError, EnvLost, Modality, Size
from omnipilot.envs.desktop import DesktopWorld
from omnipilot.envs.desktop.private import PrivateDesktop, keeper, start_desktop
from omnipilot.envs.desktop.private import desktop as module
from omnipilot.envs.desktop.private.fresh_start import connect, list_windows, read_x_state
from omnipilot.envs.desktop.private.keeper import descendants, process_row, takes_more

pytestmark = pytest.mark.desktop

SOCKETS = Path("/tmp/.X11-unix")
WAITING = """
import json, sys
from omnipilot.envs.desktop.private import start_desktop
one = start_desktop(programs=("galculator",), sound=False)
outside = [p.outside for p in one.processes()]
print(json.dumps([str(one.home.path.parent), one.address.display[1:], outside]), flush=True)
sys.stdin.read()
"""


def until(true: Callable[[], bool], seconds: float) -> bool:
    """Whether something becomes true in time."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        threading.Event().wait(0.02)
    return True


def trace(folder: Path, display: str, outside: list[int]) -> list[str]:
    """What is left of a desktop."""
    left = [str(folder)] if folder.exists() else []
    link = SOCKETS / f"X{display}"  # another desktop may have the number by now
    if link.is_symlink() and Path(os.readlink(link)).is_relative_to(folder):
        left.append(str(link))
    for pid in outside:
        row = process_row(pid)  # one read: it may end between two
        if row is not None and row.state not in "ZX":
            left.append(f"process {pid}")
    return left


def marks(desktop: PrivateDesktop) -> tuple[Path, str, list[int]]:
    """By what to find what is left of it."""
    return desktop.home.path.parent, desktop.address.display[1:], [one.outside for one in desktop.processes()]


def test_its_programs_run_as_nobody_else_in_a_home_of_their_own(desktop: PrivateDesktop):
    assert desktop.alive
    assert desktop.isolation.uid == desktop.address.uid != 0
    home = str(desktop.home.seen_as)
    said = desktop.shell("id -u; echo $HOME; ls; echo told > Documents/note.txt", 10.0).split("\n")
    assert said[:2] == [str(desktop.address.uid), home]
    assert {"Desktop", "Documents"} <= set(said)
    assert desktop.home.read_file("Documents/note.txt") == b"told\n"
    assert desktop.home.read_file(f"{home}/Documents/note.txt") == b"told\n"


def test_its_programs_see_and_reach_nothing_of_the_machine(desktop: PrivateDesktop):
    if desktop.isolation.kind != "bubblewrap":
        pytest.skip(f"not shut off here: {desktop.isolation.reason}")
    seen = desktop.shell("ls /proc | grep -c '^[0-9]*$'; ls /home /tmp; touch /x /usr/x /etc/x /var/lib/x 2>&1", 10.0)
    assert int(seen.split()[0]) < 40
    assert seen.count("Read-only file system") == 4
    network = desktop.shell("cat /proc/net/dev", 10.0)
    assert "lo:" in network and len(network.strip().splitlines()) == 3
    assert desktop.shell("getent passwd | wc -l; hostname", 10.0).split() == ["2", "desktop"]
    assert f"process {os.getpid()}" not in desktop.shell(f"kill -0 {os.getpid()} && echo process {os.getpid()}", 10.0)


def test_a_program_is_started_and_seen(desktop: PrivateDesktop):
    process = desktop.open("mousepad", wait=20.0)
    assert "mousepad" in process.command
    mine = [one for one in desktop.processes() if one.pid == process.pid]
    assert [one.command[0] for one in mine] == ["mousepad"]
    assert b"mousepad" in Path(f"/proc/{mine[0].outside}/cmdline").read_bytes()
    desktop.end_programs()
    assert process.pid not in {one.pid for one in desktop.processes()}
    assert desktop.alive


def test_a_variable_and_any_argument_arrive_as_they_are(desktop: PrivateDesktop):
    odd = 'it\'s $HOME\n"two" `lines` \\ ; & é'
    desktop.start(["/bin/sh", "-c", 'printf "%s|%s" "$1" "$ODD" > odd', "sh", odd], {"ODD": odd})
    assert until(lambda: desktop.home.exists("odd") and desktop.home.read_file("odd") != b"", 10.0)
    assert desktop.home.read_file("odd").decode() == f"{odd}|{odd}"


def test_a_command_that_takes_too_long_is_killed(desktop: PrivateDesktop):
    with pytest.raises(TimeoutError, match=r"longer than 0\.3 s"):
        desktop.shell("sleep 60", 0.3)
    assert desktop.shell("pgrep -c sleep || true", 10.0).strip() == "0"


def test_a_refresh_puts_back_what_programs_changed_of_the_servers(desktop: PrivateDesktop):
    from Xlib.ext.xtest import fake_input

    before, display = read_x_state(desktop.address), desktop.address.display
    with connect(desktop.address) as x:
        x.change_keyboard_mapping(200, [(0xE4, 0xC4)])
        x.screen().root.change_property(x.intern_atom("RESOURCE_MANAGER"), x.intern_atom("STRING"), 8, b"Xft.dpi: 50")
        # As the manager leaves it where all windows were hidden.
        x.screen().root.change_property(x.intern_atom("_NET_SHOWING_DESKTOP"), x.intern_atom("CARDINAL"), 32, [1])
        x.sync()
        fake_input(x, 2, 38)  # the key a is pressed and stays so
        x.sync()
    desktop.shell("setxkbmap de; pactl set-sink-mute speaker 1; echo x > /run/left; echo x > /dev/shm/left", 10.0)
    desktop.open("galculator", wait=20.0)
    assert read_x_state(desktop.address) != before
    desktop.refresh()
    assert read_x_state(desktop.address) == before and desktop.address.display == display
    with connect(desktop.address) as x:
        assert not any(x.query_keymap())
    assert list_windows(desktop.address) == ()
    left = desktop.shell("pactl get-sink-mute speaker; ls -A /run /dev/shm", 10.0)
    assert left.split() == ["Mute:", "no", "/dev/shm:", "/run:"]
    # What was not touched is not started anew, so the next reset is cheap.
    manager = {one.outside for one in desktop.processes() if one.command[0] == "xfwm4"}
    desktop.refresh()
    assert {one.outside for one in desktop.processes() if one.command[0] == "xfwm4"} == manager


def test_an_unknown_or_missing_program_is_told(desktop: PrivateDesktop):
    with pytest.raises(ConfigError, match="did you mean 'mousepad'"):
        desktop.open("mousepat")
    with pytest.raises(ConfigError, match="no program 'nothing'"):
        desktop.start(["nothing"])
    with pytest.raises(ConfigError, match="unknown window manager 'xfwm'"):
        start_desktop(window_manager="xfwm")


def test_nothing_is_left_of_two_side_by_side():
    first, second = start_desktop(programs=("galculator",)), start_desktop(Size(800, 600), sound=False)
    one, two = marks(first), marks(second)
    assert one[1] != two[1] and not set(one[2]) & set(two[2])
    assert len(one[2]) > 5 and one[0].exists()
    if os.geteuid() == 0 and first.isolation.kind == "bubblewrap":
        assert first.isolation.uid != second.isolation.uid
    first.close()
    first.close()
    assert trace(*one) == []
    assert second.alive and not first.alive
    with pytest.raises(EnvLost):
        first.shell("true", 1.0)
    second.close()
    assert trace(*two) == []


@pytest.mark.parametrize("killed", ["the owner", pytest.param("its group", marks=pytest.mark.slow)])
def test_nothing_is_left_when_the_owner_is_killed(killed: str):
    owner = subprocess.Popen(
        [sys.executable, "-c", WAITING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        assert owner.stdout is not None
        folder, display, outside = json.loads(owner.stdout.readline())
        assert len(outside) > 5 and trace(Path(folder), display, outside)
        (os.kill if killed == "the owner" else os.killpg)(owner.pid, signal.SIGKILL)
        owner.wait()
        assert until(lambda: not trace(Path(folder), display, outside), 2.0), trace(Path(folder), display, outside)
    finally:
        owner.kill()
        owner.communicate()


def test_nothing_is_left_when_its_keeper_was_killed():
    desktop = start_desktop(sound=False)
    left = marks(desktop)
    assert desktop._keeper is not None
    os.kill(desktop._keeper.pid, signal.SIGKILL)
    assert until(lambda: not desktop.alive, 5.0)
    desktop.close()
    assert until(lambda: not trace(*left), 2.0), trace(*left)


def test_a_server_that_goes_is_noticed():
    desktop = start_desktop(sound=False, window_manager="")
    try:
        server = next(one for one in desktop.processes() if one.command[0] == "Xvfb")
        os.kill(server.outside, signal.SIGKILL)
        assert until(lambda: not desktop.alive, 5.0)
        with pytest.raises(EnvLost):
            desktop.refresh()
    finally:
        desktop.close()


@pytest.mark.slow
def test_without_bubblewrap_it_runs_as_another_user_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "why_no_bubblewrap", lambda: "bwrap is not installed")
    desktop = start_desktop(programs=("galculator",))
    left = marks(desktop)
    try:
        assert desktop.isolation.kind == "processes" and desktop.isolation.reason == "bwrap is not installed"
        assert desktop.isolation.network == "host" and desktop.isolation.uid != 0
        assert Path(desktop.address.xauthority).stat().st_mode & 0o077 == 0
        # One that leaves its group, its parent and its session.
        desktop.start(["setsid", "--fork", "sleep", "1000"])
        assert until(lambda: any("sleep" in one.command for one in desktop.processes()), 5.0)
        desktop.refresh()
        assert not any("sleep" in one.command for one in desktop.processes())
        desktop.shell("pactl load-module module-null-sink", 10.0)
        with pytest.raises(EnvLost, match="modules"):
            desktop.refresh()
    finally:
        desktop.close()
    assert trace(*left) == []
    assert not (SOCKETS / f"X{left[1]}").is_socket() or (SOCKETS / f"X{left[1]}").is_symlink()


@pytest.mark.slow
@pytest.mark.needs("user namespaces")
def test_chromium_runs_inside_with_its_own_sandbox(desktop: PrivateDesktop):
    desktop.open("chromium", wait=30.0)
    lines = [one.command for one in desktop.processes() if "chrom" in one.command[0]]
    assert lines and not any("--no-sandbox" in line for line in lines)
    assert any("--type=renderer" in part for line in lines for part in line)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_six_side_by_side_come_and_go_twenty_times():
    keepers = len(descendants(os.getpid()))
    for _ in range(20):
        together: list[PrivateDesktop] = []
        threads = [threading.Thread(target=lambda: together.append(start_desktop())) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(together) == 6 and all(one.alive for one in together)
        left = [marks(one) for one in together]
        assert len({display for _, display, _ in left}) == 6
        for one in together:
            one.close()
        assert [found for one in left for found in trace(*one)] == []
    assert len(descendants(os.getpid())) == keepers


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("i=0; while [ $i -lt 400 ]; do sleep 100 & i=$((i+1)); done", "had 300 processes and threads"),
        ("head -c 60M /dev/zero > a; cp a b", "files took more than 100 MB"),
    ],
)
def test_a_desktop_that_uses_too_much_is_ended_and_says_so(command: str, reason: str):
    world = DesktopWorld(processes=300, disk=100)
    try:
        world.reset(0)
        with contextlib.suppress(EnvLost):
            world.shell(f"({command}) >/dev/null 2>&1", 30.0)

        def told() -> str | None:
            try:
                world.envs["desktop"].observe({Modality.SCREENSHOT}, 0.0)
                world.wait(0.1)
            except EnvLost as error:
                return str(error)
            return None

        assert reason in wait_for(told, 20.0, "the end of the desktop")
        world.reset(0)
        assert world.desktop.usable and told() is None
    finally:
        world.close()


def test_a_file_cannot_become_larger_than_all_files_may_be(desktop: PrivateDesktop):
    said = desktop.shell(
        "ulimit -f; truncate -s 5G huge || echo refused; ls huge 2>/dev/null; ulimit -u 2>&1 || true", 9
    )
    assert "refused" in said and said.split()[0] == str(4096 * 1_000_000 // 512)


def test_files_are_counted_as_the_disk_holds_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file").write_bytes(b"x" * 100_000)
    (tmp_path / "link").symlink_to("/")
    assert takes_more(tmp_path, 99_999) and not takes_more(tmp_path, 150_000)
    monkeypatch.setattr(keeper, "MOST_FILES", 2)
    assert takes_more(tmp_path, 150_000)


def test_a_desktop_needs_room():
    with pytest.raises(ConfigError, match="(processes|disk) of a desktop must be at least"):
        start_desktop(disk=1)
