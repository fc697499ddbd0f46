"""The service `sync:`: both versions, packets that are cut anywhere, and what makes no sense."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from own_loop import run_apart

from omnipilot.envs.sim.adb.file_tree import FileTree
from omnipilot.envs.sim.adb.shell import Captured
from omnipilot.envs.sim.adb.streams import Pipe
from omnipilot.envs.sim.adb.sync import serve_sync

MOST = 64 * 1024 * 1024


def ask(files: FileTree, sent: bytes, cut: int = MOST) -> tuple[bytes, int]:
    """What the service answers, and in how many writes."""
    writes: list[bytes] = []

    class Out(Captured):
        async def write(self, data: bytes) -> None:
            writes.append(data)

    async def run() -> None:
        pipe = Pipe(MOST)
        for at in range(0, len(sent), cut):
            pipe.put(sent[at : at + cut])
        pipe.end()

        class Cut:
            async def read(self, most: int = 0) -> bytes:
                return await pipe.read(cut)

        await serve_sync(Cut(), Out(MOST), files, lambda: 1000)

    run_apart(run())
    return b"".join(writes), len(writes)


def request(id: bytes, path: bytes) -> bytes:
    return id + struct.pack("<I", len(path)) + path


def send(path: bytes, data: bytes, mode: int = 0o100644, time: int = 77) -> bytes:
    parts = [request(b"SEND", path + b",%d" % mode)]
    parts += [request(b"DATA", data[at : at + 65536]) for at in range(0, len(data), 65536)]
    return b"".join([*parts, b"DONE", struct.pack("<I", time)])


@pytest.mark.parametrize("cut", [1, 7, 4096, MOST])
def test_a_pushed_file_comes_back(cut: int) -> None:
    files, data = FileTree(), bytes(range(256)) * (3 if cut < 100 else 300)
    answer, _ = ask(files, send(b"/sdcard/new/a.bin", data) + request(b"QUIT", b""), cut)
    assert answer == b"OKAY" + bytes(4)
    assert files.read("/sdcard/new/a.bin") == data
    assert files.get("/sdcard/new/a.bin").time == 77
    answer, writes = ask(files, request(b"RECV", b"/storage/emulated/0/new/a.bin"))
    assert writes == 1, "DATA and DONE have to leave together"
    parts, at = b"", 0
    while answer[at : at + 4] == b"DATA":
        (length,) = struct.unpack("<I", answer[at + 4 : at + 8])
        parts += answer[at + 8 : at + 8 + length]
        at += 8 + length
    assert parts == data
    assert answer[at:] == b"DONE" + bytes(4)


def test_both_versions_of_stat() -> None:
    files = FileTree()
    files.write("/sdcard/a", b"abc", 9)
    assert ask(files, request(b"STAT", b"/sdcard/a"))[0] == b"STAT" + struct.pack("<3I", 0o100644, 3, 9)
    assert ask(files, request(b"STAT", b"/nope"))[0] == b"STAT" + bytes(12)
    second, _ = ask(files, request(b"STA2", b"/sdcard/a"))
    assert len(second) == 72
    assert struct.unpack("<4sIQQIIIIQqqq", second)[1:2] == (0,)
    assert struct.unpack("<4sIQQIIIIQqqq", second)[4] == 0o100644
    assert struct.unpack("<4sIQQIIIIQqqq", second)[8:] == (3, 9, 9, 9)
    assert struct.unpack("<4sI", ask(files, request(b"LST2", b"/nope"))[0][:8]) == (b"LST2", 2)


def test_both_versions_of_list() -> None:
    files = FileTree()
    files.write("/sdcard/DCIM/Camera/a.jpg", b"abc", 9)
    first, _ = ask(files, request(b"LIST", b"/sdcard/DCIM/Camera"))
    assert struct.pack("<4s4I", b"DENT", 0o100644, 3, 9, 5) + b"a.jpg" in first
    assert first.endswith(b"DONE" + bytes(16))
    second, _ = ask(files, request(b"LIS2", b"/sdcard/DCIM/Camera"))
    assert second.endswith(struct.pack("<I", 5) + b"a.jpg" + b"DONE" + bytes(72))
    assert ask(files, request(b"LIST", b"/nope"))[0] == b"DONE" + bytes(16)


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (request(b"RECV", b"/nope"), b"No such file"),
        (request(b"RECV", b"/etc/passwd"), b"No such file"),
        (send(b"/system/x", b"a"), b"Read-only"),
        (send(b"/../../etc/passwd", b"a"), b"Read-only"),
        (request(b"WHAT", b"/"), b"unknown command"),
        (b"STAT" + struct.pack("<I", 1 << 30), b"too long"),
        (request(b"SEND", b"/sdcard/x,33188") + b"DATA" + struct.pack("<I", 1 << 20), b"invalid data"),
    ],
)
def test_what_cannot_be_done_fails_with_its_reason(sent: bytes, told: bytes) -> None:
    answer, _ = ask(FileTree(), sent)
    assert answer[:4] == b"FAIL"
    assert told in answer


def test_a_full_phone_says_so_and_goes_on() -> None:
    files = FileTree(most_bytes=1000)
    sent = send(b"/sdcard/big", bytes(2000)) + send(b"/sdcard/small", b"a")
    answer, _ = ask(files, sent)
    assert b"No space left" in answer
    assert answer.endswith(b"OKAY" + bytes(4))
    assert files.find("/sdcard/big") is None
    assert files.read("/sdcard/small") == b"a"


IDS = st.sampled_from(
    [b"STAT", b"STA2", b"LST2", b"LIST", b"LIS2", b"RECV", b"RCV2", b"SEND", b"SND2", b"DATA", b"DONE"]
)
PACKETS = st.builds(request, IDS | st.binary(min_size=4, max_size=4), st.binary(max_size=40) | st.just(b"/sdcard/a,1"))


@settings(deadline=None)
@given(st.lists(PACKETS | st.binary(max_size=12), max_size=8).map(b"".join))
def test_random_requests_end_without_an_error(sent: bytes) -> None:
    ask(FileTree(most_bytes=1000, most_files=60), sent, 5)
