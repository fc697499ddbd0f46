"""A world with one phone."""

from __future__ import annotations

import re
import shutil
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from omnipilot.envs.android.connection import AdbConnection, AdbServer, PhoneConnection
from omnipilot.envs.android.env import AndroidEnv
from omnipilot.envs.android.recording import check_films
from omnipilot.envs.android.sound import SoundKind
from omnipilot.envs.base import Thinking, World
from omnipilot.envs.clock import WallClock
from omnipilot.envs.requirements import failed_checks
from omnipilot.envs.types.errors import ConfigError, EnvLost, require
from omnipilot.envs.types.observation import Modality

FROZEN = Thinking()
SNAPSHOT_SECONDS = 60.0
BOOT_SECONDS = 180.0
UP_SECONDS = 5.0
COMMAND_SECONDS = 120.0
"""Maximum seconds for loading a snapshot, for a phone to be up after it, for its answer whether it is, and for a
command of a reset."""
_EMULATOR = re.compile(r"^emulator-\d+$")


class AndroidWorld(World):
    """One phone or emulator. It runs all the time, so the clock is wall time.

    A reset goes, in this order: an emulator's snapshot is loaded and the phone is awaited, applications are stopped,
    the commands are run on the phone, the home screen is shown. Nothing else is restored; `unrestored` says what.

    Args:
        serial: as `adb devices` lists it.
        thinking: only recorded; a phone cannot be frozen.
        clock: of the world that this one is part of, which restarts it; by default it has a clock of its own.
        name: of the environment.
        snapshot: name of an emulator's snapshot that each reset loads; "" for none.
        commands: shell commands that each reset runs on the phone, such as "pm clear com.android.deskclock".
            `{instance}` in one becomes the instance. A command that fails makes the episode void.
        stop: packages that each reset stops; by default all that have an icon.
        adb_server, apps, dialogs, sound, cap, command, tree, busy, still, prepare, connection: as for `AndroidEnv`.

    Raises:
        MissingExtra, ConfigError, EnvLost: as `AndroidEnv`; ConfigError also for a snapshot of a real phone.
    """

    def __init__(
        self,
        serial: str,
        thinking: Thinking = FROZEN,
        clock: WallClock | None = None,
        *,
        name: str = "phone",
        snapshot: str = "",
        commands: Sequence[str] = (),
        stop: Sequence[str] | None = None,
        adb_server: str | AdbServer | None = None,
        apps: Mapping[str, str] | None = None,
        dialogs: Mapping[str, Sequence[str]] | None = None,
        sound: SoundKind = "auto",
        cap: int = 1000,
        command: float = 20.0,
        tree: float = 12.0,
        busy: float = 20.0,
        still: float = 2.0,
        prepare: bool = True,
        connection: PhoneConnection | None = None,
    ) -> None:
        if snapshot and not _EMULATOR.match(serial):
            raise ConfigError(f"snapshots are those of emulators (emulator-5554); {serial} is none")
        self.thinking = thinking
        self._own_clock = clock is None
        self._clock = clock or WallClock()
        self._snapshot = snapshot
        self._commands = tuple(commands)
        self._stop = None if stop is None else tuple(stop)
        self.phone = self._connect(
            serial,
            name,
            clock=self._clock,
            adb_server=adb_server,
            apps=apps,
            dialogs=dialogs,
            sound=sound,
            cap=cap,
            command=command,
            tree=tree,
            busy=busy,
            still=still,
            prepare=prepare,
            connection=connection,
        )

    def _connect(self, serial: str, name: str, **options: Any) -> AndroidEnv:
        """The phone with this serial; a world that knows more of its phone than adb tells has another one."""
        return AndroidEnv(serial, name, **options)

    @staticmethod
    def conditions(options: Mapping[str, Any], shown: frozenset[Modality]) -> Mapping[str, str]:
        """Whether scrcpy is here, through which a phone without a recorder of its own is heard.

        Raises:
            MissingExtra: films are asked for, and PyAV is not installed.
            ConfigError: scrcpy is named as the source of sound, and is not installed.
        """
        check_films(shown)
        kind = options.get("sound", "auto")
        if Modality.AUDIO not in shown or kind not in ("auto", "scrcpy"):
            return {}
        there = shutil.which("scrcpy") is not None
        if kind == "scrcpy" and not there:
            raise ConfigError("sound is to come from scrcpy, which is not installed; install version 2 or later")
        return {"scrcpy": "installed" if there else "not installed"}

    @classmethod
    def option_mistakes(cls, options: Mapping[str, Any]) -> Iterator[str]:
        """A serial that is none, a snapshot of a real phone, an address of adb that is none."""
        serial = options.get("serial", "")
        if "serial" in options and not serial:
            yield "serial: name the phone as `adb devices` lists it"
        if options.get("snapshot") and serial and not _EMULATOR.match(serial):
            yield f"snapshot: only emulators (emulator-5554) have snapshots, {serial} has none"
        if "adb_server" in options:
            try:
                AdbServer.parse(options["adb_server"])
            except ConfigError as error:
                yield f"adb_server: {error}"

    @staticmethod
    def lacking(options: Mapping[str, Any]) -> list[str]:
        """What a phone with these options needs and does not find; no server is started, and no phone connected."""
        return failed_checks(partial(_look_for_phone, options.get("serial", ""), options.get("adb_server")))

    @property
    def envs(self) -> Mapping[str, AndroidEnv]:
        """The phone, by its name."""
        return {self.phone.name: self.phone}

    @property
    def now(self) -> float:
        """Wall seconds since the last reset."""
        return self._clock.now

    @property
    def unrestored(self) -> tuple[str, ...]:
        """What a reset leaves as the episode before left it, in words for a run's record."""
        if self._snapshot:
            return ("what is kept outside the emulator: accounts on servers, its shared folders",)
        kept = [
            "files, accounts, notifications, the clipboard and the data of applications",
            "settings other than those changed for the episode",
            "applications that were installed or removed",
        ]
        if self._commands:
            kept[0] += f", except for what these commands restore: {'; '.join(self._commands)}"
        return tuple(kept)

    def reset(self, instance: int) -> None:
        """Bring the phone to its start; see the class. Contents depend on `instance` only through the commands.

        Raises:
            EnvLost: the phone is gone, a command failed, or a snapshot could not be loaded.
        """
        if self._snapshot:
            self._load_snapshot()
        self.phone.restart()
        self.phone.stop_apps(self._stop)
        for command in self._commands:
            self.phone.prepare(command.replace("{instance}", str(instance)), COMMAND_SECONDS)
        self.phone.go_home()
        if self._own_clock:
            self._clock.restart()

    def _load_snapshot(self) -> None:
        connection, server = self.phone.connection, self.phone.server
        connection.connect()
        adb: Any = require("adbutils", "android")
        command = [adb.adb_path(), "-H", server.host, "-P", str(server.port), "-s", self.phone.serial]
        command += ["emu", "avd", "snapshot", "load", self._snapshot]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SNAPSHOT_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EnvLost(f"the snapshot {self._snapshot!r} could not be loaded: {error}") from error
        told = (done.stdout + done.stderr).strip()
        if done.returncode or "KO" in told:
            raise EnvLost(f"the snapshot {self._snapshot!r} could not be loaded: {told}")
        until = self._clock.now + BOOT_SECONDS
        pause = threading.Event()
        while True:
            try:
                connection.connect()
                if connection.shell("getprop sys.boot_completed", UP_SECONDS).text.strip() == "1":
                    return
                problem = EnvLost("its start is not completed")
            except EnvLost as error:  # it restarts, and is offline for a while
                problem = error
            if self._clock.now > until:
                raise EnvLost(f"{self.phone.serial} was not up {BOOT_SECONDS:g} s after its snapshot: {problem}")
            pause.wait(0.5)

    def wait(self, seconds: float) -> None:
        """Wait in real time."""
        threading.Event().wait(seconds)

    def think(self, measured: float) -> None:
        """Do nothing: the phone kept running."""

    def close(self) -> None:
        """Restore the phone's settings and release it. May be called twice."""
        self.phone.close()


def _look_for_phone(serial: str, server: str | AdbServer | None) -> None:
    """Make sure that the server knows the phone, if a server runs; one on the network is connected at the start.

    Raises:
        MissingExtra, ConfigError: it is not there, or adbutils is not.
    """
    where = AdbServer.parse(server) if isinstance(server, str) else server
    try:
        AdbConnection(serial, where).look()
    except EnvLost as error:
        raise ConfigError(str(error)) from None
