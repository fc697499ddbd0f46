"""What other users of this machine reach of a browser or a desktop that is recorded here, and what programs without its
keys do: no X server, no DevTools, no file."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from omnipilot.envs import Size
from omnipilot.envs.desktop.private import start_desktop
from omnipilot.envs.desktop.private.keeper import descendants
from omnipilot.envs.web import BrowserWorld
from omnipilot.envs.web.surroundings import PrivateScreen

pytestmark = [pytest.mark.web, pytest.mark.desktop]

NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
"""Another user of this machine where we may become one; ourselves without a key otherwise, who may more."""
KNOCK = """
import socket, sys
for place in sys.argv[1:]:
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(5)
        try:
            one.connect(place.replace("@", "\\0", 1))
            one.sendall(b"l\\0\\x0b\\0\\0\\0\\0\\0\\0\\0\\0\\0")  # "let me in", of X11, without a key
            said = one.recv(1)
        except OSError as error:
            said = type(error).__name__.encode()
        print("let in" if said == b"\\1" else "turned away", place)
"""


def knock(*places: str) -> list[str]:
    """What the X servers at some sockets say to another user; a place that begins with @ is abstract."""
    python = "/usr/bin/python3" if NOBODY and Path("/usr/bin/python3").exists() else sys.executable
    done = subprocess.run(
        [*NOBODY, python, "-I", "-c", KNOCK, *places], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.split("\n")[:-1]


def open_doors() -> list[str]:
    """Sockets of our process tree to which anybody in this network namespace can connect: TCP, UDP and abstract."""
    inodes = set()
    here = os.readlink("/proc/self/ns/net")
    for pid in (os.getpid(), *(row.pid for row in descendants(os.getpid()))):
        with suppress(OSError):
            if os.readlink(f"/proc/{pid}/ns/net") != here:
                continue
            for number in os.listdir(f"/proc/{pid}/fd"):
                with suppress(OSError):
                    inodes.update(re.findall(r"^socket:\[(\d+)\]$", os.readlink(f"/proc/{pid}/fd/{number}")))
    found = []
    for name, listening in (("tcp", "0A"), ("tcp6", "0A")):
        for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == listening and fields[9] in inodes:
                found.append(f"{name} {fields[1]}")
    for line in Path("/proc/net/unix").read_text().splitlines()[1:]:
        fields = line.split()
        # Flag 10000: it listens; a name that is only held lets nobody connect.
        if int(fields[3], 16) & 0x10000 and fields[6] in inodes and fields[7:] and fields[7].startswith("@"):
            found.append(fields[7])
    return found


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chromium_path: str) -> Iterator[None]:
    """Temporary files go into a folder of the test, which is empty at its end."""
    assert chromium_path
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("video", "sound"), [("screencast", True), ("display", False)])
def test_a_recorded_browser_opens_no_door(video: str, sound: bool, tmp_path: Path) -> None:
    before = set(open_doors())
    world = BrowserWorld(url="data:text/html,here", size=Size(300, 200), video=video, sound=sound)
    try:
        world.reset(0)
        assert set(open_doors()) - before == set()
        for path in tmp_path.iterdir():  # copies, downloads, keys: for nobody else
            assert stat.S_IMODE(path.stat().st_mode) == 0o700, path
        screen = world._surroundings._screen
        if video == "display":
            key = Path(screen.address.xauthority)
            assert stat.S_IMODE(key.stat().st_mode) == 0o600
            place = f"/tmp/.X11-unix/X{screen.address.display[1:]}"
            assert Path(place).is_socket()
            assert knock(place, f"@{place}") == [f"turned away {place}", f"turned away @{place}"]
    finally:
        world.close()


REACH = """
import os, socket, sys
for place in sys.argv[1:]:
    try:
        if os.path.isdir(place):
            os.listdir(place)
        else:
            open(place, "rb").close()
    except OSError as error:
        if error.errno == 6:  # no such device or address: it is a socket
            try:
                socket.socket(socket.AF_UNIX).connect(place)
            except OSError as refused:
                print(place, type(refused).__name__)
                continue
        else:
            print(place, type(error).__name__)
            continue
    print(place, "reached")
"""


def test_a_desktop_with_the_machines_network_opens_no_door() -> None:
    before = set(open_doors())
    desktop = start_desktop(programs=("galculator",), network="host")
    try:
        address = desktop.address
        assert set(open_doors()) - before == set()
        place = f"/tmp/.X11-unix/X{address.display[1:]}"
        for path in (Path(place).resolve(), Path(address.xauthority)):
            assert path.exists()
        assert stat.S_IMODE(Path(address.xauthority).stat().st_mode) == 0o600
        assert stat.S_IMODE(address.home.parent.stat().st_mode) == 0o700
        if not NOBODY:
            return
        assert knock(place, f"@{place}") == [f"turned away {place}", f"turned away @{place}"]
        sockets = [address.session_bus.removeprefix("unix:path="), address.pulse.removeprefix("unix:")]
        places = [address.xauthority, str(address.home), str(address.runtime), *sockets]
        done = subprocess.run(
            [*NOBODY, "/usr/bin/python3", "-I", "-c", REACH, *places],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert done.stdout.split("\n")[:-1] == [f"{one} PermissionError" for one in places]
    finally:
        desktop.close()


def test_a_killed_browser_leaves_no_screen_and_its_key_to_nobody(tmp_path: Path) -> None:
    program = (
        "import sys, tempfile; tempfile.tempdir = sys.argv[1]\n"
        "from omnipilot.envs import Size; from omnipilot.envs.web.surroundings import PrivateScreen\n"
        "screen = PrivateScreen(Size(64, 48))\n"
        "print(screen._process.pid, screen.address.display[1:], screen.address.xauthority, flush=True)\n"
        "sys.stdin.read()"
    )
    owner = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert owner.stdout is not None
    server, number, key = owner.stdout.readline().split()
    owner.kill()
    owner.communicate()
    left = [Path(f"/proc/{server}"), Path(f"/tmp/.X11-unix/X{number}"), Path(f"/tmp/.X{number}-lock")]
    until = time.monotonic() + 10.0
    while any(os.path.lexists(one) for one in left) and time.monotonic() < until:
        time.sleep(0.02)
    assert [one for one in left if os.path.lexists(one)] == []
    # The next one clears its folder away.
    assert Path(key).exists()
    PrivateScreen(Size(64, 48)).close()
    assert not Path(key).parent.exists()
