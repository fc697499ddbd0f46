"""A phone at a real adb server: commands, files, deadlines, and what happens when either goes."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from adb_server import AdbServerProcess, free_port

from omnipilot.envs import Click, ConfigError, EnvLost, Modality, Point
from omnipilot.envs.android import AdbServer, AndroidEnv
from omnipilot.envs.android.connection import AdbConnection, CommandTimeout
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.adb.server import PhoneServer

SOON = 8.0
"""Seconds within which a loss has to show."""


@pytest.fixture
def adb(tmp_path: Path) -> Iterator[AdbServerProcess]:
    server = AdbServerProcess(tmp_path)
    yield server
    server.kill()


@pytest.fixture
def phone() -> Iterator[PhoneServer]:
    with PhoneServer(SimWorld()) as server:
        yield server


@pytest.fixture
def connection(adb: AdbServerProcess, phone: PhoneServer) -> AdbConnection:
    made = AdbConnection(phone.serial, AdbServer.parse(adb.address))
    made.connect()
    return made


def lost_soon(call: Callable[[], object], words: str = "phone|adb") -> None:
    begun = time.monotonic()
    with pytest.raises(EnvLost, match=words):
        call()
    assert time.monotonic() - begun < SOON


@pytest.mark.desktop("adb")
def test_commands_and_files_go_through_debians_adb(connection: AdbConnection) -> None:
    assert connection.shell("echo hello; echo there", 10).text == "hello\nthere\n"
    assert connection.shell("false", 10).status == 1
    assert connection.shell("no-such-program", 10).status == 127
    assert "no-such-program" in connection.shell("no-such-program", 10).text, "standard error is in it"
    assert connection.execute("screencap -p", 10).startswith(b"\x89PNG\r\n")
    content = bytes(range(256)) * 2000
    connection.push(content, "/sdcard/Download/a.bin", 20)
    assert connection.pull("/sdcard/Download/a.bin", 20) == content
    with pytest.raises(FileNotFoundError, match=r"none\.bin"):
        connection.pull("/sdcard/none.bin", 10)
    connection.connect()
    assert connection.shell("cat /sdcard/Download/a.bin | wc -c", 10).text.strip() == str(len(content))


@pytest.mark.desktop("adb")
def test_a_command_that_does_not_end_meets_its_deadline(connection: AdbConnection) -> None:
    begun = time.monotonic()
    with pytest.raises(CommandTimeout, match="did not answer"):
        connection.shell("sleep 20", 0.5)
    assert time.monotonic() - begun < 2
    connection.check()


@pytest.mark.desktop("adb")
def test_a_phone_that_goes_in_the_middle_of_a_command_is_lost(connection: AdbConnection, phone: PhoneServer) -> None:
    threading.Timer(0.5, phone.stop).start()
    lost_soon(lambda: connection.shell("sleep 30", 40))
    lost_soon(connection.check)
    lost_soon(lambda: connection.pull("/sdcard/a", 10))
    lost_soon(lambda: connection.push(b"a", "/sdcard/a", 10))
    lost_soon(lambda: connection.start("screenrecord /sdcard/a.mp4"))


@pytest.mark.desktop("adb")
def test_an_adb_server_that_is_killed_in_the_middle_of_a_command_loses_the_phone_and_is_not_restarted(
    connection: AdbConnection, adb: AdbServerProcess
) -> None:
    threading.Timer(0.5, adb.kill).start()
    lost_soon(lambda: connection.shell("sleep 30", 40))
    lost_soon(connection.check)
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", adb.port), 1).close()


@pytest.mark.desktop("adb")
def test_between_episodes_it_reconnects(connection: AdbConnection, adb: AdbServerProcess, phone: PhoneServer) -> None:
    adb.kill()
    lost_soon(lambda: connection.shell("true", 10))
    adb.start()
    lost_soon(lambda: connection.shell("true", 10))  # the new server does not know the phone
    connection.connect()
    assert connection.shell("echo back", 10).text == "back\n"
    # A phone that was restarted at the same port is offline for the server, which then says "already connected".
    port = phone.port
    phone.stop()
    lost_soon(lambda: connection.shell("true", 10))
    with PhoneServer(SimWorld(), port):
        connection.connect()
        assert connection.shell("echo back", 10).text == "back\n"


@pytest.mark.desktop("adb")
def test_an_episode_ends_when_the_phone_goes_in_the_middle_of_a_step(adb: AdbServerProcess, phone: PhoneServer) -> None:
    env = AndroidEnv(phone.serial, adb_server=adb.address)
    env.observe({Modality.SCREENSHOT}, 0.0)
    threading.Timer(0.2, phone.stop).start()

    def go_on() -> None:
        while True:
            env.act(Click(Point(0.5, 0.5)))

    lost_soon(go_on)
    lost_soon(lambda: env.observe(frozenset(Modality), 0.0))
    env.close()


@pytest.mark.desktop("adb")
def test_an_episode_ends_when_the_adb_server_goes_in_the_middle_of_a_step(
    adb: AdbServerProcess, phone: PhoneServer
) -> None:
    env = AndroidEnv(phone.serial, adb_server=adb.address)
    env.observe(frozenset(Modality), 0.0)
    threading.Timer(0.2, adb.kill).start()

    def go_on() -> None:
        while True:
            env.observe({Modality.SCREENSHOT, Modality.CONTEXT}, 0.0)

    lost_soon(go_on)
    lost_soon(lambda: env.act(Click(Point(0.5, 0.5))))
    env.close()


@pytest.mark.desktop("adb")
def test_a_server_is_started_where_none_answers(
    phone: PhoneServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    server = AdbServer(port=free_port())
    made = AdbConnection(phone.serial, server)
    try:
        made.connect()
        assert made.shell("echo started", 10).text == "started\n"
    finally:
        with suppress(EnvLost):  # it ends without an answer
            made._ask("host:kill")


def test_where_no_server_may_be_started_that_is_said() -> None:
    port = free_port()
    with pytest.raises(EnvLost, match="start one there"):
        AdbConnection("emulator-5554", AdbServer(port=port, start=False)).connect()


def test_a_server_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("omnipilot.envs.android.connection.STATE_SECONDS", 0.3)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        made = AdbConnection("emulator-5554", AdbServer(port=silent.getsockname()[1]))
        lost_soon(lambda: made.execute("true", 0.3), "did not answer")
        lost_soon(made.check, "did not answer")


class Fake:
    """An adb server that gives one answer to everything."""

    def __init__(self, answer: bytes) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._answer = answer
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            try:
                peer, _ = self._socket.accept()
            except OSError:
                return
            with peer:
                peer.recv(1000)
                peer.sendall(self._answer)

    def close(self) -> None:
        self._socket.close()


def failure(words: str) -> bytes:
    return f"FAIL{len(words):04x}{words}".encode()


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (
            failure("device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set"),
            ConfigError,
            "Allow USB debugging",
        ),
        (failure("device 'R58M' not found"), EnvLost, "not listed"),
        (failure("device offline"), EnvLost, "offline"),
        (b"OKAY0007offline", EnvLost, "offline"),
        (b"", EnvLost, "R58M"),
        (b"HTTP/1.1 400 Bad Request\r\n", EnvLost, "R58M"),
    ],
)
def test_a_phone_that_is_not_ready_says_why(answer: bytes, error: type[Exception], words: str) -> None:
    server = Fake(answer)
    try:
        with pytest.raises(error, match=words):
            AdbConnection("R58M", AdbServer(port=server.port)).connect()
    finally:
        server.close()


def test_a_server_is_found_as_adb_finds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ADB_SERVER_SOCKET", "ANDROID_ADB_SERVER_ADDRESS", "ANDROID_ADB_SERVER_PORT"):
        monkeypatch.delenv(name, raising=False)
    assert AdbServer.from_environment() == AdbServer("127.0.0.1", 5037)
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "6000")
    assert AdbServer.from_environment() == AdbServer("127.0.0.1", 6000)
    monkeypatch.setenv("ADB_SERVER_SOCKET", "tcp:lab:7000")
    assert AdbServer.from_environment() == AdbServer("lab", 7000)
    monkeypatch.setenv("ADB_SERVER_SOCKET", "tcp:7001")
    assert str(AdbServer.from_environment()) == "127.0.0.1:7001"
    monkeypatch.setenv("ADB_SERVER_SOCKET", "localfilesystem:/tmp/adb")
    with pytest.raises(ConfigError, match="PORT or HOST:PORT"):
        AdbServer.from_environment()
    with pytest.raises(ConfigError, match="serial"):
        AdbConnection("")
