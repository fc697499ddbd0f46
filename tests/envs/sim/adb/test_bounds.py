"""What a served phone does with lines that would take forever or fill the memory, and with hosts that say nothing."""

from __future__ import annotations

import contextlib
import random
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from adb_host import MAX, OPEN, AdbHost, message
from hypothesis import given, settings
from hypothesis import strategies as st

from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.adb import PhoneServer
from omnipilot.envs.sim.adb import server as serving
from omnipilot.envs.sim.adb.patterns import MOST_STEPS, ShellPattern, Steps, TooManySteps, grep_pattern
from omnipilot.envs.sim.ui.text_editing import MOST_TEXT

CLI = "from omnipilot.bench.cli.app import main; main()"
POLYNOMIAL = "grep -E 'a*a*a*a*a*a*a*b' /sdcard/long"
MANY_STATES = "grep -E '(a|b)*a(a|b){300}$' /sdcard/mixed"
MIXED = "".join(random.Random(1).choices("ab", k=100_000))


def prepare(host: AdbHost) -> None:
    """Put files on the phone for the lines here."""
    texts = {"long": "a" * 2**14 + "\n", "lines": "".join(f"{n}\n" for n in range(1, 100_000)), "mixed": MIXED}
    for name, text in texts.items():
        stream = host.open("sync:")
        place = f"/sdcard/{name},33188".encode()
        parts = [text[at : at + 50_000].encode() for at in range(0, len(text), 50_000)]
        sent = b"".join(b"DATA" + struct.pack("<I", len(part)) + part for part in parts)
        stream.write(b"SEND" + struct.pack("<I", len(place)) + place + sent + b"DONE" + struct.pack("<I", 5))
        assert stream.read(8) == b"OKAY" + bytes(4)
        stream.close()


@pytest.fixture(scope="module")
def server() -> Iterator[PhoneServer]:
    world = SimWorld()
    world.reset(1)
    with PhoneServer(world) as server:
        with AdbHost(server.port) as host:
            prepare(host)
        yield server


@contextlib.contextmanager
def phone_of_the_command_line() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """`omnipilot phone serve` in a process of its own, and its port."""
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen([sys.executable, "-c", CLI, "phone", "serve"], stdout=subprocess.PIPE, text=True) as command:
        signal.signal(signal.SIGINT, heard)
        assert command.stdout is not None
        try:
            yield command, int(command.stdout.readline().rpartition(":")[2])
        finally:
            command.kill()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_no_search_keeps_a_served_phone_from_answering_others_and_from_ending(number: signal.Signals) -> None:
    with phone_of_the_command_line() as (command, port):
        with AdbHost(port) as host, AdbHost(port) as other:
            prepare(host)
            began = time.monotonic()
            assert host.run(POLYNOMIAL)[0] == 1
            status, _, told = host.run(MANY_STATES)
            assert (status, told) == (2, "grep: it takes too long\n")
            assert time.monotonic() - began < 15
            host.open("shell:" + "; ".join([MANY_STATES] * 100))
            assert other.shell("echo alive") == "alive\n"
            command.send_signal(number)
            began = time.monotonic()
            assert command.wait(20) == 0
        assert time.monotonic() - began < 10


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (POLYNOMIAL, ""),
        ('X=$(cat /sdcard/lines); echo "' + "$X" * 5000 + '"', "out of memory"),
        ("X=$(cat /sdcard/lines); Y=" + "$X" * 5000, "out of memory"),
        ("X=$(cat /sdcard/lines); true $X", "Argument list too long"),
        ("|".join(["cat /sdcard/lines"] * 3000), "fork failed"),
        ("echo 'sh /sdcard/f | sh /sdcard/f & sh /sdcard/f' > /sdcard/f; sh /sdcard/f", "fork failed"),
        ("printf '%1000000000s' x; yes; dd if=/dev/zero", "%1000000000s"),
        ("cut -c " + ",".join(f"{n}-999999" for n in range(1, 100)) + " /sdcard/lines", ""),
        ("stat -c '" + "%n" * 20_000 + "' /sdcard/lines", ""),
        ("md5sum " + "/sdcard/lines " * 500 + "> /dev/null", ""),
        ("wc " + "/sdcard/lines " * 3000 + "> /dev/null", "Killed"),
        ("ls -l " + "/ " * 2000 + "> /dev/null", ""),
        ("find " + "/ " * 2000 + "> /dev/null", ""),
        ("base64 -w 1 /sdcard/lines | tail -c 9", ""),
    ],
)
@pytest.mark.slow
def test_a_line_that_asks_for_too_much_ends_while_others_are_answered(
    server: PhoneServer, line: str, told: str
) -> None:
    longest = 0.0
    ended = threading.Event()

    def look() -> None:
        nonlocal longest
        with AdbHost(server.port) as other:
            while not ended.is_set():
                began = time.monotonic()
                assert other.shell("echo alive") == "alive\n"
                longest = max(longest, time.monotonic() - began)

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    watching = threading.Thread(target=look)
    watching.start()
    try:
        with AdbHost(server.port) as host:
            host.socket.settimeout(90)
            said = host.shell(line)
    finally:
        ended.set()
        watching.join(60)
    assert told in said
    assert longest < 5
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150 * 1024


def test_a_text_that_is_pasted_into_itself_stays_bounded(server: PhoneServer) -> None:
    with AdbHost(server.port) as host:
        host.shell("monkey -p com.omnipilot.notes 1; input tap 368 816; input tap 206 131; input text abcdefghijklmnop")
        for _ in range(20):
            host.shell(
                "input keycombination CTRL_LEFT A; input keycombination CTRL_LEFT C; input keyevent MOVE_END; "
                "input keycombination CTRL_LEFT V; input keycombination CTRL_LEFT V"
            )
        dump = host.shell("uiautomator dump /dev/tty")
        found = max((len(one) for one in re.findall('text="([^"]*)"', dump)), default=0)
    assert 50_000 < found <= MOST_TEXT


def test_what_comes_over_many_streams_has_to_fit_together(server: PhoneServer) -> None:
    server.phone.files.reserve(server.phone.files.most_bytes - 3_400_000)
    try:
        with AdbHost(server.port) as host:
            three = "cat /sdcard/lines /sdcard/lines /sdcard/lines"
            assert host.shell(f"{three} > /sdcard/a") == ""
            assert "No space left on device" in host.shell(f"{three} > /sdcard/b | {three} > /sdcard/c")
            host.shell("rm /sdcard/a /sdcard/b /sdcard/c")
    finally:
        server.phone.files.reserve(3_400_000 - server.phone.files.most_bytes)


def test_silent_connections_keep_no_host_out(server: PhoneServer) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(3 * (serving.MOST_CONNECTIONS + serving.MOST_STRANGERS)):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), 5))
        began = time.monotonic()
        with AdbHost(server.port) as host:
            assert host.shell("echo alive") == "alive\n"
        assert time.monotonic() - began < 10


def test_a_host_that_does_not_introduce_itself_is_not_served_and_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "SILENT_SECONDS", 0.3)
    world = SimWorld()
    world.reset(1)
    with PhoneServer(world) as server, AdbHost(server.port) as host:
        with socket.create_connection(("127.0.0.1", server.port), 5) as silent:
            assert silent.recv(1) == b""
        with socket.create_connection(("127.0.0.1", server.port), 5) as rude:
            rude.sendall(message(OPEN, 1, 0, b"shell:echo x\0"))
            assert rude.recv(MAX) == b""
        assert host.shell("echo alive") == "alive\n"


PIECES = st.sampled_from(
    ["a", "b", "B", ".", "*", "+", "?", "|", "(", ")", "[ab]", "[^a]", "^", "$", r"\b", "{2}", "{1,2}"]
)


@settings(deadline=None)
@given(st.lists(PIECES, max_size=8).map("".join), st.text("abBc _", max_size=10))
def test_a_pattern_finds_what_re_finds(pattern: str, text: str) -> None:
    try:
        wanted = re.compile(pattern)
        found = ShellPattern(pattern)
    except (re.error, ValueError):
        return
    hit = wanted.search(text)
    spans = list(found.spans(text))
    assert found.found_in(text) == (hit is not None) == bool(spans)
    assert found.fits(text) == (wanted.fullmatch(text) is not None)
    if hit is not None:
        # Of those that start there, `re` takes the first it comes to, and POSIX the longest.
        assert spans[0][0] == hit.start() and spans[0][1] >= hit.end()


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("a|ab", "xabab", [(1, 3), (3, 5)]),
        ("[[:digit:]]{2,}", "1 22 333", [(2, 4), (5, 8)]),
        (r"\bcat\b", "cat concat", [(0, 3)]),
        ("x*", "ab", [(0, 0), (1, 1), (2, 2)]),
    ],
)
def test_the_leftmost_and_longest_match_is_found(pattern: str, text: str, found: list[tuple[int, int]]) -> None:
    assert list(grep_pattern(pattern, extended=True).spans(text)) == found


def test_a_basic_pattern_has_its_operators_behind_backslashes() -> None:
    assert grep_pattern(r"a\{2\}(", extended=False).found_in("xaa(")
    assert grep_pattern("STRASSE", extended=False, ignore_case=True).found_in("in der strasse")
    assert not grep_pattern("a.c", extended=False, fixed=True).found_in("abc")


def test_a_search_has_a_number_of_steps() -> None:
    with pytest.raises(TooManySteps):
        ShellPattern("(a|b)*a(a|b){300}$").found_in("abba" * MOST_STEPS)
    shared = Steps(150)
    ShellPattern("a", steps=shared).found_in("b" * 50)
    with pytest.raises(TooManySteps):
        ShellPattern("b", steps=Steps(within=shared)).found_in("a" * 50)
