"""Worlds of real devices come and go, however they end, and leave nothing: no process, thread, open file, socket,
X display or temporary file."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import struck_devices
from struck_devices import CENTER, MAKES

from omnipilot.envs import Click, ConfigError, EnvLost, Modality
from omnipilot.envs.composite import CompositeWorld, Device
from omnipilot.envs.desktop.private.keeper import ProcessRow, descendants, process_row

pytestmark = pytest.mark.desktop

SOCKETS = Path("/tmp/.X11-unix")
ALL = "desktop+phone+browser+remote"
WEB = [pytest.mark.web]
CHILD = f"""
import sys
sys.path[:0] = [{str(Path(struck_devices.__file__).parent)!r}]
from struck_devices import CENTER, MAKES
from omnipilot.envs import Click
from omnipilot.envs.composite import CompositeWorld, Device
world = CompositeWorld({{kind: Device(MAKES[kind]) for kind in {ALL!r}.split("+")}})
world.reset(0)
print("ready", flush=True)
while True:
    for env in world.envs.values():
        env.act(Click(CENTER))
"""


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of all temporary files; its path is short, as sockets need it."""
    with tempfile.TemporaryDirectory(prefix="leak", dir="/tmp") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr(tempfile, "tempdir", folder)
        # The desktop's user has to reach its own folder in it.
        os.chmod(folder, 0o711)
        yield Path(folder)


def held() -> Counter[str]:
    """What this process holds, by kind."""
    found = Counter(processes=len(descendants(os.getpid())), threads=threading.active_count())
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            found[os.readlink(f"/proc/self/fd/{name}").split(":")[0].split("/")[0] or "files"] += 1
    return found


def displays(folder: Path) -> list[str]:
    """Displays whose sockets are, or were, below a folder."""
    links = [path for path in SOCKETS.iterdir() if path.is_symlink()] if SOCKETS.exists() else []
    return [path.name for path in links if Path(os.readlink(path)).is_relative_to(folder)]


def until(true: Callable[[], bool], seconds: float = 20.0) -> bool:
    """Whether something becomes true in time."""
    pause = threading.Event()
    for _ in range(int(seconds / 0.05)):
        if true():
            return True
        pause.wait(0.05)
    return true()


def make(kinds: str) -> Any:
    """A world of some devices."""
    names = kinds.split("+")
    return MAKES[names[0]]() if len(names) == 1 else CompositeWorld({name: Device(MAKES[name]) for name in names})


def use(kinds: str) -> None:
    """One world, from its start to its end."""
    with contextlib.closing(make(kinds)) as world:
        world.reset(0)
        for env in world.envs.values():
            env.act(Click(CENTER))
            env.observe({Modality.SCREENSHOT, Modality.AUDIO, Modality.VIDEO, Modality.ELEMENTS}, 0.0)
        world.reset(1)


@pytest.mark.parametrize(
    ("kinds", "rounds"),
    [
        ("phone+remote", 3),
        *(
            pytest.param(kinds, 20, marks=[pytest.mark.slow, pytest.mark.timeout(900), *WEB * ("browser" in kinds)])
            for kinds in ("desktop", "phone", "browser", "remote", ALL)
        ),
    ],
)
def test_worlds_leave_nothing(temporary: Path, kinds: str, rounds: int):
    use(kinds)  # what is loaded once stays
    before, files = held(), sorted(os.listdir(temporary))
    for _ in range(rounds):
        use(kinds)
    assert until(lambda: held() <= before), held() - before
    assert sorted(os.listdir(temporary)) == files == []
    assert displays(temporary) == []


def alive(row: ProcessRow) -> bool:
    now = process_row(row.pid)
    return now is not None and now.start == row.start and now.state not in "ZX"


@pytest.mark.web
def test_a_process_that_is_killed_in_the_middle_leaves_nothing(temporary: Path):
    child = subprocess.Popen([sys.executable, "-c", CHILD], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None and child.stdout.readline() == "ready\n"
        below = descendants(child.pid)
        assert len(below) > 15 and displays(temporary)
        child.send_signal(signal.SIGKILL)
        child.wait()
        assert until(lambda: not [row for row in below if alive(row)]), [
            Path(f"/proc/{row.pid}/cmdline").read_bytes()[:90] for row in below if alive(row)
        ]
        assert until(lambda: not displays(temporary))
        # What the browser was downloading, and its profile, stay in the folder of temporary files.
        ours = ("omnipilot-desktop", "omnipilot-adb")
        left = lambda: [one for one in os.listdir(temporary) if one.startswith(ours)]  # noqa: E731
        assert until(lambda: not left()), left()
    finally:
        child.kill()
        child.communicate()


@pytest.mark.parametrize(
    "error",
    [
        EnvLost("unplugged"),
        pytest.param(ConfigError("no such port"), marks=[pytest.mark.slow, *WEB]),
        pytest.param(ZeroDivisionError("a bug"), marks=pytest.mark.slow),
    ],
)
def test_a_device_that_does_not_start_leaves_nothing_of_the_others(temporary: Path, error: Exception):
    def broken(_: object) -> Any:
        assert until(lambda: bool(displays(temporary)))  # the others are being started
        raise error

    kinds = ALL if isinstance(error, ConfigError) else "desktop+remote"
    before = held()
    with pytest.raises(type(error)):
        CompositeWorld({**{name: Device(MAKES[name]) for name in kinds.split("+")}, "broken": Device(broken)})
    assert until(lambda: held()["processes"] <= before["processes"]), descendants(os.getpid())
    assert until(lambda: held()["threads"] <= before["threads"] + 1), threading.enumerate()
    assert os.listdir(temporary) == [] and displays(temporary) == []
