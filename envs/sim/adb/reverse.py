"""`adb reverse`: ports of the phone that lead to the host.

The phone listens on the address that it is served at, and each connection becomes a stream towards the host that
asked for it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from omnipilot.envs.sim.adb.streams import HIGH_WATER, BrokenPipe, Writable

if TYPE_CHECKING:
    from omnipilot.envs.sim.adb.connection import AdbStream, HostConnection

MOST_LISTENERS = 32


def pack_text(text: str) -> bytes:
    """A text after its length in four hexadecimal digits."""
    raw = text.encode("utf-8", "surrogateescape")[:0xFFFF]
    return f"{len(raw):04x}".encode() + raw


class Reverse:
    """The listeners of one phone.

    Args:
        address: what they listen on.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._listeners: dict[str, tuple[str, asyncio.Server, HostConnection]] = {}

    async def serve(self, stream: Writable, command: str, connection: HostConnection) -> None:
        """Carry out `forward:…`, `killforward:…`, `killforward-all` or `list-forward`."""
        verb, _, rest = command.partition(":")
        if verb == "list-forward":
            lines = [f"UsbFfs {here} {there}\n" for here, (there, _, _) in self._listeners.items()]
            answer = pack_text("".join(lines))
        elif verb == "killforward-all":
            self.close()
            answer = b"OKAY"
        elif verb == "killforward":
            found = self._listeners.pop(rest, None)
            if found is None:
                answer = b"FAIL" + pack_text(f"listener '{rest}' not found")
            else:
                found[1].close()
                answer = b"OKAY"
        elif verb == "forward":
            answer = await self._forward(rest, connection)
        else:
            answer = b"FAIL" + pack_text(f"unknown reverse command '{verb}'")
        await stream.write(answer)

    async def _forward(self, rest: str, connection: HostConnection) -> bytes:
        rebind = not rest.startswith("norebind:")
        here, _, there = rest.removeprefix("norebind:").partition(";")
        kind, _, number = here.partition(":")
        if kind != "tcp" or not (number.isdecimal() and len(number) <= 5 and int(number) <= 65535) or not there:
            return b"FAIL" + pack_text(f"cannot listen on '{here}': only tcp ports can be reversed here")
        old = self._listeners.get(here)
        if old is not None:
            if not rebind:
                return b"FAIL" + pack_text(f"cannot rebind existing socket '{here}'")
            self._listeners[here] = (there, old[1], connection)
            return b"OKAY"
        if len(self._listeners) >= MOST_LISTENERS:
            return b"FAIL" + pack_text("too many listeners")

        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await self._carry(here, reader, writer)

        try:
            server = await asyncio.start_server(accept, self._address, int(number))
        except OSError as error:
            return b"FAIL" + pack_text(f"cannot bind '{here}': {error.strerror or error}")
        port = server.sockets[0].getsockname()[1]
        here = f"tcp:{port}"
        self._listeners[here] = (there, server, connection)
        connection.at_end(lambda: self._forget(connection))
        return b"OKAY" + (pack_text(str(port)) if number == "0" else b"")

    def _forget(self, connection: HostConnection) -> None:
        """Stop listening for a host that is gone."""
        for here, (_, server, owner) in list(self._listeners.items()):
            if owner is connection:
                server.close()
                del self._listeners[here]

    async def _carry(self, here: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def service(stream: AdbStream) -> None:
            async def up() -> None:
                while data := await reader.read(HIGH_WATER):
                    await stream.write(data)

            async def down() -> None:
                while data := await stream.read():
                    writer.write(data)
                    await writer.drain()

            tasks = [asyncio.create_task(up()), asyncio.create_task(down())]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

        try:
            found = self._listeners.get(here)
            if found is not None:
                await found[2].open(found[0], service)
        except (BrokenPipe, ConnectionError, OSError):
            pass
        finally:
            writer.close()

    def close(self) -> None:
        """Stop all listening."""
        for _, server, _ in self._listeners.values():
            server.close()
        self._listeners.clear()
