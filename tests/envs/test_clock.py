"""The clock of worlds that run in real time."""

import time

from omnipilot.envs.clock import WallClock


def test_it_counts_from_its_last_restart_and_places_other_readings():
    clock = WallClock()
    first, monotonic = clock.now, time.monotonic()
    assert 0 <= first <= clock.at(monotonic) <= clock.now
    clock.restart()
    assert clock.at(monotonic) <= 0 <= clock.now < first + 60
