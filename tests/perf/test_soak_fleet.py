"""A small soak: kills cost nothing, and one that was stopped goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
import soak_fleet
from soak_fleet import Soak, slope, soak, soak_spec

pytestmark = [pytest.mark.exhibit("duet", "rules")]


def test_a_slope_is_that_within_each_start() -> None:
    looks = [
        {"start": start, "ended": ended, "megabytes": level + 2.0 * ended / 1000}
        for start, level in ((1, 100.0), (2, 900.0))
        for ended in (0, 500, 1000)
    ]
    assert slope(looks, 1) == pytest.approx(2.0)
    assert slope([], 0) is None and slope(looks[:1], 0) is None and slope(looks, 800) is None
    # What is seen while caches fill does not count.
    filling = {"start": 1, "ended": 0, "megabytes": 1.0}
    assert slope([filling, *looks[1:3]], 1) == pytest.approx(2.0)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_kills_of_workers_and_of_the_run_cost_no_episode(tmp_path: Path) -> None:
    what = Soak(tmp_path / "soak", soak_spec("rules", 40), 4, 3, 0, memory_seconds=0.5)
    found = soak(what)
    assert (found.episodes, found.lost, found.twice, found.differ) == (40, 0, 0, 0)
    assert found.kills == {"worker": 2, "run": 1} and found.megabytes
    # Again: all of it is there.
    before = sorted((path, path.stat().st_mtime_ns) for path in tmp_path.rglob("*"))
    assert soak(what) == found
    assert sorted((path, path.stat().st_mtime_ns) for path in tmp_path.rglob("*")) == before


@pytest.mark.slow
def test_an_episode_that_is_gone_or_differs_would_be_found(tmp_path: Path) -> None:
    what = Soak(tmp_path / "soak", soak_spec("rules", 3), 1, 0, 0)
    assert soak(what).whole
    journal = what.folder / "shaken/journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    end = next(line for line in reversed(lines) if b"episode_ended" in line)
    journal.write_bytes(b"".join([*lines, end]))
    assert soak_fleet._compare(what, what.folder / "undisturbed", what.folder / "shaken").twice == 1
