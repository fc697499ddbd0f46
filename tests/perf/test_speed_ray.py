"""What `make bench AREA=ray` says where there is no Ray, and that its two kinds of runs are the same where there is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import speed
import speed_ray
from speed_ray import Beside, Played
from toy_suite import toy_spec


def test_without_ray_nothing_is_measured_and_the_cure_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMNIPILOT_RAY", raising=False)
    (row,) = speed.AREAS["ray"]()
    assert row.value == "not measured: run `make ray` first" and row.kept is None


def test_what_is_told_is_time_and_memory_of_both(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = Played(10.0, 1.0, 500.0), Played(12.0, 3.0, 1500.0)
    monkeypatch.setenv("OMNIPILOT_RAY", "python")
    monkeypatch.setattr(speed_ray, "beside", lambda interpreter: Beside(ours, theirs, ours, theirs))
    rows = list(speed.AREAS["ray"]())
    assert [row.value for row in rows[:3]] == [
        "10 s  (1 s before and after, 0.5 GB)",
        "12 s  (3 s before and after, 1.5 GB)",
        "1.2 times",
    ]
    assert len(rows) == 6


@pytest.mark.needs("Ray")
@pytest.mark.slow
@pytest.mark.timeout(200)
def test_a_run_is_played_with_both_kinds_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    fixtures = str(Path(__file__).parents[1] / "fixtures")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (fixtures, os.environ.get("PYTHONPATH")))))
    spec = toy_spec("count", trials=4)
    ours = speed_ray.play(spec, 2)
    with speed_ray.cluster(2) as address:
        theirs = speed_ray.play(spec, 2, address)
    assert min(ours.seconds, ours.apart, ours.shared, theirs.seconds, theirs.apart) > 0
    assert theirs.shared > ours.shared, "the processes of the cluster are counted, too"
