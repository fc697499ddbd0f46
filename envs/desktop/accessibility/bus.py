"""Calls to programs over D-Bus, many at a time, none of which waits for a program that does not answer."""

from __future__ import annotations

import ctypes
import os
import platform
import select
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, TypeAlias

from omnipilot.envs.types.errors import require

Then: TypeAlias = Callable[[tuple[Any, ...] | None], None]
"""Takes the values of an answer, or None if there was an error or the program has gone."""

AT_ONCE = 64
"""Calls to one program that are on their way at a time."""
REMEMBERED = 50_000
"""Calls that are remembered in the form in which they are sent."""
_SETRESUID = {"x86_64": 117, "aarch64": 147}
"""Number of the system call (Linux)."""


class BusGone(Exception):
    """There is no such bus, or it has ended; the message says why."""


def connect(address: str, uid: int, seconds: float = 2.0) -> socket.socket:
    """A socket to a bus at which we have said who we are.

    A bus turns away every user but its own, root included. So root connects as the desktop's user, in a thread that
    alone changes its user id and then ends.

    Args:
        address: D-Bus address. uid: user id of the desktop. seconds: to wait at most.

    Raises:
        BusGone: there is none, or it turns us away.
    """
    outcome: list[socket.socket | Exception] = []

    def work() -> None:
        try:
            if os.geteuid() == 0 and uid != 0:
                _become(uid)
            outcome.append(_shake_hands(address, uid, seconds))
        except Exception as error:  # told to the thread that waits
            outcome.append(error)

    thread = threading.Thread(target=work, name="connecting to a bus")
    thread.start()
    thread.join()
    (result,) = outcome
    if isinstance(result, Exception):
        raise BusGone(f"the bus {address} cannot be reached: {result}") from result
    return result


def _become(uid: int) -> None:
    """Take another user id in this thread alone; the C library's own function would change it in all threads."""
    number = _SETRESUID.get(platform.machine())
    if number is None:
        raise BusGone(f"root cannot connect as user {uid} on {platform.machine()}; run as that user")
    library = ctypes.CDLL(None, use_errno=True)
    if library.syscall(number, -1, uid, -1) != 0:
        raise OSError(ctypes.get_errno(), f"cannot become user {uid}")


def _shake_hands(address: str, uid: int, seconds: float) -> socket.socket:
    """Authenticate with EXTERNAL (D-Bus specification, authentication protocol)."""
    bus: Any = require("jeepney.bus", "desktop")
    channel = socket.socket(socket.AF_UNIX)
    try:
        channel.settimeout(seconds)
        channel.connect(next(bus.get_connectable_addresses(address)))
        channel.sendall(b"\0AUTH EXTERNAL " + str(uid).encode().hex().encode() + b"\r\n")
        answer = channel.recv(1024)
        if not answer.startswith(b"OK "):
            raise BusGone(f"it answered {answer!r:.80} to user {uid}")
        channel.sendall(b"BEGIN\r\n")
    except BaseException:
        channel.close()
        raise
    return channel


class Bus:
    """A connection to one bus, for one thread.

    Raises:
        MissingExtra: jeepney is not installed.
        BusGone: there is no such bus.
    """

    def __init__(self, address: str, uid: int) -> None:
        jeepney: Any = require("jeepney", "desktop")
        self._new, self._address_type = jeepney.new_method_call, jeepney.DBusAddress
        self._serial_field = jeepney.HeaderFields.reply_serial
        self._returned, self._error = jeepney.MessageType.method_return, jeepney.MessageType.error
        self._channel = connect(address, uid)
        self._channel.setblocking(False)
        self._parser = jeepney.Parser()
        self._serial = 0
        self._written: dict[tuple[Any, ...], bytes] = {}
        self._outgoing = bytearray()
        self._asked: dict[int, tuple[str, Then]] = {}
        self._queues: dict[str, deque[tuple[bytes, Then]]] = {}
        self._busy: dict[str, int] = {}
        name = self.get("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")
        if name is None:
            self.close()
            raise BusGone(f"the bus {address} does not answer")

    def ask(
        self,
        to: str,
        path: str,
        interface: str,
        method: str,
        then: Then,
        signature: str = "",
        body: tuple[Any, ...] = (),
    ) -> None:
        """Call a method; `then` gets the answer while `run` waits."""
        key = (to, path, interface, method, signature, body)
        data = self._written.get(key)
        if data is None:
            where = self._address_type(path, bus_name=to, interface=interface)
            data = self._new(where, method, signature or None, body).serialise(serial=1)
            if len(self._written) >= REMEMBERED:
                self._written.clear()
            self._written[key] = data
        self._queues.setdefault(to, deque()).append((data, then))
        self._send(to)

    def get(
        self,
        to: str,
        path: str,
        interface: str,
        method: str,
        signature: str = "",
        body: tuple[Any, ...] = (),
        seconds: float = 1.0,
    ) -> tuple[Any, ...] | None:
        """Call a method and wait for its values; None if there was an error, or no answer in time."""
        found: list[tuple[Any, ...] | None] = []
        self.ask(to, path, interface, method, found.append, signature, body)
        self.run(time.monotonic() + seconds, lambda: bool(found))
        self.forget()
        return found[0] if found else None

    def run(self, until: float, done: Callable[[], bool] = lambda: False) -> None:
        """Send, and hand out answers, until all have come, or `done`, or it is `until` by `time.monotonic`.

        Raises:
            BusGone: the bus has ended.
        """
        while (self._asked or self._outgoing) and not done():
            left = until - time.monotonic()
            if left <= 0:
                return
            try:
                readable, writable, _ = select.select(
                    [self._channel], [self._channel] if self._outgoing else [], [], left
                )
                if writable:
                    del self._outgoing[: self._channel.send(self._outgoing)]
                if readable:
                    data = self._channel.recv(262_144)
                    if not data:
                        raise BusGone("the accessibility bus has ended")
                    self._parser.add_data(data)
            except (OSError, ValueError) as error:
                if isinstance(error, BlockingIOError):
                    continue
                raise BusGone(f"the accessibility bus has ended: {error}") from error
            while (message := self._parser.get_next_message()) is not None:
                self._hand_out(message)
                if time.monotonic() >= until:
                    return

    def waiting_for(self) -> set[str]:
        """Programs that have not answered everything."""
        return {to for to, count in self._busy.items() if count} | {to for to, queue in self._queues.items() if queue}

    def forget(self) -> None:
        """Drop what is unanswered; late answers do no harm, because they are told by their serial number."""
        self._asked.clear()
        self._queues.clear()
        self._busy.clear()

    def close(self) -> None:
        """Close the connection. May be called twice."""
        self._channel.close()

    def _send(self, to: str) -> None:
        queue = self._queues.get(to)
        while queue and self._busy.get(to, 0) < AT_ONCE:
            data, then = queue.popleft()
            self._serial = self._serial % 0xFFFF_FFF0 + 1
            self._asked[self._serial] = (to, then)
            self._busy[to] = self._busy.get(to, 0) + 1
            self._outgoing += data[:8] + struct.pack("<I", self._serial) + data[12:]

    def _hand_out(self, message: Any) -> None:
        serial = message.header.fields.get(self._serial_field)
        if serial not in self._asked:
            return
        to, then = self._asked.pop(serial)
        self._busy[to] -= 1
        then(message.body if message.header.message_type is self._returned else None)
        self._send(to)


def find_accessibility_bus(session_bus: str, uid: int) -> str:
    """The address of the accessibility bus of a session; asking starts it.

    Raises:
        BusGone: the session bus is not there, or knows of none.
    """
    session = Bus(session_bus, uid)
    try:
        answer = session.get("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", seconds=10.0)
    finally:
        session.close()
    if not answer:
        raise BusGone("the session has no accessibility bus; install at-spi2-core")
    return str(answer[0])
