"""The clock of worlds that run in real time."""

import time

import pytest

from omnipilot.envs.clock import WallClock


def test_it_counts_from_its_last_restart_and_places_other_readings():
    clock = WallClock()
    first, monotonic, unix = clock.now, time.monotonic(), time.time()
    assert 0 <= first <= clock.at(monotonic) <= clock.now
    assert clock.at_unix(unix) == pytest.approx(clock.at(monotonic), abs=0.05)
    clock.restart()
    assert clock.at(monotonic) <= 0 <= clock.now < first + 60
