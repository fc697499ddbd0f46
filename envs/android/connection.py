"""One phone at an adb server: commands and files, each with a deadline."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol

from omnipilot.envs.logs import log_time, logger_of
from omnipilot.envs.types.errors import ConfigError, EnvLost, require

_LOG = logger_of("adb")

PORT = 5037
MOST_BYTES = 256 << 20
"""Maximum size of a file; a phone that sends more is given up."""
MOST_OUTPUT = 64 << 20
"""Maximum size of what a command prints: a raw screenshot of 3840x2160 has 33 MB."""
MOST_TEXT = 16 << 20
"""Maximum size of what a command prints that is read as text."""
MOST_PART = 1 << 20
"""Maximum bytes that a phone may announce at once; the protocol allows 64 KiB."""
STATE_SECONDS = 5.0
CONNECT_SECONDS = 10.0
START_SECONDS = 20.0
"""Maximum seconds to ask for a phone's state, to connect to a phone, and to start an adb server."""
_CHUNK = 1 << 16
UNTRUSTED = "the phone {} does not trust this computer: unlock it and confirm 'Allow USB debugging?'"
_NETWORKED = re.compile(r"^(?P<host>\[[0-9a-fA-F:]+\]|[\w.-]+):\d+$")
_CONNECTED = re.compile(r"(?:already )?connected to")
_EXIT = "__exit:"


class CommandTimeout(EnvLost):
    """A command did not end before its deadline; whoever can do without its answer goes on without it."""


@dataclass(frozen=True, slots=True)
class AdbServer:
    """Where an adb server listens.

    Attributes:
        host, port: of the server. start: whether one is started there if none answers; only on this machine.
    """

    host: str = "127.0.0.1"
    port: int = PORT
    start: bool = True

    @classmethod
    def from_environment(cls) -> AdbServer:
        """The server that adb itself would use: ADB_SERVER_SOCKET (`tcp:[HOST:]PORT`), else ANDROID_ADB_SERVER_ADDRESS
        and ANDROID_ADB_SERVER_PORT, else 127.0.0.1:5037.

        Raises:
            ConfigError: a variable has another form.
        """
        address = os.environ.get("ADB_SERVER_SOCKET", "")
        if not address:
            host = os.environ.get("ANDROID_ADB_SERVER_ADDRESS", "127.0.0.1")
            address = f"tcp:{host}:{os.environ.get('ANDROID_ADB_SERVER_PORT', PORT)}"
        return cls.parse(address.removeprefix("tcp:"))

    @classmethod
    def parse(cls, text: str) -> AdbServer:
        """From "PORT" or "HOST:PORT".

        Raises:
            ConfigError: anything else.
        """
        host, _, port = text.rpartition(":")
        if not port.isdecimal() or not 0 < int(port) < 65536:
            raise ConfigError(f"an adb server is PORT or HOST:PORT, such as 127.0.0.1:5037, not {text!r}")
        return cls(host or "127.0.0.1", int(port))

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Output:
    """What a command printed, on either stream, and its exit status."""

    text: str
    status: int


class PhoneConnection(Protocol):
    """The commands and files of one phone; implemented by `AdbConnection`, and by scripted ones in tests."""

    @property
    def serial(self) -> str: ...

    def connect(self) -> None: ...

    def check(self) -> None: ...

    def execute(self, command: str, timeout: float) -> bytes: ...

    def shell(self, command: str, timeout: float) -> Output: ...

    def start(self, command: str) -> CommandStream: ...

    def pull(self, path: str, timeout: float) -> bytes: ...

    def push(self, content: bytes, path: str, timeout: float) -> None: ...


class CommandStream:
    """A running command whose output is read while it runs."""

    def __init__(self, connection: Any) -> None:
        self._socket: socket.socket = connection.conn

    def read(self, timeout: float | None = None) -> bytes:
        """The next output, b"" when the command has ended.

        Raises:
            TimeoutError: none came within `timeout` seconds.
        """
        self._socket.settimeout(timeout)
        try:
            return self._socket.recv(_CHUNK)
        except TimeoutError:
            raise
        except OSError:
            return b""

    def write(self, data: bytes) -> None:
        """Send bytes to the command's standard input; none arrive at one that has ended."""
        with suppress(OSError):
            self._socket.sendall(data)

    def close(self) -> None:
        """Close the stream, which ends a read in another thread; the command is told by a broken pipe. May be called
        twice."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


class AdbConnection:
    """A phone at an adb server, over adbutils' transport.

    Every call opens a connection of its own to the server, has a deadline and raises `EnvLost` if the phone or the
    server is gone. Nothing reconnects by itself, and no server is started in the middle of an episode: a phone that
    comes back is not the phone that the episode was played on.

    Args:
        serial: as `adb devices` lists it ("emulator-5554", "192.168.0.7:5555", "R58M…").

    Raises:
        MissingExtra: adbutils is not installed.
    """

    def __init__(self, serial: str, server: AdbServer | None = None) -> None:
        if not serial:
            raise ConfigError("name the phone by its serial, as `adb devices` lists it")
        self.serial = serial
        self.server = server or AdbServer.from_environment()
        self._adbutils: Any = require("adbutils", "android")
        self._connection_class = _connection_class()

    def connect(self) -> None:
        """Make sure that the phone is there, starting the adb server and connecting over the network if need be.

        A phone on the network is disconnected first: the server says "already connected" of one that is offline.

        Raises:
            EnvLost: the phone is not there. ConfigError: it does not allow this computer to debug it.
        """
        self._start_server()
        found = self._state()
        if found != "device" and _NETWORKED.match(self.serial):
            with suppress(EnvLost):
                self._ask(f"host:disconnect:{self.serial}")
            told = self._ask(f"host:connect:{self.serial}", CONNECT_SECONDS)
            until = time.monotonic() + STATE_SECONDS
            pause = threading.Event()
            while (found := self._state()) != "device" and _CONNECTED.match(told) and time.monotonic() < until:
                pause.wait(0.05)
            if found != "device":
                raise EnvLost(f"the phone {self.serial} cannot be connected: {told or found or 'it is not listed'}")
        if found == "unauthorized":
            raise ConfigError(UNTRUSTED.format(self.serial))
        if found != "device":
            raise EnvLost(f"the phone {self.serial} is {found or 'not listed'}; see `adb devices`")

    def look(self) -> None:
        """Make sure that a server that runs knows the phone. No server is started, and no phone connected.

        Raises:
            EnvLost: it does not, or the server of another machine does not answer. ConfigError: it does not allow this
                computer to debug it.
        """
        try:
            self._dial(STATE_SECONDS).close()
        except (self._adbutils.AdbError, OSError) as error:
            if self._starts_server:
                return
            raise EnvLost(f"no adb server answers at {self.server}; start one there: adb start-server") from error
        found = self._state()
        if found == "unauthorized":
            raise ConfigError(UNTRUSTED.format(self.serial))
        if found != "device" and not _NETWORKED.match(self.serial):
            raise EnvLost(f"the phone {self.serial} is {found or 'not listed'}; see `adb devices`")

    @property
    def _starts_server(self) -> bool:
        """Whether a server is started where none answers: on this machine alone."""
        return self.server.start and self.server.host in ("127.0.0.1", "localhost", "::1")

    def check(self) -> None:
        """Make sure that the phone is still there.

        Raises:
            EnvLost: it is not.
        """
        state = self._state()
        if state != "device":
            raise EnvLost(f"the phone {self.serial} is {state or 'gone'}")

    def execute(self, command: str, timeout: float) -> bytes:
        """Run a shell command; returns its output as it is, standard error included.

        The `exec:` service is used, because `shell:` of Android 6 and older turns each LF into CRLF.

        Raises:
            CommandTimeout: it did not end within `timeout` seconds. EnvLost: the phone is gone.
        """
        return self._execute(command, timeout, MOST_OUTPUT)

    def _execute(self, command: str, timeout: float, most: int) -> bytes:
        until = time.monotonic() + timeout
        parts: list[bytes] = []
        size = 0
        with log_time(_LOG, f"{self.serial}: {command}"), self._lost_if_gone(command, timeout):
            connection = self._transport(timeout, f"exec:{command}")
            try:
                while True:
                    connection.conn.settimeout(max(0.001, until - time.monotonic()))
                    part = connection.conn.recv(_CHUNK)
                    if not part:
                        return b"".join(parts)
                    parts.append(part)
                    size += len(part)
                    if size > most:
                        raise EnvLost(f"the phone {self.serial} sent more than {most} bytes for {command[:60]!r}")
                    if time.monotonic() > until:
                        raise TimeoutError
            finally:
                connection.close()

    def shell(self, command: str, timeout: float) -> Output:
        """Run a shell command; returns what it printed and its exit status.

        Raises:
            CommandTimeout: it did not end within `timeout` seconds. EnvLost: the phone is gone.
        """
        answer = self._execute(f"{command}\necho {_EXIT}$?", timeout, MOST_TEXT).decode("utf-8", "replace")
        text, mark, status = answer.rpartition(_EXIT)
        if not mark or not status.strip().isdecimal():
            # The answer was cut off: the phone is gone, or its shell could not read the line.
            self.check()
            return Output(answer, 2)
        return Output(text, int(status))

    def start(self, command: str) -> CommandStream:
        """Start a command whose output is read while it runs."""
        with log_time(_LOG, f"{self.serial}: start {command}"), self._lost_if_gone(command, STATE_SECONDS):
            return CommandStream(self._transport(STATE_SECONDS, f"exec:{command}"))

    def pull(self, path: str, timeout: float) -> bytes:
        """Content of a file.

        Raises:
            FileNotFoundError: there is no such file, or it may not be read.
            CommandTimeout: it took too long. EnvLost: the phone is gone.
        """
        until = time.monotonic() + timeout
        parts: list[bytes] = []
        size = 0
        with log_time(_LOG, f"{self.serial}: pull {path}"), self._lost_if_gone(f"a request for {path}", timeout):
            try:
                for part in self._device(timeout).sync.iter_content(path):
                    parts.append(part)
                    size += len(part)
                    if size > MOST_BYTES:
                        raise EnvLost(f"{path} on {self.serial} is larger than {MOST_BYTES} bytes")
                    if time.monotonic() > until:
                        raise TimeoutError
            except self._adbutils.AdbError as error:
                if len(error.args) == 2 and error.args[1] == path:  # the phone's own answer
                    raise FileNotFoundError(f"{path}: {error.args[0]}") from error
                raise
        return b"".join(parts)

    def push(self, content: bytes, path: str, timeout: float) -> None:
        """Write a file.

        Raises:
            CommandTimeout: it took too long. EnvLost: the phone is gone, or does not take the file.
        """
        with log_time(_LOG, f"{self.serial}: push {path}"), self._lost_if_gone(f"a file for {path}", timeout):
            self._device(timeout).sync.push(content, path, 0o644)

    def _device(self, timeout: float) -> Any:
        """adbutils' device, whose connections are ours: with a deadline, and starting no server."""
        device = self._adbutils.AdbDevice(self._adbutils.AdbClient(self.server.host, self.server.port), self.serial)
        device.open_transport = lambda *_, **__: self._transport(timeout)
        return device

    def _dial(self, timeout: float) -> Any:
        connection = self._connection_class(self.server.host, self.server.port)
        connection.conn.settimeout(timeout)
        return connection

    def _transport(self, timeout: float, service: str = "") -> Any:
        """A connection to the phone, at one of its services."""
        connection = self._dial(timeout)
        try:
            for request in (f"host:transport:{self.serial}", *([service] if service else [])):
                connection.send_command(request)
                connection.check_okay()
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _lost_if_gone(self, what: str, timeout: float) -> Iterator[None]:
        """Errors of the transport become `EnvLost`, its deadlines `CommandTimeout`."""
        try:
            yield
        except (EnvLost, FileNotFoundError):
            raise
        except (TimeoutError, self._adbutils.AdbTimeout) as error:
            raise CommandTimeout(f"the phone {self.serial} did not answer {what[:80]!r} in {timeout:g} s") from error
        except (self._adbutils.AdbError, EOFError, OSError, ValueError) as error:
            told = str(error) or type(error).__name__
            raise EnvLost(f"the phone {self.serial} is gone: {told}") from error

    def _state(self) -> str:
        """The phone's state for the server: "device", "offline", "unauthorized", …; "" if it is not listed.

        Raises:
            EnvLost: no server answers.
        """
        try:
            return self._ask(f"host-serial:{self.serial}:get-state")
        except EnvLost as error:
            told = str(error)
            if "not found" in told:
                return ""
            for state in ("unauthorized", "offline", "no permissions", "authorizing"):
                if state in told:
                    return state
            raise

    def _ask(self, request: str, timeout: float | None = None) -> str:
        """The server's answer to a request of its own."""
        timeout = timeout or STATE_SECONDS
        with self._lost_if_gone(request, timeout):
            connection = self._dial(timeout)
            try:
                connection.send_command(request)
                connection.check_okay()
                return str(connection.read_string_block())
            finally:
                connection.close()

    def _start_server(self) -> None:
        """Start a server if none answers.

        Raises:
            EnvLost: it cannot be started, or it is on another machine.
        """
        try:
            self._dial(STATE_SECONDS).close()
            return
        except (self._adbutils.AdbError, OSError) as error:
            if not self._starts_server:
                raise EnvLost(f"no adb server answers at {self.server}; start one there: adb start-server") from error
        command = [self._adbutils.adb_path(), "-P", str(self.server.port), "start-server"]
        surroundings = {name: value for name, value in os.environ.items() if name != "ADB_SERVER_SOCKET"}
        try:
            done = subprocess.run(
                command, env=surroundings, capture_output=True, text=True, timeout=START_SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EnvLost(f"no adb server could be started at {self.server}: {error}") from error
        if done.returncode:
            raise EnvLost(f"no adb server could be started at {self.server}: {done.stderr.strip()}")


def _connection_class() -> Any:
    """adbutils' connection to a server, which otherwise starts a server (at the default port) where none answers."""
    module: Any = require("adbutils._adb", "android")

    class ServerConnection(module.AdbConnection):  # type: ignore[misc]
        def _safe_connect(self) -> socket.socket:
            return self._create_socket()  # type: ignore[no-any-return]

        def read(self, n: int) -> bytes:
            # The other side announces how much comes; adbutils would wait for all of it.
            if n > MOST_PART:
                raise module.AdbError(f"the phone announces {n} bytes at once")
            return super().read(n)  # type: ignore[no-any-return]

    return ServerConnection
