"""What a hostile program in a private desktop can try: to see or reach the machine and its other desktops, to outlive
a reset, to mislead or block whoever judges. It runs there as the desktop's user, as an agent with a terminal does."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from omnipilot.envs import EnvLost
from omnipilot.envs.desktop.private import HomeFolder, PrivateDesktop, start_desktop
from omnipilot.envs.desktop.private.desktop import LONGEST_ANSWER
from omnipilot.envs.desktop.private.keeper import remove_trees
from omnipilot.envs.desktop.state import StateReader

pytestmark = pytest.mark.desktop


def until(true: Callable[[], bool], seconds: float = 15.0) -> bool:
    """Whether something becomes true in time."""
    pause = threading.Event()
    for _ in range(int(seconds / 0.05)):
        if true():
            return True
        pause.wait(0.05)
    return False


@pytest.fixture
def closed_off(desktop: PrivateDesktop) -> PrivateDesktop:
    """The shared desktop, where there is a sandbox."""
    if desktop.isolation.kind != "bubblewrap":
        pytest.skip(f"not shut off here: {desktop.isolation.reason}")
    return desktop


@pytest.fixture
def other() -> Iterator[PrivateDesktop]:
    made = start_desktop(sound=False, window_manager="")
    yield made
    made.close()


def test_it_sees_no_file_of_the_machine_but_programs(closed_off: PrivateDesktop, tmp_path: Path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret of this machine")
    secret.chmod(0o644)
    (closed_off.home.path / "way").symlink_to(secret)
    tried = f"cat {secret} {Path(__file__)} way /proc/1/root{secret} /proc/*/cwd/../..{secret} 2>/dev/null"
    assert closed_off.shell(f"{tried}; ls {tmp_path} /root /work 2>/dev/null", 10.0) == ""
    with pytest.raises(PermissionError):
        closed_off.home.read_file("way")
    # Neither through what its processes hold open, nor in what they were told.
    held = closed_off.shell("readlink /proc/[0-9]*/fd/* 2>/dev/null | grep ^/ | sort -u", 10.0).split("\n")
    ours = ("/dev/", "/home/user", str(closed_off.home.path.parent), "/memfd:", "/usr/", "/etc/", "/var/lib/")
    assert [one for one in held if one and not one.startswith(ours)] == []
    assert str(Path.home()) not in closed_off.shell("cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'", 10.0)


def test_it_reaches_no_socket_of_the_machine(closed_off: PrivateDesktop, tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as named:
        named.bind(f"\0omnipilot-test-{os.getpid()}")
        named.listen()
        program = f"""
import socket
for family, place in ((socket.AF_INET, ("127.0.0.1", {tcp.getsockname()[1]})), (socket.AF_INET, ("1.1.1.1", 53)),
                      (socket.AF_UNIX, "\\0omnipilot-test-{os.getpid()}"), (socket.AF_UNIX, "/var/run/docker.sock"),
                      (socket.AF_UNIX, "/run/dbus/system_bus_socket")):
    with socket.socket(family) as one:
        one.settimeout(2)
        try:
            one.connect(place)
        except OSError:
            continue
        print("reached", place)
"""
        closed_off.home.write_file("reach.py", program.encode())
        assert closed_off.shell("python3 reach.py && echo tried", 30.0) == "tried\n"
    assert closed_off.shell("find / -type s -not -path '/proc/*' 2>/dev/null | grep -v -e ^/tmp -e ^/home", 20.0) == ""


def test_it_reaches_no_other_desktop(closed_off: PrivateDesktop, other: PrivateDesktop):
    place = other.address
    tried = [
        f"xdpyinfo -display {place.display}",
        f"dbus-send --bus={place.session_bus} --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetId",
        f"ls {place.runtime} {place.home}",
    ]
    said = closed_off.shell("; ".join(f"{one} >/dev/null 2>&1 && echo reached" for one in tried), 20.0)
    assert said == ""
    assert sorted(closed_off.shell("ls /tmp/.X11-unix", 10.0).split()) == [f"X{closed_off.address.display[1:]}"]


def test_it_signals_nobody_outside(closed_off: PrivateDesktop):
    victim = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        closed_off.shell(f"kill -9 {victim.pid} {os.getpid()} -- -{victim.pid}; kill -TERM -- -1 & wait", 10.0)
    except EnvLost:
        pytest.fail("its own supervisor should outlive a command")
    except TimeoutError:
        pass  # it has killed itself
    finally:
        assert victim.poll() is None
        victim.kill()
        victim.wait()


def test_nothing_that_is_called_like_a_service_outlives_a_reset():
    desktop = start_desktop(sound=False)
    try:
        desktop.shell("cp $(command -v sleep) at-spi-evil; cp at-spi-evil dbus-daemon", 10.0)
        desktop.start(["sh", "-c", "./at-spi-evil 1000 & exec ./dbus-daemon 1000 2>/dev/null"])
        desktop.start(["bash", "-c", "exec -a at-spi2/accessibility.conf ./dbus-daemon 1000"])
        evil = lambda: [one for one in desktop.processes() if "1000" in one.command]  # noqa: E731
        assert until(lambda: len(evil()) >= 2)
        desktop.refresh()
        assert evil() == [] and desktop.alive
    finally:
        desktop.close()


@pytest.mark.parametrize(
    "trick",
    [
        "ln -s /etc/shadow .config/xfce4/xfconf/trick",
        "mkfifo .config/xfce4/xfconf/trick",
        "rm -f $XDG_RUNTIME_DIR/../log/output-*; ln -s /etc/shadow $XDG_RUNTIME_DIR/../log/output-99",
    ],
)
def test_files_put_in_the_way_cost_the_desktop_and_not_the_run(trick: str):
    desktop = start_desktop(sound=False)
    try:
        try:
            desktop.shell(trick, 10.0)
            desktop.refresh()
        except EnvLost:
            return
        assert desktop.alive and not desktop.home.exists(".config/xfce4/xfconf/trick")
    finally:
        desktop.close()


def test_what_is_said_in_the_name_of_the_supervisor_is_dropped():
    """A program of the same user can write into the supervisor's pipe, where that belongs to the user too."""
    desktop = PrivateDesktop.__new__(PrivateDesktop)
    desktop._news, desktop._answers, desktop._asked, desktop._dead = threading.Condition(), {}, {"7"}, False
    answers, forger = os.pipe()
    listening = threading.Thread(target=desktop._listen, args=(answers,))
    listening.start()
    for part in (*[b"x" * 60_000] * 50, b"\nforged=1\n8=1\n", b"7=" + b"y" * 9000 + b"\n"):
        os.write(forger, part)
    os.close(forger)
    listening.join(10.0)
    assert set(desktop._answers) == {"7"} and len(desktop._answers["7"]) <= LONGEST_ANSWER and desktop._dead


def test_folders_nested_deeper_than_python_calls_or_closed_are_removed(tmp_path: Path):
    home = tmp_path / "home"
    home.mkdir()
    subprocess.run(
        [sys.executable, "-c", "import os\nfor _ in range(1200):\n os.mkdir('d'); os.chdir('d')"], cwd=home, check=True
    )
    (home / "closed" / "inner").mkdir(parents=True)
    (home / "closed").chmod(0o500)
    (tmp_path / "kept").write_text("kept")
    (home / "link").symlink_to(tmp_path)
    try:
        HomeFolder(home, Path("/home/user"), os.geteuid()).empty()
        assert os.listdir(home) == [] and (tmp_path / "kept").exists()
        remove_trees(home, tmp_path / "none")
        assert not home.exists()
    finally:
        subprocess.run(["rm", "-rf", str(home)], check=False)  # not even pytest could remove it


@pytest.mark.slow
def test_a_service_that_does_not_answer_holds_no_judge_up(desktop: PrivateDesktop):
    reader = StateReader(desktop)
    server = next(one for one in desktop.processes() if one.command[0] == "pulseaudio")
    desktop.home.write_file("-v.csv", b"1,2\n")
    try:
        os.kill(server.outside, signal.SIGSTOP)
        found = reader.read()
        assert found.streams == () and found.sheets["-v.csv"] is not None
        assert not desktop.alive and desktop.usable
    finally:
        os.kill(server.outside, signal.SIGCONT)
        reader.close()
    assert desktop.alive
