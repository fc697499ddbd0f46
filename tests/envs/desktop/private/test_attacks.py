"""What a hostile program in a private desktop can try: to see or reach the machine and its other desktops, to outlive
a reset, to mislead or block whoever judges. It runs there as the desktop's user, as an agent with a terminal does."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from omnipilot.envs import ConfigError, EnvLost, Size
from omnipilot.envs.desktop.private import HomeFolder, PrivateDesktop, start_desktop
from omnipilot.envs.desktop.private.desktop import LONGEST_ANSWER
from omnipilot.envs.desktop.private.keeper import remove_trees
from omnipilot.envs.desktop.private.network import Network, parse_network
from omnipilot.envs.desktop.private.sandbox import IN_MEMORY
from omnipilot.envs.desktop.state import StateReader
from omnipilot.envs.web.surroundings import PrivateScreen

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
    # A program may be reading about itself just now; its /proc is that of the sandbox, which knows no process outside.
    ours = ("/proc/", "/dev/", "/home/user", str(closed_off.home.path.parent), "/memfd:", "/usr/", "/etc/", "/var/lib/")
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


ASK = """
import socket, sys
for place in sys.argv[1:]:
    try:
        with socket.create_connection(("127.0.0.1", int(place)), 5) as one:
            one.sendall(b"x" * 300_000 + b".")
            one.shutdown(socket.SHUT_WR)
            parts = iter(lambda: one.recv(65536), b"")
            print(place, sum(map(len, parts)))
    except OSError as error:
        print(place, type(error).__name__)
"""


class Echo:
    """A server of this machine's loopback interface that sends back what it gets, and counts who came."""

    def __init__(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.came = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.listening.accept()
            except OSError:
                return
            self.came += 1
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            while data := connection.recv(65536):
                connection.sendall(data)


def test_it_reaches_the_ports_that_are_named_and_no_other():
    with ExitStack() as stack:
        named, other = Echo(), Echo()
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        for one in (named.listening, other.listening):
            stack.enter_context(one)
        abstract.bind(f"\0omnipilot-test-{os.getpid()}")
        abstract.listen()
        desktop = start_desktop(sound=False, window_manager="", network=[named.port])
        stack.callback(desktop.close)
        if desktop.isolation.kind != "bubblewrap":
            pytest.skip(f"not shut off here: {desktop.isolation.reason}")
        assert desktop.isolation.network == "own" and desktop.isolation.ports == (named.port,)
        desktop.home.write_file("ask.py", ASK.encode())
        said = desktop.shell(f"python3 ask.py {named.port} {other.port}; grep -c @omnipilot-test /proc/net/unix", 30.0)
        assert said == f"{named.port} 300001\n{other.port} ConnectionRefusedError\n0\n"
        assert (named.came, other.came) == (1, 0)
        # Nobody in there can see, signal or trace the process that passes it on.
        assert "ports.py" not in desktop.shell("cat /proc/[0-9]*/cmdline | tr '\\0' ' '", 10.0)
        relay = desktop._relay
        assert relay is not None and relay.poll() is None
        uids = Path(f"/proc/{relay.pid}/status").read_text().split("Uid:")[1].split()[:4]
        assert uids == [str(desktop.isolation.uid)] * 4
        desktop.close()
        assert relay.returncode == 0


def test_the_ports_close_when_the_owner_is_killed():
    with Echo().listening as listening:
        program = (
            "import sys; from omnipilot.envs.desktop.private import start_desktop\n"
            f"desktop = start_desktop(sound=False, window_manager='', network=[{listening.getsockname()[1]}])\n"
            "print(desktop._relay.pid if desktop._relay else 0, desktop.home.path.parent, flush=True)\n"
            "sys.stdin.read()"
        )
        owner = subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert owner.stdout is not None
        relay, folder = owner.stdout.readline().split()
        owner.kill()
        owner.communicate()
        assert until(lambda: not Path(f"/proc/{relay}").exists() and not Path(folder).exists())


def test_with_the_machines_network_it_still_gets_no_screen():
    """It shares abstract sockets then, on which X servers usually let every local user in."""
    desktop = start_desktop(sound=False, window_manager="", network="host")
    screen = PrivateScreen(Size(64, 48))
    try:
        number = screen.address.display
        desktop.home.write_file(
            "open.py", f"import socket; socket.socket(1).connect('\\0/tmp/.X11-unix/X{number[1:]}')".encode()
        )
        tried = desktop.shell(f"python3 open.py 2>&1 | tail -n 1; xdpyinfo -display {number} 2>&1", 20.0)
        assert "ConnectionRefusedError" in tried and "unable to open display" in tried and "version" not in tried
    finally:
        screen.close()
        desktop.close()


def test_what_lies_in_memory_is_bounded():
    desktop = start_desktop(sound=False, window_manager="", memory=32)
    try:
        if desktop.isolation.kind != "bubblewrap":
            pytest.skip(f"not shut off here: {desktop.isolation.reason}")
        for folder in IN_MEMORY:
            fill = f"head -c 100M /dev/zero > {folder}/full 2>/dev/null; stat -c %s {folder}/full; rm {folder}/full"
            assert 25_000_000 < int(desktop.shell(fill, 20.0)) <= 32_004_096, folder  # whole pages
        # Folders of its own that lie in memory without a limit can be written by nobody.
        tried = "for one in / /dev /home /etc /dev/pts; do touch $one/x 2>/dev/null && echo $one; done; true"
        assert desktop.shell(tried, 10.0) == ""
    finally:
        desktop.close()


@pytest.mark.parametrize("wrong", [True, "hosts", "80,x", [0], [70000], [1.5], [True], {"80": 1}, list(range(1, 99))])
def test_a_network_that_is_none_is_refused_with_what_to_say(wrong: object):
    with pytest.raises(ConfigError, match=r"network .*(say 'none', 'host', or ports|at most 64)"):
        start_desktop(network=wrong)  # type: ignore[arg-type]
    assert parse_network("8080, 80,8080") == Network("ports", (8080, 80)) and parse_network(False) == Network()


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
