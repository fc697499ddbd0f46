"""Which connections a server keeps while it does not know yet whose they are."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from contextlib import suppress
from typing import Any, TypeAlias

Peer: TypeAlias = tuple[str, int]
"""Address and port at the other end of a connection."""


class Admission:
    """Keeps a way in for clients where others open connections and say nothing.

    A connection is a stranger's until it is admitted, as by a token. When there are too many of them, a new one takes
    the place of the oldest of that address which has most: so whoever says at once who it is comes in, however many
    are silent. Everything is called in the thread of one event loop.

    Args:
        most: admitted connections.
        most_strangers: connections that are not admitted yet.
        seconds: within which a stranger has to be admitted.
    """

    def __init__(self, most: int, most_strangers: int, seconds: float) -> None:
        self._most, self._most_strangers, self._seconds = most, most_strangers, seconds
        self._strangers: dict[Peer, Any] = {}
        self._admitted: dict[Peer, Any] = {}

    def enter(self, connection: Any, peer: Any) -> None:
        """A connection has been accepted.

        Args:
            connection: its socket. peer: the other end's address, as `accept` returns it.
        """
        self._forget_closed()
        if len(self._strangers) >= self._most_strangers:
            counts = Counter(host for host, _ in self._strangers)
            host = counts.most_common(1)[0][0]
            self._turn_away(next(one for one in self._strangers if one[0] == host))
        name = (str(peer[0]), int(peer[1]))
        self._strangers[name] = connection
        asyncio.get_running_loop().call_later(self._seconds, self._hurry, name, connection)

    def admit(self, peer: Any) -> bool:
        """The connection of `peer` is a client's; returns whether it may stay."""
        name = (str(peer[0]), int(peer[1]))
        if name in self._admitted:
            return True
        self._forget_closed()
        if name not in self._strangers or len(self._admitted) >= self._most:
            return False
        self._admitted[name] = self._strangers.pop(name)
        return True

    def _hurry(self, name: Peer, connection: Any) -> None:
        if self._strangers.get(name) is connection:
            self._turn_away(name)

    def _turn_away(self, name: Peer) -> None:
        with suppress(OSError):
            # Its reader sees the end, and closes it.
            self._strangers.pop(name).shutdown(socket.SHUT_RDWR)

    def _forget_closed(self) -> None:
        for known in (self._strangers, self._admitted):
            for name in [name for name, connection in known.items() if connection.fileno() < 0]:
                del known[name]


class GuardedListener(socket.socket):
    """A listening socket that tells of each connection that it accepts, before anything is read from it."""

    admission: Admission | None = None

    def accept(self) -> tuple[socket.socket, Any]:
        """See `socket.accept`."""
        connection, peer = super().accept()
        if self.admission is not None:
            self.admission.enter(connection, peer)
        return connection, peer
