"""What a host can open on the phone: shells, sync, screenshots, local ports, reverse forwards."""

from __future__ import annotations

import asyncio
import struct

from omnipilot.envs.sim.adb.commands.registry import COMMANDS
from omnipilot.envs.sim.adb.connection import AdbStream, HostConnection, Service
from omnipilot.envs.sim.adb.phone import ServedPhone
from omnipilot.envs.sim.adb.pictures import framebuffer
from omnipilot.envs.sim.adb.process import Processes
from omnipilot.envs.sim.adb.reverse import Reverse
from omnipilot.envs.sim.adb.shell import Io, Nothing, Shell
from omnipilot.envs.sim.adb.streams import BrokenPipe, Lines, Pipe, Writable
from omnipilot.envs.sim.adb.sync import serve_sync
from omnipilot.envs.sim.adb.uiautomator2 import PORT, serve_http

STDIN, STDOUT, STDERR, EXIT, CLOSE_STDIN, WINDOW = range(6)
MOST_PACKET = 1024 * 1024
PROMPT = "omnipilot:{folder} $ "


class PhoneServices:
    """The services of one phone, for all its connections."""

    def __init__(self, phone: ServedPhone, address: str) -> None:
        self._phone = phone
        self._processes = Processes()
        self.reverse = Reverse(address)

    def find(self, name: str, connection: HostConnection) -> Service | None:
        """See `Services.find`."""
        kind, _, rest = name.partition(":")
        if kind == "shell" or kind.startswith("shell,"):
            modes = kind.split(",")[1:]
            if "v2" in modes:
                return lambda stream: self._shell_v2(stream, rest, "pty" in modes or (not rest and "raw" not in modes))
            return lambda stream: self._shell(stream, rest)
        if kind == "exec":
            return lambda stream: self._shell(stream, rest)
        if name == "sync:":
            return lambda stream: serve_sync(stream, stream, self._phone.files, self._phone.unix)
        if name == "framebuffer:":
            return self._framebuffer
        if kind == "tcp" and rest == str(PORT):
            return lambda stream: serve_http(stream, self._phone)
        if kind == "reverse":
            return lambda stream: self.reverse.serve(stream, rest, connection)
        answers = {
            "root": "adbd cannot run as root in production builds\n",
            "unroot": "adbd not running as root\n",
            "remount": 'Not running as root. Try "adb root" first.\n',
        }
        if kind in answers and not rest:
            return lambda stream: stream.write(answers[kind].encode())
        return None

    async def _framebuffer(self, stream: AdbStream) -> None:
        await stream.write(framebuffer(self._phone.picture()))

    def _new_shell(self) -> Shell:
        return Shell(self._phone, self._processes, COMMANDS)

    async def _shell(self, stream: AdbStream, line: str) -> None:
        """`shell:` and `exec:`: raw output, both streams mixed as Android's adbd does."""
        shell = self._new_shell()
        source = Lines(stream)
        try:
            if line:
                await shell.run_text(line, Io(source, stream, stream))
            else:
                await _interactive(shell, source, _Terminal(stream), stream)
        finally:
            await shell.finish()

    async def _shell_v2(self, stream: AdbStream, line: str, terminal: bool) -> None:
        """`shell,v2`: packets, and the status at the end."""
        shell = self._new_shell()
        stdin = Pipe()
        out, err = _Packets(stream, STDOUT), _Packets(stream, STDERR)
        incoming = asyncio.create_task(_read_packets(Lines(stream), stdin))
        try:
            if terminal:
                shown = _Terminal(out)
                if line:
                    status = await shell.run_text(line, Io(Lines(stdin), shown, shown))
                else:
                    status = await _interactive(shell, Lines(stdin), shown, out)
            elif line:
                status = await shell.run_text(line, Io(Lines(stdin), out, err))
            else:
                status = await _interactive(shell, Lines(stdin), out, err)
            await stream.write(struct.pack("<BIB", EXIT, 1, status & 0xFF))
        finally:
            incoming.cancel()
            await asyncio.gather(incoming, return_exceptions=True)
            await shell.finish()

    def close(self) -> None:
        """Stop listening for reverse forwards."""
        self.reverse.close()


class _Packets:
    """Writes shell packets of one kind."""

    def __init__(self, stream: Writable, kind: int) -> None:
        self._stream, self._kind = stream, kind

    async def write(self, data: bytes) -> None:
        for at in range(0, len(data), MOST_PACKET - 5):
            part = data[at : at + MOST_PACKET - 5]
            await self._stream.write(struct.pack("<BI", self._kind, len(part)) + part)


class _Terminal:
    """Writes as a terminal does: a line break returns to the start of the line."""

    def __init__(self, out: Writable) -> None:
        self._out = out

    async def write(self, data: bytes) -> None:
        await self._out.write(data.replace(b"\n", b"\r\n"))


async def _read_packets(reader: Lines, stdin: Pipe) -> None:
    """Take the packets that come in; those of standard input go on, the others change nothing here."""
    try:
        while len(header := await reader.exactly(5)) == 5:
            kind, size = header[0], int.from_bytes(header[1:], "little")
            if size > MOST_PACKET:
                break
            data = await reader.exactly(size)
            if kind == STDIN:
                await stdin.write(data)
            elif kind == CLOSE_STDIN:
                break
    except BrokenPipe:
        return
    finally:
        stdin.end()


async def _interactive(shell: Shell, source: Lines, out: Writable, err: Writable) -> int:
    """Read lines and run them, with a prompt on a terminal (which also shows what is typed)."""
    terminal = isinstance(out, _Terminal)
    status = 0
    keys = Lines(_Keys(source, out)) if terminal else source
    while True:
        if terminal:
            await out.write(PROMPT.format(folder=shell.folder).encode())
        line = (await keys.line()).decode("utf-8", "surrogateescape")
        if not line:
            return status
        if line.strip() == "exit":
            return status
        stdin = keys if not terminal else Lines(Nothing())
        status = await shell.run_text(line, Io(stdin, out, out if terminal else err))


class _Keys:
    """What is typed at a terminal: shown as it comes, Enter as a line break, Ctrl-D as the end."""

    def __init__(self, source: Lines, out: Writable) -> None:
        self._source, self._out = source, out

    async def read(self, most: int = 1) -> bytes:
        data = (await self._source.read(most)).replace(b"\r", b"\n")
        if b"\x04" in data:
            data = data.partition(b"\x04")[0]
        await self._out.write(data)
        return data
