"""Permits within one process, for runs without workers."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from omnipilot.memory.models.broker.broker import Ask, Broker
from omnipilot.memory.models.broker.permits import EndpointId, Permits, RequestOutcome


class LocalPermits(Permits):
    """A broker of this process's own; threads wait for each other.

    Args:
        clock: seconds, monotonic.
    """

    def __init__(self, broker: Broker, clock: Callable[[], float] = time.monotonic) -> None:
        self._broker, self._clock = broker, clock
        self._changed = threading.Condition()
        self._granted: set[int] = set()
        self._last = 0

    def take(self, endpoint: EndpointId, tokens: int) -> int:
        """See `Permits`."""
        with self._changed:
            self._last += 1
            number = self._last
            self._broker.ask(Ask(None, number, endpoint, tokens))
            try:
                while number not in self._granted:
                    self._grant()
                    if number not in self._granted:
                        self._changed.wait(self._broker.next_grant(self._clock()))
            except BaseException:
                self._broker.tell(None, number, RequestOutcome(), self._clock())
                raise
            self._granted.discard(number)
        return number

    def give_back(self, number: int, outcome: RequestOutcome) -> None:
        """See `Permits`."""
        with self._changed:
            self._broker.tell(None, number, outcome, self._clock())
            self._grant()

    def _grant(self) -> None:
        if granted := self._broker.grant(self._clock()):
            self._granted.update(ask.number for ask in granted)
            self._changed.notify_all()
