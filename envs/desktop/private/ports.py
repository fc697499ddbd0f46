"""The process that takes a desktop's programs to some ports of this machine, and nowhere else.

Run as a script: `python -I -S ports.py JSON`. It opens the ports on the desktop's own loopback interface, answers
"ready", and passes each connection on to the same port of the machine's loopback interface. Nothing of it is inside the
sandbox. It ends when its standard input is closed, by its owner or by the owner's death. The standard library only.
"""

from __future__ import annotations

import asyncio
import ctypes
import fcntl
import json
import os
import socket
import sys
from contextlib import suppress
from typing import Any

NEWUSER, NEWNET = 0x10000000, 0x40000000
"""CLONE_NEWUSER, CLONE_NEWNET of <sched.h>."""
GET_USERNS = 0xB701
"""NS_GET_USERNS of <linux/nsfs.h>: the user namespace that a namespace belongs to."""
LOOPBACK = "127.0.0.1"
MOST = 256
"""Connections at a time; more are closed at once."""
CONNECT = 10.0
"""Seconds that the machine's port may take to answer."""
LOOKS = 1.0
"""Seconds between two looks whether the owner lives."""
PORTION = 65536


def enter(pid: int) -> None:
    """Go into the network of a process, and first into the user namespace that may."""
    libc = ctypes.CDLL(None, use_errno=True)
    network = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
    user = fcntl.ioctl(network, GET_USERNS)
    for number, kind in ((user, NEWUSER), (network, NEWNET)):
        if libc.setns(number, kind):
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))


def open_inside(pid: int, ports: list[int]) -> list[socket.socket]:
    """Listening sockets in the network of another process; a child goes there and hands them back."""
    here, there = socket.socketpair()
    child = os.fork()
    if not child:
        problem = "the child ended"
        try:
            here.close()
            enter(pid)
            opened = [socket.create_server((LOOPBACK, port)) for port in ports]
            socket.send_fds(there, [b"opened"], [one.fileno() for one in opened])
            os._exit(0)
        except BaseException as error:
            problem = f"{type(error).__name__}: {error}"
            there.sendall(problem.encode()[:500])
        finally:
            os._exit(1)
    there.close()
    said, numbers, _, _ = socket.recv_fds(here, 600, len(ports))
    os.waitpid(child, 0)
    here.close()
    if said != b"opened":
        raise OSError(said.decode(errors="replace"))
    return [socket.socket(fileno=number) for number in numbers]


def become(uid: int) -> None:
    """Go on as another user, if we are root."""
    if os.geteuid() == 0 and uid:
        os.setgroups([])
        os.setgid(uid)
        os.setuid(uid)


class Relay:
    """Passes connections on."""

    def __init__(self) -> None:
        self.open = 0

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Connect one that came in with the machine's port of the same number, until one side has ended."""
        port = writer.get_extra_info("sockname")[1]
        if self.open >= MOST:
            writer.transport.abort()
            return
        self.open += 1
        opened = [writer]
        try:
            answers, outward = await asyncio.wait_for(asyncio.open_connection(LOOPBACK, port), CONNECT)
            opened.append(outward)
            await asyncio.gather(pass_on(reader, outward), pass_on(answers, writer))
        except OSError:  # also of a port that does not answer in time
            writer.transport.abort()
        finally:
            self.open -= 1
            for one in opened:
                one.close()


async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Write what is read, until there is no more."""
    while data := await reader.read(PORTION):
        writer.write(data)
        await writer.drain()
    with suppress(OSError):
        writer.write_eof()


def say(text: str) -> None:
    """Answer the owner with a line."""
    os.write(1, f"{text}\n".encode())


async def serve(listening: list[socket.socket], parent: int) -> None:
    """Serve until standard input has ended, or the parent has."""
    relay = Relay()
    servers = [await asyncio.start_server(relay.take, sock=one, limit=PORTION) for one in listening]
    loop = asyncio.get_running_loop()
    over = asyncio.Event()
    loop.add_reader(0, lambda: over.set() if not os.read(0, 1) else None)
    say("ready")
    # A child that the owner forked has the other end of standard input too, so its death is also looked for.
    while not over.is_set() and os.getppid() == parent:
        with suppress(TimeoutError):
            await asyncio.wait_for(over.wait(), LOOKS)
    for server in servers:
        server.close()


def main(plan: dict[str, Any]) -> None:
    """Do what `plan` says."""
    try:
        listening = open_inside(plan["pid"], plan["ports"])
    except OSError as error:
        say(f"the ports cannot be opened in the desktop's network: {error}")
        return
    become(plan["uid"])
    asyncio.run(serve(listening, plan["parent"]))
    os._exit(0)  # connections that are still open end here, too


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
