"""Byte streams between the phone's services: what a service reads and writes, whatever carries it."""

from __future__ import annotations

import asyncio
from typing import Protocol

HIGH_WATER = 256 * 1024
"""Bytes a pipe holds before whoever writes has to wait."""


class BrokenPipe(Exception):
    """Whoever read from this stream is gone."""


class Readable(Protocol):
    """The reading end of a stream."""

    async def read(self, most: int = HIGH_WATER) -> bytes:
        """Up to `most` bytes, as soon as there are any; b"" at the end."""
        ...


class Writable(Protocol):
    """The writing end of a stream."""

    async def write(self, data: bytes) -> None:
        """Write everything; waits while the reader is behind.

        Raises:
            BrokenPipe: nobody reads any more.
        """
        ...


class Pipe:
    """A buffer with two ends, which makes its writer wait while it is full."""

    def __init__(self, limit: int = HIGH_WATER) -> None:
        self._buffer = bytearray()
        self._limit = limit
        self._ended = self._broken = False
        self._changed = asyncio.Event()

    def __len__(self) -> int:
        return len(self._buffer)

    def put(self, data: bytes) -> None:
        """Append without waiting, for writers that are held back by other means."""
        if not (self._ended or self._broken):
            self._buffer += data
            self._changed.set()

    async def write(self, data: bytes) -> None:
        """See `Writable`."""
        for at in range(0, len(data), self._limit):
            part = data[at : at + self._limit]
            while not (self._broken or self._ended) and self._buffer and len(self._buffer) + len(part) > self._limit:
                self._changed.clear()
                await self._changed.wait()
            if self._broken or self._ended:
                raise BrokenPipe
            self._buffer += part
            self._changed.set()

    async def read(self, most: int = HIGH_WATER) -> bytes:
        """See `Readable`."""
        while not self._buffer and not self._ended:
            self._changed.clear()
            await self._changed.wait()
        data = bytes(self._buffer[:most])
        del self._buffer[:most]
        self._changed.set()
        return data

    def end(self) -> None:
        """Nothing more will be written."""
        self._ended = True
        self._changed.set()

    def stop(self) -> None:
        """Nothing more will be read."""
        self._broken = self._ended = True
        self._buffer.clear()
        self._changed.set()


class Content:
    """Bytes that are there already, to be read in pieces."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    async def read(self, most: int = HIGH_WATER) -> bytes:
        """See `Readable`."""
        part = self._data[self._at : self._at + most]
        self._at += len(part)
        return part


class Lines:
    """Reads exact numbers of bytes, lines, or everything from a stream."""

    def __init__(self, source: Readable) -> None:
        self._source = source
        self._buffer = bytearray()
        self._ended = False

    async def _more(self) -> bool:
        data = b"" if self._ended else await self._source.read()
        self._ended = not data
        self._buffer += data
        return bool(data)

    def _take(self, count: int) -> bytes:
        data = bytes(self._buffer[:count])
        del self._buffer[:count]
        return data

    async def read(self, most: int = HIGH_WATER) -> bytes:
        """See `Readable`."""
        if not self._buffer:
            await self._more()
        return self._take(most)

    async def exactly(self, count: int) -> bytes:
        """`count` bytes; fewer only at the end."""
        while len(self._buffer) < count and await self._more():
            pass
        return self._take(count)

    async def line(self, most: int = HIGH_WATER) -> bytes:
        """Up to and with the next line break, or `most` bytes; b"" at the end."""
        while (at := self._buffer.find(b"\n")) < 0 and len(self._buffer) < most and await self._more():
            pass
        return self._take(min(at + 1 if at >= 0 else len(self._buffer), most))

    async def everything(self, most: int) -> bytes:
        """All bytes up to the end, cut at `most`; what comes after is read and dropped."""
        while len(self._buffer) < most and await self._more():
            pass
        data = self._take(most)
        while await self._more():
            self._buffer.clear()
        return data
