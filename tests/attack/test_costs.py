"""What a hostile server's answer costs its reader, over real sockets: the peak of its memory, and seconds."""

from __future__ import annotations

import socket
import struct
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from omnipilot.envs import EnvLost
from omnipilot.envs.android.connection import AdbConnection, AdbServer
from omnipilot.envs.android.hierarchy import DumpFailed, parse_hierarchy
from omnipilot.envs.remote import RemoteWorld
from omnipilot.envs.remote import protocol as wire
from omnipilot.envs.schema.json_text import parse_json
from omnipilot.envs.types import Image
from omnipilot.memory import Message, ModelUnavailable
from omnipilot.memory.models import ChatModel, LlmEndpoint

MOST_MB = 60
"""Megabytes that an answer may cost, of which it has eight itself and the server, here in the same process, some."""
MEGABYTES = 8_000_000
MSGPACK = {
    "lists": lambda: b"\x81\xa1a\xdd" + MEGABYTES.to_bytes(4, "big") + b"\x90" * MEGABYTES,
    "maps": lambda: b"\x81\xa1a\xdd" + (MEGABYTES // 4).to_bytes(4, "big") + b"\x81\xa1a\x00" * (MEGABYTES // 4),
    "announced": lambda: b"\x81\xa1a" + b"\xdd\x00\x70\x00\x00" * 900 + bytes(MEGABYTES - 5000),
}
JSON = {
    "objects": lambda: b'{"choices":[' + b"{}," * (MEGABYTES // 3) + b"{}]}",
    "numbers": lambda: b'{"choices":[' + b"1.5," * (MEGABYTES // 4) + b"1]}",
    "brackets": lambda: b'{"choices":' + b"[" * MEGABYTES,
    "words": lambda: b'{"choices":[{"message":{"content":"' + b"a" * MEGABYTES + b'"}}]}',
}
TREES = {
    "nodes": lambda: "<hierarchy>" + "<node/>" * (MEGABYTES // 7) + "</hierarchy>",
    "attributes": lambda: "<hierarchy><node " + " ".join(f'a{n}=""' for n in range(MEGABYTES // 11)) + "/></hierarchy>",
    "entities": lambda: (
        '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><hierarchy>&b;</hierarchy>'
    ),
}


@contextmanager
def answering(answer: bytes) -> Iterator[int]:
    """A server that answers whatever it is sent with some bytes, at a port of this machine."""

    def serve(listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                with listener.accept()[0] as client:
                    client.settimeout(10)
                    while client.recv(65536):
                        client.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        yield listener.getsockname()[1]


def http(body: bytes, kind: str) -> bytes:
    """An answer of HTTP."""
    return f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def of_a_world(body: bytes) -> None:
    """A client of a remote world is answered."""
    with answering(http(body, wire.CONTENT_TYPE)) as port, pytest.raises(EnvLost, match="cannot be read"):
        RemoteWorld(f"http://127.0.0.1:{port}", "t" * 43, wait=20.0)


def of_a_model(body: bytes) -> None:
    """A client of a model is answered."""
    with answering(http(body, "application/json")) as port:
        endpoint = LlmEndpoint("hosted_vllm/tiny", f"http://127.0.0.1:{port}/v1", retries=0)
        with closing(ChatModel(endpoint)) as model, pytest.raises(ModelUnavailable):
            model.complete([Message("user", ("Say hello.",))], 30.0)


def of_a_phone(dump: str) -> None:
    """A phone answers with its elements."""
    with answering(b"OKAY" + b"OKAY" + dump.encode()) as port:
        connection = AdbConnection("evil", AdbServer("127.0.0.1", port, start=False))
        with suppress(EnvLost):
            dump = connection.execute("uiautomator dump /dev/tty", 1.0).decode()
    with pytest.raises(DumpFailed):
        parse_hierarchy(dump)


def picture(kind: str, width: int = 50_000, height: int = 50_000) -> bytes:
    """The head of a picture file that announces so many pixels, and some content."""
    if kind == "JPEG":
        parts = b"\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01"
        return b"\xff\xd8\xff\xc0\x00\x11\x08" + struct.pack(">HH", height, width) + parts + bytes(100)
    if kind == "WEBP":
        size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
        chunk = b"VP8X" + struct.pack("<I", 10) + bytes(4) + size
        return b"RIFF" + struct.pack("<I", 4 + len(chunk)) + b"WEBP" + chunk

    def part(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes((3 * width + 1) * min(height, 200)), 9)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", rows) + part(b"IEND", b"")


def of_a_picture(file: bytes) -> None:
    """A picture is opened and its pixels are asked for."""
    with pytest.raises(EnvLost, match="cannot be decoded"):
        assert Image.encoded(file).rgb


ATTACKS: dict[str, tuple[Callable[[Any], None], Callable[[], Any]]] = {
    **{f"msgpack: {name}": (of_a_world, body) for name, body in MSGPACK.items()},
    **{f"JSON: {name}": (of_a_model, body) for name, body in JSON.items()},
    **{f"XML: {name}": (of_a_phone, dump) for name, dump in TREES.items()},
    **{f"picture: {kind}": (of_a_picture, partial(picture, kind)) for kind in ("PNG", "JPEG", "WEBP")},
}


def peak() -> int:
    """The most memory that this process has had, in megabytes."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) >> 10


def measure(name: str) -> None:
    """Make one attack in this process and print what it cost, in megabytes and seconds."""
    attack, make = ATTACKS[name]
    answer = make()
    Path("/proc/self/clear_refs").write_text("5")  # the peak of making it is forgotten
    before, began = peak(), time.monotonic()
    attack(answer)
    print(peak() - before, time.monotonic() - began)


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKS)
def test_an_answer_costs_its_reader_little(name: str) -> None:
    program = f"import test_costs; test_costs.measure({name!r})"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=__file__.rpartition("/")[0]
    )
    assert done.returncode == 0, done.stderr
    megabytes, seconds = map(float, done.stdout.split())
    assert megabytes < MOST_MB and seconds < 20, done.stdout


def test_values_are_counted_before_they_are_made() -> None:
    few = {"a": [{"b": [1, 2.5, None, "x" * 300, b"y" * 70_000]}] * 100}
    assert wire.unpack(wire.pack(few)) == few
    many = wire.pack({"a": [[]] * (wire.MOST_VALUES + 1)})
    with pytest.raises(wire.BadMessage, match="at most 400000 values"):
        wire.unpack(many)
    vectors = b'{"data":[' + b",".join([b"[" + b",".join([b"0.125"] * 1024) + b"]"] * 64) + b"]}"
    assert len(parse_json(vectors, bounded=True)["data"]) == 64
    objects = b"[" + b"{}," * 300_000 + b"{}]"
    assert len(parse_json(objects)) == 300_001
    with pytest.raises(ValueError, match="too many values"):
        parse_json(objects, bounded=True)


def test_a_phone_that_announces_gigabytes_is_given_up_at_once() -> None:
    told = b"OKAY" + b"OKAY" + b"DATA" + struct.pack("<I", 4_000_000_000)
    with answering(told) as port:
        connection = AdbConnection("evil", AdbServer("127.0.0.1", port, start=False))
        began = time.monotonic()
        with pytest.raises(EnvLost, match="announces"):
            connection.pull("/sdcard/film.mp4", 20.0)
        assert time.monotonic() - began < 5
