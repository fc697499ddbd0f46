"""What is made once and kept: bounded, and made by one thread for all."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from omnipilot.memory.store.single_flight_cache import SingleFlightCache


def test_a_value_is_made_once_and_the_least_lately_used_goes_first() -> None:
    made: list[str] = []
    recent: SingleFlightCache[str, str] = SingleFlightCache(3, len)

    def get(key: str) -> str:
        return recent.get(key, lambda: made.append(key) or key)  # type: ignore[func-returns-value]

    for key in ("a", "b", "c", "a", "d", "a", "c", "b"):
        assert get(key) == key
    assert made == ["a", "b", "c", "d", "b"]


def test_what_is_too_heavy_for_all_is_kept_alone() -> None:
    made: list[int] = []
    recent: SingleFlightCache[int, int] = SingleFlightCache(10, lambda value: value)
    for weight in (4, 50, 50, 4, 4):
        recent.get(weight, lambda: made.append(weight) or weight)  # type: ignore[func-returns-value]
    assert made == [4, 50, 4]


def test_threads_that_ask_at_once_wait_for_the_first() -> None:
    begun, gate = threading.Event(), threading.Event()
    made: list[int] = []

    def make() -> object:
        begun.set()
        assert gate.wait(30)
        made.append(1)
        return object()

    recent: SingleFlightCache[str, object] = SingleFlightCache(10, lambda _: 1)
    with ThreadPoolExecutor(8) as pool:
        futures = [pool.submit(recent.get, "key", make) for _ in range(8)]
        assert begun.wait(30)
        gate.set()
        values = {id(future.result()) for future in futures}
    assert made == [1] and len(values) == 1


def test_a_failure_is_told_and_not_kept() -> None:
    recent: SingleFlightCache[str, int] = SingleFlightCache(10, lambda _: 1)
    with pytest.raises(ZeroDivisionError):
        recent.get("key", lambda: 1 // 0)
    assert recent.get("key", lambda: 7) == 7
