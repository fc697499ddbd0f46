"""A cache of recent values by key: each is computed once, even if many threads request it at the same moment."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class SingleFlightCache(Generic[K, V]):
    """A bounded cache of expensive values; the least recently used are dropped first.

    Args:
        most: sum of the weights of what is kept. The newest value is kept whatever it weighs.
        weight: of a value, such as its bytes.
    """

    def __init__(self, most: int, weight: Callable[[V], int]) -> None:
        self._most = most
        self._weight = weight
        self._lock = threading.Lock()
        self._kept: OrderedDict[K, Future[V]] = OrderedDict()
        self._weights: dict[K, int] = {}

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The value of a key; the first caller computes it while others wait. Failures are not cached."""
        with self._lock:
            future = self._kept.get(key)
            if future is not None:
                self._kept.move_to_end(key)
            else:
                mine: Future[V] = Future()
                self._kept[key] = mine
        if future is not None:
            return future.result()
        try:
            value = make()
        except BaseException as error:
            with self._lock:
                del self._kept[key]
            mine.set_exception(error)
            raise
        mine.set_result(value)
        with self._lock:
            self._weights[key] = self._weight(value)
            self._forget(key)
        return value

    def _forget(self, newest: K) -> None:
        while sum(self._weights.values()) > self._most:
            oldest = next((key for key in self._kept if key in self._weights and key != newest), None)
            if oldest is None:
                return
            del self._kept[oldest], self._weights[oldest]
