"""The measurements of grounders measure: small, and without what is promised, which needs a quiet machine."""

from __future__ import annotations

from speed_grounders import DELAY, client_overhead, desktop, parses_a_second

from omnipilot.grounders.families.table import names


def test_every_family_reads_what_it_writes() -> None:
    all_of_them, slowest, its = parses_a_second(each=5, rounds=1)
    assert slowest in names() and 0 < its <= all_of_them


def test_calls_take_at_least_as_long_as_the_server() -> None:
    calls = client_overhead(desktop(), calls=32, rounds=1)
    assert calls.bare >= 1e3 * DELAY and calls.ours >= 1e3 * DELAY and calls.kilobytes > 1
