"""A served phone at its port: services, limits, random bytes, and that nothing of it reaches this machine."""

from __future__ import annotations

import random
import socket
import statistics
import struct
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from adb_host import CLSE, CNXN, MAX, OKAY, OPEN, WRTE, AdbHost, message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omnipilot.envs import ConfigError
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.adb import PhoneServer
from omnipilot.envs.sim.adb.connection import MOST_STREAMS


@pytest.fixture(scope="module")
def server() -> Iterator[PhoneServer]:
    world = SimWorld()
    world.reset(1)
    with PhoneServer(world) as server:
        yield server


def test_it_introduces_itself_and_answers(server: PhoneServer) -> None:
    with AdbHost(server.port) as host:
        assert host.banner.startswith(b"device::ro.product.name=omnipilot_phone;")
        assert host.shell("echo a; nope") == "a\n/system/bin/sh: nope: inaccessible or not found\n"
        assert host.run("echo a; nope; exit 3") == (3, "a\n", "/system/bin/sh: nope: inaccessible or not found\n")
        assert host.read_all("exec:screencap '-p'") == server.phone.picture().png()
        with pytest.raises(ConnectionRefusedError):
            host.open("tcp:22")
        with pytest.raises(ConnectionRefusedError):
            host.open("localabstract:minicap")
        assert "production builds" in host.read_all("root:").decode()


def test_raw_pictures_are_those_of_the_png(server: PhoneServer) -> None:
    with AdbHost(server.port) as host:
        raw = host.read_all("exec:screencap")
        buffer = host.read_all("framebuffer:")
    rgb = server.phone.picture().rgb
    assert struct.unpack("<4I", raw[:16]) == (412, 916, 1, 1)
    assert struct.unpack("<5I", buffer[:20]) == (1, 32, 412 * 916 * 4, 412, 916)
    assert raw[16:] == buffer[52:]
    assert raw[16::4] == rgb[::3]
    assert set(raw[19::4]) == {255}


def test_two_megabytes_come_back_equal_and_a_small_file_quickly(server: PhoneServer) -> None:
    data = random.Random(1).randbytes(2_000_000)
    with AdbHost(server.port) as host:
        stream = host.open("sync:")
        sent = b"SEND" + struct.pack("<I", 15) + b"/sdcard/a,33188"
        for at in range(0, len(data), 65536):
            part = data[at : at + 65536]
            sent += b"DATA" + struct.pack("<I", len(part)) + part
        sent += b"DONE" + struct.pack("<I", 5)
        for at in range(0, len(sent), MAX):
            stream.write(sent[at : at + MAX])
        assert stream.read(8) == b"OKAY" + bytes(4)
        stream.write(b"RECV" + struct.pack("<I", 9) + b"/sdcard/a")
        found = b""
        while (head := stream.read(8))[:4] == b"DATA":
            found += stream.read(struct.unpack("<I", head[4:])[0])
        assert found == data
        stream.close()
        host.shell("echo small > /sdcard/b")
        times = []
        stream = host.open("sync:")
        for _ in range(15):
            begun = time.perf_counter()
            stream.write(b"RECV" + struct.pack("<I", 9) + b"/sdcard/b")
            assert stream.read(22) == b"DATA" + struct.pack("<I", 6) + b"small\n" + b"DONE" + bytes(4)
            times.append(time.perf_counter() - begun)
        stream.close()
    # Alone it takes under a millisecond; with DONE in a message of its own it would take 40.
    assert statistics.median(times) < 0.02


def test_a_thousand_streams_that_nobody_reads_end_in_refusals(server: PhoneServer) -> None:
    with AdbHost(server.port) as host:
        host.socket.sendall(b"".join(message(OPEN, n, 0, b"exec:screencap\0") for n in range(1, 1001)))
        with AdbHost(server.port) as other:
            assert other.shell("echo alive") == "alive\n"
        refused = opened = 0
        while refused + opened < 1000:
            command, _, _, _ = host.receive()
            refused, opened = refused + (command == CLSE), opened + (command == OKAY)
        assert opened == MOST_STREAMS
    with AdbHost(server.port) as other:
        assert other.shell("echo alive") == "alive\n"


FRAGMENT = st.builds(
    message,
    st.sampled_from([CNXN, OPEN, OKAY, CLSE, WRTE, 0x59415353]),
    st.integers(0, 3),
    st.integers(0, 3),
    st.sampled_from([b"", b"shell:cat\0", b"sync:\0", b"shell,v2:\0", b"reverse:forward:tcp:0;tcp:1\0", b"tcp:9008\0"])
    | st.binary(max_size=60),
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(FRAGMENT | st.binary(max_size=30), max_size=12).map(b"".join))
def test_whatever_comes_it_closes_or_answers_and_lives(server: PhoneServer, data: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as one:
        one.sendall(message(CNXN, 0x01000001, MAX, b"host::\0") + data)
    with AdbHost(server.port) as host:
        assert host.shell("echo alive") == "alive\n"


WATCHED = (
    *("open", "subprocess.Popen", "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn"),
    *("os.listdir", "os.scandir", "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate"),
    *("socket.connect", "socket.getaddrinfo", "ctypes.dlopen", "shutil.rmtree", "glob.glob"),
)
LINES = (
    *("cat /etc/passwd; ls / /etc /home; find / -name '*'", "rm -rf / /*; rm -rf /sdcard", "echo $(cat /etc/hostname)"),
    *(
        "echo x > /tmp/x; cp /etc/passwd /sdcard/",
        "/bin/sh -c id; /usr/bin/id; ../../bin/ls",
        "sh -c 'cat /proc/1/environ'",
    ),
    *("screencap -p /sdcard/a.png; md5sum /sdcard/a.png", "uiautomator dump; cat /sdcard/window_dump.xml"),
    *("dumpsys window; dumpsys activity; pm list packages; settings list system; getprop", "am start -d file:///etc/x"),
    *(
        "input tap 100 300; input swipe 100 600 100 200 20; input text hello; input keyevent HOME",
        "sqlite3 /x 'select 1'",
    ),
    "soundcap -t 1 /sdcard/s.wav; am broadcast -a clipper.get; content query --uri content://sms",
)


def test_nothing_of_it_reaches_this_machine(server: PhoneServer) -> None:
    seen: list[tuple[str, object]] = []
    armed = threading.Event()

    def watch(event: str, details: object) -> None:
        if armed.is_set() and event in WATCHED and threading.current_thread().name == "phone-server":
            seen.append((event, details))

    def play(host: AdbHost) -> None:
        for line in LINES:
            host.shell(line)
        for service in ("sync:", "framebuffer:"):
            stream = host.open(service)
            stream.write(b"RECV" + struct.pack("<I", 11) + b"/etc/passwd") if service == "sync:" else stream.read(52)
            stream.close()

    with AdbHost(server.port) as host:
        # What is loaded late is loaded now.
        play(host)
        sys.addaudithook(watch)
        armed.set()
        try:
            play(host)
        finally:
            armed.clear()
    assert seen == []


def test_the_watch_would_see_it() -> None:
    seen = []
    armed = threading.Event()
    sys.addaudithook(lambda event, _: seen.append(event) if armed.is_set() else None)
    armed.set()
    with open("/etc/hostname"):
        pass
    armed.clear()
    assert "open" in seen


def test_several_phones_are_apart() -> None:
    first, second = SimWorld(), SimWorld()
    second.reset(2)
    with PhoneServer(first) as one, PhoneServer(second) as other:
        assert one.serial != other.serial
        with AdbHost(one.port) as host, AdbHost(other.port) as there:
            host.shell("am start -n com.omnipilot.music/.MusicActivity; echo a > /sdcard/a")
            assert "MusicActivity" in host.shell("dumpsys window | grep mCurrentFocus")
            assert "HomeActivity" in there.shell("dumpsys window | grep mCurrentFocus")
            assert "No such file" in there.shell("cat /sdcard/a")


def test_the_clock_runs_as_on_the_wall() -> None:
    world = SimWorld()
    with PhoneServer(world, rate=50.0) as server, AdbHost(server.port) as host:
        before, begun = server.phone.now, time.monotonic()
        host.run("sleep 5")
        passed = server.phone.now - before
        assert 4 < passed < 50 * (time.monotonic() - begun) + 15
        assert time.monotonic() - begun >= 0.1


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"host": "0.0.0.0"}, "no password"),
        ({"port": 5555}, "emulator"),
        ({"port": 5584}, "--emulator"),
        ({"port": 6001, "emulator": True}, "odd ports"),
    ],
)
def test_it_is_served_on_this_machine_alone_and_outside_the_ports_of_emulators(settings: dict, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        PhoneServer(SimWorld(), **settings)


def test_a_port_that_is_taken_is_an_error(server: PhoneServer) -> None:
    with pytest.raises(ConfigError, match="cannot be listened on"):
        PhoneServer(SimWorld(), server.port).start()


def test_it_ends_with_open_streams_and_may_be_stopped_twice() -> None:
    server = PhoneServer(SimWorld()).start()
    with AdbHost(server.port) as host:
        stream = host.open("shell:sleep 100")
        server.stop()
        with pytest.raises((ConnectionError, TimeoutError)):
            stream.read_all()
            host.receive()
    server.stop()
    assert not [thread for thread in threading.enumerate() if thread is server._thread]
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port), timeout=5)


def test_a_world_that_is_closed_is_a_phone_that_is_gone() -> None:
    world = SimWorld()
    with PhoneServer(world) as server, AdbHost(server.port) as host:
        world.close()
        with pytest.raises(ConnectionError):
            while True:
                host.receive()
        with pytest.raises(ConnectionError):
            AdbHost(server.port)
