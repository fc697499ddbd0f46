"""A desktop of its own: X server, session bus, sound, window manager and programs, shut off in one sandbox."""

from __future__ import annotations

import itertools
import json
import os
import secrets
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.envs.desktop.address import DesktopAddress
from omnipilot.envs.desktop.private import keeper, ports
from omnipilot.envs.desktop.private.fresh_start import (
    connect,
    forget_manager,
    list_windows,
    paint_background,
    read_root,
    read_x_state,
    restore_x_state,
)
from omnipilot.envs.desktop.private.home import HomeFolder
from omnipilot.envs.desktop.private.network import Network, parse_network
from omnipilot.envs.desktop.private.reservations import SOCKETS, hold_display, hold_user, is_listening
from omnipilot.envs.desktop.private.sandbox import (
    HOME,
    HOST,
    Isolation,
    account_files,
    as_user,
    enclose,
    why_no_bubblewrap,
)
from omnipilot.envs.desktop.programs import (
    MANAGER_FILES,
    PATH,
    TOOLKIT_FILES,
    WINDOW_MANAGERS,
    find_program,
    is_installed,
)
from omnipilot.envs.desktop.x11.authority import key_file, write_key
from omnipilot.envs.types.errors import ConfigError, EnvLost, require
from omnipilot.envs.types.geometry import Size

DEFAULT = Size(1280, 800)
PROCESSES = 2000
DISK = 4096
"""Processes and threads of a desktop, and megabytes of its files, at most."""
MEMORY = 512
"""Megabytes at most in each of its folders that lie in memory."""
LEAST: Mapping[str, int] = {"processes": 100, "disk": 50, "memory": 16}
"""What these limits have to be at least: with less not even its services start."""
SINK = "speaker"
BACKGROUND = 0x3A5A78
KEYBOARD = "setxkbmap -rules evdev -model pc105 -layout us -option ''"
"""The keyboard of a fresh Xvfb."""
WORKSPACES = tuple(
    f"_NET_{name}"
    for name in (
        "CURRENT_DESKTOP",
        "NUMBER_OF_DESKTOPS",
        "DESKTOP_NAMES",
        "DESKTOP_LAYOUT",
        "SHOWING_DESKTOP",
        "WORKAREA",
    )
)
ACCESSIBILITY = "at-spi2/accessibility.conf"
MARK = "OMNIPILOT_DESKTOP"
PACKAGES = {"Xvfb": "xvfb", "dbus-daemon": "dbus", "pulseaudio": "pulseaudio", "setpriv": "util-linux"}
START = 30.0
"""Seconds that a desktop may take to be up."""
LONGEST_ANSWER = 4096
"""Characters of a line that the supervisor says."""
FOLDERS = ("Desktop", "Documents", "Downloads", "Music", "Pictures", "Videos")


@dataclass(frozen=True, slots=True)
class DesktopProcess:
    """One process of a desktop.

    Attributes:
        pid: its number as the desktop's windows and buses tell it. outside: its number on this machine.
        command: its command line.
    """

    pid: int
    outside: int
    command: tuple[str, ...]


def start_desktop(
    size: Size = DEFAULT,
    *,
    programs: Sequence[str] = (),
    sound: bool = True,
    network: str | Sequence[int] = "none",
    window_manager: str = "xfwm4",
    home: Path | None = None,
    environment: Mapping[str, str] | None = None,
    processes: int = PROCESSES,
    disk: int = DISK,
    memory: int = MEMORY,
) -> PrivateDesktop:
    """Start a desktop; it ends with `close`, or with this process, however that ends.

    Args:
        size: of its screen in pixels.
        programs: names in `PROGRAMS` to start, in this order.
        sound: whether it has a sound server.
        network: "none": its programs have a loopback interface of their own and nothing else. Ports, such as [8080]: on
            it they also reach these TCP ports of the machine's. "host": they have the machine's network, and reach
            everything that listens on its loopback interface and its abstract sockets.
        window_manager: a name in `WINDOW_MANAGERS`, "" for none.
        home: folder whose content its home starts with.
        environment: more variables of its programs, such as GDK_SCALE.
        processes: processes and threads at most; disk: megabytes of files at most. A desktop that has more is ended,
            and whoever uses it is told why.
        memory: megabytes at most in each of `sandbox.IN_MEMORY`, such as /tmp and /dev/shm; the kernel refuses more.

    Raises:
        ConfigError: a program is unknown or missing, or the desktop does not start; the message says what to install.
        MissingExtra: python-xlib is missing.
    """
    for name, value in (("processes", processes), ("disk", disk), ("memory", memory)):
        if value < LEAST[name]:
            unit = "" if name == "processes" else " MB"
            raise ConfigError(f"{name} of a desktop must be at least {LEAST[name]}{unit}, not {value}")
    reach = parse_network(network)
    desktop = PrivateDesktop(size, sound, reach, window_manager, home, environment or {}, processes, disk, memory)
    try:
        for name in programs:
            desktop.open(name, wait=START)
    except BaseException:
        desktop.close()
        raise
    return desktop


class PrivateDesktop:
    """A running desktop, started by `start_desktop`.

    Attributes:
        address: where it is reached.
        size: of its screen in pixels.
        home: its files.
        isolation: how far it is shut off.
    """

    def __init__(
        self,
        size: Size,
        sound: bool,
        network: Network,
        window_manager: str,
        home: Path | None,
        environment: Mapping[str, str],
        processes: int = PROCESSES,
        disk: int = DISK,
        memory: int = MEMORY,
    ) -> None:
        self.size = size
        self._memory = memory * 1_000_000
        self._most = {"processes": processes, "disk": disk * 1_000_000}
        self._exceeded = ""
        self._told = -1
        self._closed = False
        self._numbers = itertools.count(1)
        self._answers: dict[str, str] = {}
        self._asked: set[str] = set()
        self._news = threading.Condition()
        self._dead = False
        self._manager = _manager(window_manager)
        _check_parts(sound)
        require("Xlib.display", "desktop")
        self._folder = _folder()
        self._keeper: subprocess.Popen[bytes] | None = None
        self._relay: subprocess.Popen[str] | None = None
        holders: list[Any] = []
        try:
            reason = why_no_bubblewrap()
            uid, user_holder = hold_user(sandbox=not reason)
            run, log, sockets, own = (self._folder / name for name in ("run", "log", "x", "home"))
            for folder in (run, log, sockets, own):
                folder.mkdir(mode=0o700)
                if uid != os.geteuid():
                    os.chown(folder, uid, uid)
            if uid != os.geteuid():
                os.chown(self._folder, uid, uid)
            number, display_holder, self._link = hold_display(None if reason else sockets)
            holders = [one for one in (user_holder, display_holder) if one is not None]
            seen = own if reason else HOME
            self.home = HomeFolder(own, seen, uid)
            self._template = home
            self._fill_home()
            wide = bool(reason) or network.kind == "host"
            self.isolation = Isolation(
                kind="processes" if reason else "bubblewrap",
                network="host" if wide else "own",
                uid=uid,
                reason=reason,
                ports=() if wide else network.ports,
            )
            # Programs know their machine by another name in a sandbox. They may not write here, as we read it.
            self._key = key_file(number, [os.uname().nodename, HOST])
            self.address = DesktopAddress(
                display=f":{number}",
                session_bus=f"unix:path={run / 'bus'}",
                pulse=f"unix:{run / 'pulse' / 'native'}" if sound else "",
                sink=SINK if sound else "",
                home=own,
                runtime=run,
                uid=uid,
                xauthority=str(write_key(self._folder / "xauthority", self._key, uid)),
            )
            self._mark = f"{MARK}={secrets.token_hex(16)}"
            self._environment = {**self._variables(seen), **environment}
            self._start_keeper(holders)
            self._start_services(sound)
        except BaseException:
            for holder in holders:
                holder.close()
            self.close()
            raise
        for holder in holders:  # the keeper holds them now
            holder.close()

    def _variables(self, home: Path) -> dict[str, str]:
        address = self.address
        name, _, mark = self._mark.partition("=")
        variables = {
            "PATH": PATH,
            "USER": "user",
            "LOGNAME": "user",
            "SHELL": "/bin/bash" if Path("/bin/bash").exists() else "/bin/sh",
            "LANG": "C.UTF-8",
            "HOME": str(home),
            "XDG_RUNTIME_DIR": str(address.runtime),
            "XDG_CONFIG_HOME": str(home / ".config"),
            "XDG_CACHE_HOME": str(home / ".cache"),
            "XDG_DATA_HOME": str(home / ".local" / "share"),
            "XDG_SESSION_TYPE": "x11",
            "DISPLAY": address.display,
            "XAUTHORITY": address.xauthority,
            "DBUS_SESSION_BUS_ADDRESS": address.session_bus,
            "GTK_MODULES": "gail:atk-bridge",
            "GNOME_ACCESSIBILITY": "1",
            "QT_ACCESSIBILITY": "1",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
            name: mark,
        }
        if address.pulse:
            variables["PULSE_SERVER"] = address.pulse
        return variables

    def _fill_home(self) -> None:
        for name in FOLDERS:
            self.home.write_file(f"{name}/.keep", b"")
            (self.home.path / name / ".keep").unlink()
        for path, text in {**MANAGER_FILES, **TOOLKIT_FILES}.items():
            self.home.write_file(path, text.encode())
        if self._template is not None:
            self.home.fill(self._template)

    def _start_keeper(self, holders: Sequence[Any]) -> None:
        """Start the keeper, and through it the supervisor: a shell that reads its script from a pipe of ours."""
        script, self._commands = os.pipe()
        answers, answer = os.pipe()
        owner, self._owner = os.pipe()
        uid = self.isolation.uid
        self._told, told = os.pipe()
        os.set_blocking(self._told, False)
        supervisor = ["/bin/sh", "-c", f"exec {self._limited()} /bin/sh 4>&1 1>&2"]
        opened = []
        if self.isolation.kind == "bubblewrap":
            written = {}
            for name, data in {**account_files(uid), self.address.xauthority: self._key}.items():
                number = os.memfd_create("omnipilot")
                os.write(number, data)
                os.lseek(number, 0, os.SEEK_SET)
                written[name] = number
                opened.append(number)
            folder = self._folder
            bound = {
                self.home.seen_as: self.home.path,
                self.home.path: self.home.path,
                self.address.runtime: self.address.runtime,
                folder / "log": folder / "log",
                SOCKETS: folder / "x",
            }
            network = self.isolation.network == "host"
            command = enclose(uid, network, self._memory, bound, written, self._environment, supervisor)
        else:
            command = [*as_user(uid), *supervisor]
        plan = {
            "command": command,
            "environment": self._environment if self.isolation.kind == "processes" else {"PATH": PATH},
            "owner": owner,
            "parent": os.getpid(),
            "script": script,
            "answers": answer,
            "hand_on": opened,
            "log": str(self._folder / "log" / "sandbox"),
            "mark": self._mark,
            "folder": str(self._folder),
            "link": str(self._link),
            "told": told,
            **self._most,
        }
        self._keeper = subprocess.Popen(
            [sys.executable, "-I", "-S", keeper.__file__, json.dumps(plan)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[owner, script, answer, told, *opened, *(holder.fileno() for holder in holders)],
            start_new_session=True,
            cwd="/",
        )
        for number in (owner, script, answer, told, *opened):
            os.close(number)
        threading.Thread(target=self._listen, args=(answers,), name="desktop-answers", daemon=True).start()

    def _open_ports(self, wanted: Sequence[int]) -> None:
        """Let the programs reach some ports of the machine on their own loopback interface.

        Raises:
            ConfigError: they cannot be opened there.
        """
        inside = next(one.outside for one in self.processes() if one.pid == self._supervisor)
        plan = {"pid": inside, "ports": list(wanted), "uid": self.isolation.uid, "parent": os.getpid()}
        self._relay = subprocess.Popen(
            [sys.executable, "-I", "-S", ports.__file__, json.dumps(plan)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            cwd="/",
            text=True,
        )
        assert self._relay.stdout is not None
        said = self._relay.stdout.readline().strip()
        if said != "ready":
            raise ConfigError(f"network {', '.join(map(str, wanted))}: {said or 'the process that serves it ended'}")

    def _limited(self) -> str:
        """The start of a command line whose programs can neither start too many processes nor write too large files.

        Inside a sandbox the kernel counts those of its user namespace. Without one, an ordinary user's other programs
        would count too, so only the keeper counts.
        """
        if shutil.which("prlimit", path=PATH) is None or (
            self.isolation.kind == "processes" and self.isolation.uid == os.geteuid()
        ):
            return ""
        return f"prlimit --nproc={self._most['processes']} --fsize={self._most['disk']}"

    def why_ended(self) -> str:
        """Which limit it was ended for, in words; "" if it was not."""
        if not self._exceeded and self._told >= 0:
            with suppress(BlockingIOError):
                self._exceeded = os.read(self._told, 100).decode()
        most = self._most
        return {
            "processes": f"it was ended: its programs had {most['processes']} processes and threads, the most it may",
            "disk": f"it was ended: its files took more than {most['disk'] // 1_000_000} MB, or were too many",
        }.get(self._exceeded, "")

    def _ended(self, what: str = "the private desktop has ended") -> EnvLost:
        why = self.why_ended()
        return EnvLost(f"{what}: {why}" if why else what)

    def _listen(self, number: int) -> None:
        """Take in what the supervisor says, until it has ended."""
        with os.fdopen(number, "r", encoding="utf-8", errors="replace") as lines:
            # Programs of the desktop have the supervisor's user, and can write here too: what nobody asked is dropped.
            while line := lines.readline(LONGEST_ANSWER):
                key, _, text = line.strip().partition("=")
                with self._news:
                    if key in self._asked:
                        self._answers[key] = text
                        self._news.notify_all()
        with self._news:
            self._dead = True
            self._news.notify_all()

    def _ask(self, key: str, line: str, seconds: float) -> str:
        """Have the supervisor run a line of shell, and return what it says of `key`.

        Raises:
            EnvLost: the desktop has ended, or does not answer.
        """
        data = memoryview(f"{line}\n".encode())
        with self._news:
            self._asked.add(key)
        try:
            while data:
                data = data[os.write(self._commands, data) :]
        except OSError:
            raise self._ended() from None
        with self._news:
            answered = self._news.wait_for(lambda: key in self._answers or self._dead, seconds)
            self._asked.discard(key)
            if not answered:
                raise self._ended(f"the private desktop did not answer within {seconds:g} s")
            if key not in self._answers:
                raise self._ended()
            return self._answers.pop(key)

    def _start_services(self, sound: bool) -> None:
        run, number = self.address.runtime, self.address.display
        screen = f"{self.size.width}x{self.size.height}x24"
        self._services: dict[str, int] = {}
        self._supervisor = int(self._ask("supervisor", "echo supervisor=$$ >&4", START))
        if self.isolation.ports:
            self._open_ports(self.isolation.ports)
        until = time.monotonic() + START
        # No abstract socket: its name is held outside, and everybody could connect to it.
        closed = ["-nolisten", "tcp", "-nolisten", "local", "-auth", self.address.xauthority]
        self._serve("X server", ["Xvfb", number, "-screen", "0", screen, *closed, "-noreset"])
        self._serve("session bus", ["dbus-daemon", "--session", "--nofork", f"--address=unix:path={run / 'bus'}"])
        wanted = [self._link, run / "bus"]
        if sound:
            native = run / "pulse" / "native"
            protocol = f"module-native-protocol-unix auth-anonymous=1 socket={native}"
            sink = f"module-null-sink sink_name={SINK} rate=48000 channels=2"
            quiet = ["--daemonize=no", "--use-pid-file=no", "--realtime=no", "--high-priority=no", "--log-level=error"]
            self._serve("sound server", ["pulseaudio", *quiet, "-n", "--exit-idle-time=-1", "-L", protocol, "-L", sink])
            wanted.append(native)
        self._wait(lambda: all(map(is_listening, wanted)), until, f"{', '.join(map(str, wanted))}")
        self._modules = self._sound_modules()
        paint_background(self.address, BACKGROUND)
        self._start_manager()
        self._start_accessibility()
        self._x_state = read_x_state(self.address)
        self._manager_start = self._manager_state()

    def _wait_for_manager(self, ready: Callable[[], bool]) -> None:
        until = time.monotonic() + START
        while not ready():
            if time.monotonic() > until:
                raise EnvLost("the window manager of the private desktop does not answer")
            keeper.pause(0.005)

    def _start_manager(self) -> None:
        if self._manager:
            forget_manager(self.address, WORKSPACES)
            self._serve("window manager", self._manager)
            with connect(self.address) as display:
                atom, root = display.intern_atom("_NET_SUPPORTING_WM_CHECK"), display.screen().root
                self._wait(
                    lambda: root.get_full_property(atom, 0) is not None,
                    time.monotonic() + START,
                    f"the window manager {self._manager[0]}",
                )

    def _manager_state(self) -> tuple[tuple[object, ...], list[tuple[str, bytes]]]:
        """What programs can change of the window manager, as far as it shows: workspaces; settings by their path."""
        files = [name for name in self.home.list_files() if name.startswith(".config/xfce4/xfconf/")]
        return read_root(self.address, WORKSPACES), [(name, self.home.read_file(name)) for name in files]

    def _start_accessibility(self) -> None:
        """Start the accessibility bus, if nobody has."""
        request = ["--dest=org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus.GetAddress"]
        self.shell(shlex.join(["dbus-send", "--session", "--print-reply", *request]), 20.0)

    def _sound_modules(self) -> str:
        return self.shell("pactl list short modules", 20.0) if self.address.pulse else ""

    def _wait(self, ready: Callable[[], bool], until: float, what: str) -> None:
        while not ready():
            if self._dead or time.monotonic() > until:
                raise ConfigError(f"the private desktop does not start: {what} is not there; {self._last_words()}")
            keeper.pause(0.01)

    def _last_words(self) -> str:
        """The ends of its logs."""
        texts = []
        logs = HomeFolder(self._folder / "log", self._folder / "log", self.isolation.uid)
        for name in logs.list_files():
            with suppress(OSError):
                lines = logs.read_file(name).decode(errors="replace").strip().splitlines()[-3:]
                texts += [f"{name}: {line}" for line in lines]
        return "; ".join(texts) or "its logs say nothing"

    def _serve(self, name: str, command: Sequence[str]) -> None:
        self._services[name] = self.start(command).pid

    @property
    def alive(self) -> bool:
        """Whether it runs with all its services, none of them stopped."""
        return self._runs(self._services)

    @property
    def usable(self) -> bool:
        """Whether it can be seen and operated: its X server runs. Without its other services, sound, elements or the
        decoration of windows are missing, and the rest goes on."""
        return self._runs(("X server",))

    def _runs(self, services: Iterable[str]) -> bool:
        if self._closed or self._dead:
            return False
        outside = {process.pid: process.outside for process in self.processes()}
        rows = [keeper.process_row(outside.get(self._services.get(one, 0), 0)) for one in services]
        return all(row is not None and row.state not in "TtZX" for row in rows)

    def start(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> DesktopProcess:
        """Start a program in it, with more variables.

        Raises:
            ConfigError: there is no such program. EnvLost: the desktop has ended.
        """
        if not command or not is_installed(command[0]):
            raise ConfigError(f"there is no program {command[0] if command else ''!r} on this machine")
        number = f"{next(self._numbers)}"
        line = ["env", *(f"{name}={value}" for name, value in (environment or {}).items()), *command]
        log = self._folder / "log" / Path(command[0]).name
        starter = f'echo "{number}=$$" >&4; exec 4>&-; cd; exec "$@"'
        script = f"(setsid sh -c {shlex.quote(starter)} sh {shlex.join(line)} </dev/null >>{log} 2>&1 &)"
        pid = int(self._ask(number, script, 20.0))
        outside = next((one.outside for one in self.processes() if one.pid == pid), 0)
        return DesktopProcess(pid, outside, tuple(command))

    def open(self, name: str, wait: float = 0.0) -> DesktopProcess:
        """Start one of the known programs, with the settings that it needs here.

        Args:
            wait: seconds to wait at most for a new window, if there is a window manager to tell of it.

        Raises:
            ConfigError: it is unknown or not installed; the message names its package.
            EnvLost: it shows no window in time, or the desktop has ended.
        """
        program = find_program(name)
        for path, text in program.files.items():
            if not self.home.exists(path):
                self.home.write_file(path, text.encode())
        if not wait or "window manager" not in self._services:
            return self.start(program.command, program.environment)
        before = set(list_windows(self.address))
        process = self.start(program.command, program.environment)
        until = time.monotonic() + wait
        while before.issuperset(list_windows(self.address)):
            if self._dead or time.monotonic() > until:
                raise EnvLost(f"{name} shows no window within {wait:g} s; {self._last_words()}")
            keeper.pause(0.02)
        return process

    def shell(self, command: str, timeout: float) -> str:
        """Standard output of a command, run in the desktop as its user.

        Raises:
            TimeoutError: it was killed after `timeout` seconds.
            EnvLost: the desktop has ended, or a program in it took away what the command said.
        """
        number = f"{next(self._numbers)}"
        output, errors = (f"{kind}-{number}" for kind in ("output", "errors"))
        log = self._folder / "log"
        limited = shlex.join(["timeout", "-s", "KILL", f"{timeout:g}", "sh", "-c", command])
        script = f"(cd; {limited} </dev/null >{log / output} 2>{log / errors} 4>&-; echo {number}=$? >&4) &"
        code = self._ask(number, script, timeout + 20.0)
        logs = HomeFolder(log, log, self.isolation.uid)
        try:
            text = logs.read_file(output).decode("utf-8", "replace")
        except OSError as error:  # as its user, a program can do that
            raise EnvLost(f"what a command in the private desktop said cannot be read: {error}") from error
        for name in (output, errors):
            with suppress(OSError):
                (log / name).unlink()
        if code in ("124", "137"):
            raise TimeoutError(f"the command took longer than {timeout:g} s")
        return text

    def end_programs(self) -> None:
        """End every program, so that only the services run.

        Raises:
            EnvLost: one does not go.
        """
        until = time.monotonic() + 10.0
        while others := self._others():
            for process in others:
                keeper.kill(process.outside)
            if time.monotonic() > until:
                raise EnvLost(f"a program does not end: {' '.join(others[0].command)}")
            keeper.pause(0.005)

    def _others(self) -> list[DesktopProcess]:
        """All processes but the supervisor, the services, and the accessibility bus, which they have in common."""
        kept = {*self._services.values(), self._supervisor}
        return [one for one in self.processes() if one.pid not in kept and not _carries_accessibility(one)]

    def refresh(self) -> None:
        """Go back to the start: no programs, a fresh home, nothing of what the last ones left.

        The X server, the session bus and the sound server stay, so that whoever is connected remains so; the window
        manager is started anew.

        Raises:
            EnvLost: a service has gone or does not answer, or something was changed so that only a new desktop is like
                this one at its start.
        """
        try:
            self._refresh()
        except (OSError, ValueError, ConfigError) as error:  # a service that hangs, files made to be in the way
            raise EnvLost(f"the private desktop cannot be set back to its start: {error}") from error

    def _refresh(self) -> None:
        if not self.alive:
            raise EnvLost("a service of the private desktop has ended or is stopped")
        if self._manager_state() != self._manager_start:
            pid = self._services.pop("window manager", 0)
            for process in self.processes():
                if process.pid == pid:
                    keeper.kill(process.outside)
        self.end_programs()
        if not self.alive:
            raise EnvLost("a service of the private desktop has ended")
        kept = " ".join(f"! -path {shlex.quote(str(path))}" for path in ("/tmp/.X11-unix*", "/tmp/.X*-lock"))
        if self.isolation.kind == "bubblewrap":
            folder = f"! -path {self._folder} ! -path '{self._folder}/*'"
            self.shell(f"find /tmp /var/tmp /run /dev/shm -mindepth 1 {kept} {folder} -delete", 20.0)
        self.home.empty()
        self._fill_home()
        runtime = HomeFolder(self.address.runtime, self.address.runtime, self.isolation.uid)
        runtime.empty(kept=("at-spi", "bus", "pulse"))
        restore_x_state(self.address, self._x_state)
        if read_x_state(self.address) != self._x_state:
            # Not by the requests of the core protocol: they cannot say all that belongs to a layout.
            self.shell(KEYBOARD, 20.0)
            if read_x_state(self.address) != self._x_state:
                raise EnvLost("the X server of the private desktop was changed for good")
        if self.address.pulse:
            self.shell(f"pactl set-sink-volume {SINK} 100%; pactl set-sink-mute {SINK} 0", 20.0)
            if self._sound_modules() != self._modules:
                raise EnvLost("the modules of the private desktop's sound server were changed")
        if "window manager" in self._services:
            # Numbers of windows are used again: a new one must not be taken for one that is still listed.
            self._wait_for_manager(lambda: not list_windows(self.address))
            for name, data in self._manager_start[1]:
                self.home.write_file(name, data)
        else:
            self._start_manager()

    def processes(self) -> tuple[DesktopProcess, ...]:
        """Its programs and services, as long as they run."""
        if self._keeper is None:
            return ()
        found = []
        level = 1 if self.isolation.kind == "bubblewrap" else 0
        for row in keeper.descendants(self._keeper.pid):
            with suppress(OSError, ValueError):
                status = Path(f"/proc/{row.pid}/status").read_text(encoding="utf-8", errors="replace")
                inside = next(line.split()[1:] for line in status.splitlines() if line.startswith("NSpid:"))
                if len(inside) <= level or inside[level] == "1":  # bubblewrap itself
                    continue
                words = Path(f"/proc/{row.pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
                # One that is just ending has no command line any more.
                command = tuple(words[:-1]) or (status.splitlines()[0].removeprefix("Name:").strip(),)
                found.append(DesktopProcess(int(inside[level]), row.pid, command))
        return tuple(sorted(found, key=lambda one: one.pid))

    def close(self) -> None:
        """End it and remove all that it left: processes, sockets, folders. May be called twice."""
        if self._closed:
            return
        self._closed = True
        if self._relay is not None:
            try:
                self._relay.communicate(timeout=5.0)  # closes its input, which ends it
            except subprocess.TimeoutExpired:
                self._relay.kill()
                self._relay.communicate()
        if self._keeper is not None:
            self.why_ended()
            for number in (self._owner, self._commands, self._told):
                os.close(number)
            self._told = -1
            with suppress(subprocess.TimeoutExpired):
                self._keeper.wait(20.0)
            if self._keeper.poll() is None:
                self._keeper.kill()
                self._keeper.wait()
            keeper.kill_marked(self._mark)  # some are left only if somebody has killed the keeper
        keeper.remove(self._folder, getattr(self, "_link", None))


def _carries_accessibility(process: DesktopProcess) -> bool:
    """Whether it belongs to the accessibility bus; a program of the desktop's own user that is only called so, does
    not."""
    try:
        if os.stat(f"/proc/{process.outside}/exe").st_uid != 0:
            return False
        program = Path(os.readlink(f"/proc/{process.outside}/exe")).name
    except OSError:
        return False
    return program.startswith("at-spi") or (program == "dbus-daemon" and ACCESSIBILITY in " ".join(process.command))


def _folder() -> Path:
    """A new folder with a path short enough for the sockets in it."""
    root = Path(tempfile.gettempdir())
    short = root if len(str(root)) <= 40 else Path("/tmp")
    return Path(tempfile.mkdtemp(prefix="omnipilot-desktop-", dir=short))


def _manager(name: str) -> Sequence[str]:
    if not name:
        return ()
    if name not in WINDOW_MANAGERS:
        raise ConfigError(f"unknown window manager {name!r}; known are {', '.join(WINDOW_MANAGERS)}, and '' for none")
    command = WINDOW_MANAGERS[name]
    if not is_installed(command[0]):
        raise ConfigError(f"{command[0]} is not installed; run as root: apt install {name}")
    return command


def check_system(window_manager: str, sound: bool = True) -> None:
    """Make sure that the programs of a private desktop are there; nothing is started.

    Args:
        window_manager: a name in `WINDOW_MANAGERS`, "" for none.

    Raises:
        ConfigError: one is missing; the message names its package.
    """
    _check_parts(sound)
    _manager(window_manager)


def _check_parts(sound: bool) -> None:
    needed = ["Xvfb", "dbus-daemon", *(["pulseaudio"] if sound else []), *(["setpriv"] if os.geteuid() == 0 else [])]
    lacking = [PACKAGES[name] for name in needed if shutil.which(name, path=PATH) is None]
    if lacking:
        raise ConfigError(f"a private desktop needs more programs; run as root: apt install {' '.join(lacking)}")
