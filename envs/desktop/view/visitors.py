"""Who is connected to a server, and how long somebody who is not let in may stay."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

STRANGERS = 16
"""Connections at a time whose request has not been let in yet; one more ends the one that has waited longest."""
GUESTS = 32
"""Requests at a time that are let in."""
PATIENCE = 5.0
"""Seconds in which a connection has to bring a request that is let in, from its start and after each answer."""


class Visitors:
    """The connections of one server; for the thread of its event loop.

    A connection is a stranger from its start, and again after each answer, until it has brought a whole request with
    the token. Strangers are few and soon gone, so whoever has the token gets in, however many others knock.
    """

    def __init__(self, strangers: int = STRANGERS, guests: int = GUESTS, patience: float = PATIENCE) -> None:
        self._most_strangers, self._most_guests, self._patience = strangers, guests, patience
        self._strangers: dict[Any, tuple[Any, Any]] = {}  # by client's address: transport, timer; the oldest first
        self._guests: set[Any] = set()
        self._loop: Any = None

    @property
    def counts(self) -> tuple[int, int]:
        """How many strangers and guests there are."""
        return len(self._strangers), len(self._guests)

    @contextmanager
    def admit(self, client: Any) -> Iterator[Any]:
        """While a request is answered, its connection is a guest; gives its transport, None if there is no room.

        Args:
            client: address of the connection, as ASGI has it.
        """
        transport, timer = self._strangers.get(client, (None, None))
        if transport is None or len(self._guests) >= self._most_guests:
            yield None
            return
        del self._strangers[client]
        timer.cancel()
        self._guests.add(client)
        try:
            yield transport
        finally:
            self._guests.discard(client)
            if not transport.is_closing():
                self._meet(client, transport)

    def _meet(self, client: Any, transport: Any) -> None:
        while len(self._strangers) >= self._most_strangers:
            oldest, timer = self._strangers.pop(next(iter(self._strangers)))
            timer.cancel()
            oldest.abort()
        self._strangers[client] = transport, self._loop.call_later(self._patience, transport.abort)

    def _part(self, client: Any) -> None:
        self._guests.discard(client)
        _, timer = self._strangers.pop(client, (None, None))
        if timer is not None:
            timer.cancel()

    def protocol(self) -> Any:
        """uvicorn's protocol, which tells of each connection that begins and ends."""
        from uvicorn.protocols.http.h11_impl import H11Protocol

        visitors = self

        class Visited(H11Protocol):
            def connection_made(self, transport: Any) -> None:
                super().connection_made(transport)
                visitors._loop = self.loop
                visitors._meet(self.client, transport)

            def connection_lost(self, exc: Exception | None) -> None:
                visitors._part(self.client)
                super().connection_lost(exc)

        return Visited
