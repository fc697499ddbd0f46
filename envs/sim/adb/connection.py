"""One host's connection: its streams, flow control, and the services behind them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from omnipilot.envs.sim.adb.streams import HIGH_WATER, BrokenPipe, Pipe
from omnipilot.envs.sim.adb.wire import MOST_PAYLOAD, VERSION, AdbMessage, Decoder, WireError, parse_banner
from omnipilot.envs.types.errors import EnvLost

MOST_STREAMS = 128
"""Streams of one connection at a time; further ones are refused."""
MOST_SERVICE = 64 * 1024
"""Bytes of a service's name, such as a shell command."""


class AdbStream:
    """One stream of a connection; implements `Readable` and `Writable`.

    Attributes:
        local, remote: its number on either side. accepted: whether the other side has opened it.
    """

    def __init__(self, connection: HostConnection, local: int, remote: int) -> None:
        self._connection = connection
        self.local, self.remote = local, remote
        self._inbox = Pipe()
        self._unacknowledged = 0
        self._clear = asyncio.Event()
        self._clear.set()
        self.accepted = asyncio.Event()
        self.closed = False
        self.task: asyncio.Task[None] | None = None

    async def read(self, most: int = HIGH_WATER) -> bytes:
        """See `Readable`; the other side may send more once its last message has been read."""
        data = await self._inbox.read(most)
        if self._unacknowledged and not len(self._inbox) and not self.closed:
            self._unacknowledged -= 1
            await self._connection.send(AdbMessage("OKAY", self.local, self.remote))
        return data

    async def write(self, data: bytes) -> None:
        """See `Writable`: one message at a time is under way."""
        view = memoryview(data)
        for at in range(0, len(data), self._connection.most_payload):
            await self._clear.wait()
            if self.closed:
                raise BrokenPipe
            self._clear.clear()
            part = bytes(view[at : at + self._connection.most_payload])
            await self._connection.send(AdbMessage("WRTE", self.local, self.remote, part))

    def take(self, data: bytes) -> None:
        """Data has come."""
        if self._unacknowledged:
            raise WireError("data before the last was acknowledged")
        self._unacknowledged += 1
        self._inbox.put(data)

    def acknowledge(self) -> None:
        """The last message that was sent has arrived."""
        self.accepted.set()
        self._clear.set()

    def hang_up(self) -> None:
        """The other side has closed it, or is gone."""
        self.closed = True
        self._inbox.end()
        self.accepted.set()
        self._clear.set()


Service = Callable[[AdbStream], Awaitable[None]]


class Services(Protocol):
    """Finds what is behind the name of a service."""

    def find(self, name: str, connection: HostConnection) -> Service | None:
        """The service, or None where there is none: then the stream is refused."""
        ...


class HostConnection:
    """Speaks the protocol with one host.

    Args:
        banner: the phone's description of itself: `device::ro.product.name=…;features=…`.
        services: what it offers.
        admit: called when the host has introduced itself; whether there is room for it.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        banner: bytes,
        services: Services,
        admit: Callable[[], bool],
    ) -> None:
        self._reader, self._writer = reader, writer
        self._banner, self._services, self._admit = banner, services, admit
        self._sending = asyncio.Lock()
        self._streams: dict[int, AdbStream] = {}
        self._last = 0
        self._closers: list[Callable[[], None]] = []
        self.most_payload = 4096
        self.features: frozenset[str] = frozenset()
        self.gone = self._introduced = False

    def at_end(self, close: Callable[[], None]) -> None:
        """Call `close` when the connection ends."""
        self._closers.append(close)

    async def send(self, message: AdbMessage) -> None:
        """Send one message; waits while the host does not read.

        Raises:
            BrokenPipe: the host is gone.
        """
        async with self._sending:
            if self.gone:
                raise BrokenPipe
            try:
                await self._writer.drain()
                self._writer.write(message.encode())
            except (ConnectionError, OSError) as error:
                raise BrokenPipe from error

    async def run(self) -> None:
        """Serve the host until it goes, or says something that is no message."""
        decoder = Decoder()
        try:
            while data := await self._reader.read(HIGH_WATER):
                for message in decoder.feed(data):
                    await self._receive(message)
        except (WireError, BrokenPipe, ConnectionError, OSError):
            pass
        finally:
            await self._finish()

    async def _finish(self) -> None:
        self.gone = True
        streams = list(self._streams.values())
        self._streams.clear()
        for stream in streams:
            stream.hang_up()
        for close in self._closers:
            close()
        tasks = [stream.task for stream in streams if stream.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._writer.close()

    async def _receive(self, message: AdbMessage) -> None:
        stream = self._streams.get(message.arg1)
        if message.command != "CNXN" and not self._introduced:
            raise WireError("the host has not introduced itself")
        match message.command:
            case "CNXN":
                if not self._admit():
                    raise WireError("there are too many hosts")
                self._introduced = True
                self.features = parse_banner(message.payload)
                self.most_payload = max(1, min(MOST_PAYLOAD, message.arg1 or 4096))
                for open_stream in list(self._streams.values()):
                    await self._close(open_stream, told=False)
                await self.send(AdbMessage("CNXN", VERSION, MOST_PAYLOAD, self._banner))
            case "OPEN":
                await self._open(message)
            case "WRTE":
                if stream is None:
                    await self.send(AdbMessage("CLSE", 0, message.arg0))
                else:
                    stream.take(message.payload)
            case "OKAY":
                if stream is not None:
                    stream.remote = stream.remote or message.arg0
                    stream.acknowledge()
            case "CLSE":
                if stream is not None:
                    await self._close(stream)
            case _:
                raise WireError(f"{message.command} is not spoken here")

    async def _open(self, message: AdbMessage) -> None:
        name = message.payload.split(b"\0")[0]
        service = None
        if message.arg0 and len(name) <= MOST_SERVICE and len(self._streams) < MOST_STREAMS:
            service = self._services.find(name.decode("utf-8", "surrogateescape"), self)
        if service is None:
            await self.send(AdbMessage("CLSE", 0, message.arg0))
            return
        stream = self._add(message.arg0)
        stream.accepted.set()
        await self.send(AdbMessage("OKAY", stream.local, stream.remote))
        stream.task = asyncio.create_task(self._serve(service, stream))

    def _add(self, remote: int) -> AdbStream:
        self._last = self._last % 0xFFFFFFFE + 1
        while self._last in self._streams:
            self._last = self._last % 0xFFFFFFFE + 1
        stream = self._streams[self._last] = AdbStream(self, self._last, remote)
        return stream

    async def _serve(self, service: Service, stream: AdbStream) -> None:
        try:
            await service(stream)
        except (BrokenPipe, WireError, EnvLost):
            pass
        finally:
            await self._close(stream, cancel=False)

    async def _close(self, stream: AdbStream, told: bool = True, cancel: bool = True) -> None:
        """Drop a stream and say so, once."""
        if self._streams.pop(stream.local, None) is None:
            return
        stream.hang_up()
        if cancel and stream.task is not None:
            stream.task.cancel()
        if told and not self.gone:
            try:
                await self.send(AdbMessage("CLSE", stream.local, stream.remote))
            except BrokenPipe:
                return

    async def open(self, name: str, service: Service) -> bool:
        """Open a stream towards the host (for `reverse`), and serve it until it ends.

        Returns:
            False if the host refuses, or too many streams are open.
        """
        if self.gone or len(self._streams) >= MOST_STREAMS:
            return False
        stream = self._add(0)
        stream.task = asyncio.current_task()
        await self.send(AdbMessage("OPEN", stream.local, 0, name.encode() + b"\0"))
        await stream.accepted.wait()
        if stream.closed:
            return False
        await self._serve(service, stream)
        return True
