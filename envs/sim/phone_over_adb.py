"""The embedded phone, reached as a real one is: over adb."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from omnipilot.envs.android.env import AndroidEnv
from omnipilot.envs.android.world import AndroidWorld
from omnipilot.envs.base import Capability, Heard, World
from omnipilot.envs.clock import WallClock
from omnipilot.envs.requirements import failed_checks
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.adb.server import PhoneServer
from omnipilot.envs.sim.audio.transcript import transcribe
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.types.errors import ConfigError, EnvLost, check_installed
from omnipilot.envs.types.observation import Modality

START = 20.0
"""Seconds that the adb server may take to start."""


class EmbeddedPhone(World):
    """A served phone of its own and an adb server of its own, so that those of the user are not touched.

    Implements `World` and, for judges, `State`: what is true on the phone is read from its world, past adb.

    Args:
        clock: of the world that it is part of, which restarts it; by default it has a clock of its own.
        name: of the environment.

    Raises:
        MissingExtra, ConfigError: adbutils or adb is missing. EnvLost: the phone cannot be reached.
    """

    capabilities = frozenset({Capability.STATE})

    def __init__(self, clock: WallClock | None = None, name: str = "phone") -> None:
        self._own_clock = clock is None
        self._clock = clock or WallClock()
        self._sim = SimWorld()
        self._server = PhoneServer(self._sim).start()
        self._adb: _AdbServer | None = None
        self._world: AndroidWorld | None = None
        try:
            self._adb = _AdbServer()
            self._world = _ServedWorld(
                self._server, clock=self._clock, name=name, adb_server=f"127.0.0.1:{self._adb.port}"
            )
        except BaseException:
            self.close()
            raise

    @staticmethod
    def conditions(options: Mapping[str, Any], shown: frozenset[Modality]) -> Mapping[str, str]:  # noqa: ARG004
        """Nothing that could differ.

        Raises:
            MissingExtra: films are asked for, and PyAV is not installed.
        """
        if Modality.VIDEO in shown:
            check_installed("video", "av", without="grant no video, with --modalities")
        return {}

    @staticmethod
    def lacking(options: Mapping[str, Any]) -> list[str]:  # noqa: ARG004
        """What it needs and does not find on this machine; nothing is started."""
        return failed_checks(_find_adb, partial(check_installed, "android", "adbutils"))

    @property
    def _android(self) -> AndroidWorld:
        if self._world is None:
            raise EnvLost("the embedded phone was closed")
        return self._world

    @property
    def envs(self) -> Mapping[str, AndroidEnv]:
        """The phone, by its name."""
        return self._android.envs

    @property
    def now(self) -> float:
        """Wall seconds since the last reset."""
        return self._clock.now

    def reset(self, instance: int) -> None:
        """Start over with the content of an instance; no app is open."""
        with self._server.phone.lock:
            self._sim.reset(instance)
        self._android.reset(instance)
        if self._own_clock:
            self._clock.restart()

    def prepare(self, change: Callable[[WorldState], WorldState]) -> None:
        """Set up content before an episode."""
        with self._server.phone.lock:
            self._sim.prepare(change)

    def state(self) -> WorldState:
        """The whole state at this moment."""
        return self._server.phone.now_state()

    def lasting_part(self, state: WorldState) -> tuple[object, ...]:
        """As of `SimWorld`."""
        return self._sim.lasting_part(state)

    def wait(self, seconds: float) -> None:
        """Wait in real time."""
        self._android.wait(seconds)

    def think(self, measured: float) -> None:
        """Do nothing: the phone kept running."""

    def close(self) -> None:
        """Disconnect, and end both servers. May be called twice."""
        world, self._world = self._world, None
        adb, self._adb = self._adb, None
        try:
            if world is not None:
                world.close()
        finally:
            if adb is not None:
                adb.close()
            self._server.stop()


class _HeardPhone(AndroidEnv):
    """The served phone over adb, which tells judges what it sounds.

    Args:
        served: the phone itself. serial, name, options: of the `AndroidEnv`.
    """

    capabilities = AndroidEnv.capabilities | {Capability.TRANSCRIPT}

    def __init__(self, served: PhoneServer, clock: WallClock, name: str, **options: Any) -> None:
        super().__init__(served.serial, name, clock=clock, **options)
        self._served = served
        self._since_reset = clock

    def transcript(self, start: float, end: float) -> tuple[Heard, ...]:
        """What the phone sounds from `start` to `end`, wall seconds since the reset, at most until now."""
        state = self._served.phone.now_state()
        # Its own clock began a moment before that of the world around it.
        ahead = state.time - self._since_reset.now
        sounded = transcribe(state.phone.sounds, max(start + ahead, 0.0), min(end + ahead, state.time))
        return tuple(replace(one, start=max(one.start - ahead, 0.0), end=one.end - ahead) for one in sounded)


class _ServedWorld(AndroidWorld):
    """The world of a served phone.

    Args:
        served: the phone. options: of the `AndroidWorld`.
    """

    def __init__(self, served: PhoneServer, **options: Any) -> None:
        self._served = served
        super().__init__(served.serial, **options)

    def _connect(self, serial: str, name: str, **options: Any) -> AndroidEnv:  # noqa: ARG002
        return _HeardPhone(self._served, options.pop("clock"), name, **options)


KEEP = """
"$1" -P "$2" nodaemon server </dev/null >/dev/null 2>&1 &
echo $!
read -r _
kill -9 $!
wait
rm -rf -- "$3"
"""
"""Runs an adb server until the standard input ends, which it does however the process at its other end does."""


def _find_adb() -> str:
    """The program adb.

    Raises:
        ConfigError: it is not installed.
    """
    program = shutil.which("adb")
    if program is None:
        raise ConfigError("adb is not installed; run as root: apt install adb")
    return program


class _AdbServer:
    """An adb server at a free port; it ends with this process, however that ends, and leaves no folder.

    Attributes:
        pid: of the server.
    """

    def __init__(self) -> None:
        program = _find_adb()
        self._folder = Path(tempfile.mkdtemp(prefix="omnipilot-adb-"))
        self.port = _free_port()
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("ADB_", "ANDROID_"))}
        environment |= {"HOME": str(self._folder), "ADB_LIBUSB": "0"}
        self._keeper = subprocess.Popen(
            ["/bin/sh", "-c", KEEP, "sh", program, str(self.port), str(self._folder)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self._keeper.stdout is not None
        self.pid = int(self._keeper.stdout.readline() or 0)
        until = time.monotonic() + START
        pause = threading.Event()
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if self._keeper.poll() is not None or time.monotonic() > until:
                    self.close()
                    raise ConfigError("the adb server does not start") from None
            pause.wait(0.05)

    def close(self) -> None:
        with suppress(subprocess.TimeoutExpired):
            self._keeper.communicate(timeout=10.0)
        self._keeper.kill()
        self._keeper.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


def _free_port() -> int:
    """A port that nobody listens on, outside of those at which adb looks for emulators."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        if not 5550 <= port <= 5590:
            return port
