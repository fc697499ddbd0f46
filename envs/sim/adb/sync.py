"""The service `sync:`, versions 1 and 2: stat, list, push and pull.

Source: SYNC.TXT and file_sync_protocol.h of the Android Open Source Project (packages/modules/adb).
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from omnipilot.envs.sim.adb.file_tree import ABSENT, FULL, File, FileError, FileTree
from omnipilot.envs.sim.adb.streams import Lines, Readable, Writable

MOST_DATA = 64 * 1024
"""Bytes of one DATA packet."""
MOST_REQUEST = 1024
"""Bytes of a path in a request."""


def pack_stat(id: bytes, file: File | None) -> bytes:
    """The answer of version 2 to STA2 and LST2, 72 bytes."""
    if file is None:
        return id + struct.pack("<I", ABSENT) + bytes(64)
    times = (file.time,) * 3
    size = 4096 if file.is_folder else len(file.data)
    inode = 1 + hash((file.mode, file.time)) % 0x7FFFFFFF
    return id + struct.pack("<IQQIIIIQqqq", 0, 1, inode, file.mode, 1, 2000, 2000, size, *times)


def pack_entry(name: str, file: File, second: bool) -> bytes:
    """One entry of a list: DENT, or DNT2 of version 2."""
    raw = name.encode("utf-8", "surrogateescape")
    if second:
        return pack_stat(b"DNT2", file) + struct.pack("<I", len(raw)) + raw
    size = 4096 if file.is_folder else len(file.data)
    return struct.pack("<4s4I", b"DENT", file.mode, size, file.time & 0xFFFFFFFF, len(raw)) + raw


def pack_file(data: bytes) -> bytes:
    """A file as DATA packets and DONE."""
    parts = []
    for at in range(0, len(data), MOST_DATA):
        part = data[at : at + MOST_DATA]
        parts += [struct.pack("<4sI", b"DATA", len(part)), part]
    return b"".join([*parts, struct.pack("<4sI", b"DONE", 0)])


def pack_failure(text: str) -> bytes:
    """FAIL with its reason."""
    raw = text.encode("utf-8", "surrogateescape")
    return struct.pack("<4sI", b"FAIL", len(raw)) + raw


async def serve_sync(
    source: Readable, out: Writable, files: FileTree, now: Callable[[], int], most_file: int | None = None
) -> None:
    """Answer requests until QUIT, the end, or one that makes no sense.

    Args:
        now: seconds since 1970.
        most_file: bytes of one file; by default all that the tree holds.
    """
    reader = Lines(source)
    while len(header := await reader.exactly(8)) == 8:
        id, size = header[:4], int.from_bytes(header[4:], "little")
        if id == b"QUIT":
            return
        if size > MOST_REQUEST:
            await out.write(pack_failure("path too long"))
            return
        path = (await reader.exactly(size)).decode("utf-8", "surrogateescape")
        if id in (b"STAT", b"STA2", b"LST2"):
            await out.write(_stat(id, files.find(path)))
        elif id in (b"LIST", b"LIS2"):
            await out.write(_list(path, files, id == b"LIS2"))
        elif id in (b"RECV", b"RCV2"):
            if id == b"RCV2":
                await reader.exactly(8)
            try:
                answer = pack_file(files.read(path))
            except FileError as error:
                answer = pack_failure(str(error))
            # The last DATA and DONE leave together: apart they cost 40 ms, because of delayed acknowledgements.
            await out.write(answer)
        elif id in (b"SEND", b"SND2"):
            if id == b"SND2":
                _, mode, flags = struct.unpack("<4sII", (await reader.exactly(12)).ljust(12, b"\0"))
                refused = "compression is not supported" if flags & 7 else ""
            else:
                path, _, number = path.rpartition(",")
                mode, refused = (int(number), "") if number.isdecimal() and len(number) < 8 else (0o644, "")
            if not await _receive(reader, out, files, path, mode, most_file or files.most_bytes, refused, now):
                return
        else:
            await out.write(pack_failure(f"unknown command {id.decode('ascii', 'replace')}"))
            return


def _stat(id: bytes, file: File | None) -> bytes:
    if id != b"STAT":
        return pack_stat(id, file)
    if file is None:
        return b"STAT" + bytes(12)
    size = 4096 if file.is_folder else len(file.data)
    return struct.pack("<4s3I", b"STAT", file.mode, size & 0xFFFFFFFF, file.time & 0xFFFFFFFF)


def _list(path: str, files: FileTree, second: bool) -> bytes:
    parts = []
    try:
        for name in [".", "..", *files.names(path)]:
            file = files.find(f"{path}/{name}")
            if file is not None:
                parts.append(pack_entry(name, file, second))
    except FileError:
        parts = []
    return b"".join([*parts, b"DONE", bytes(72 if second else 16)])


async def _receive(
    reader: Lines,
    out: Writable,
    files: FileTree,
    path: str,
    mode: int,
    most: int,
    problem: str,
    now: Callable[[], int],
) -> bool:
    """Take the DATA packets of a pushed file, store it and answer; False if what came made no sense."""
    parts: list[bytes] = []
    total = 0
    try:
        while len(header := await reader.exactly(8)) == 8:
            id, size = header[:4], int.from_bytes(header[4:], "little")
            if id == b"DONE":
                break
            if id != b"DATA" or size > MOST_DATA:
                await out.write(pack_failure("invalid data message"))
                return False
            part = await reader.exactly(size)
            if problem:
                continue
            try:
                # What comes at the same time over many streams has to fit, too.
                files.reserve(size)
                total += size
                if total > most:
                    raise FileError(FULL, "No space left on device")
                parts.append(part)
            except FileError as error:
                problem = str(error)
                parts.clear()
        else:
            return False
    finally:
        files.reserve(-total)
    if not problem:
        folder = path.rpartition("/")[0]
        try:
            if folder and files.find(folder) is None:
                files.make_folder(folder, now(), parents=True)
            files.write(path, b"".join(parts), size or now(), mode)
        except FileError as error:
            problem = f"couldn't create file: {error}"
    await out.write(pack_failure(problem) if problem else struct.pack("<4sI", b"OKAY", 0))
    return True
