"""A small soak: kills cost nothing, and one that was stopped goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import soak_fleet
from soak_fleet import FLAT, Found, Soak, draw_memory, kept_by_quarter, slope, soak, soak_spec

from omnipilot.bench.journal import Slot
from omnipilot.bench.run.executors import worker

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


def test_what_a_worker_keeps_is_its_least_in_each_quarter() -> None:
    def look(start: int, ended: int, one: float, other: float) -> dict[str, Any]:
        return {"start": start, "ended": ended, "workers": {"7": one, "8": other}}

    # A film in one worker, then in the other, while what both keep rises by 10 a quarter.
    rising = [look(1, at, 900.0 if at % 2 else 100.0 + 10 * (at // 2), 120.0 + 10 * (at // 2)) for at in range(8)]
    filling = look(1, -1, 1.0, 1.0)
    assert kept_by_quarter([filling, *rising], 1) == (110.0, 120.0, 130.0, 140.0)
    assert kept_by_quarter([filling, *rising, look(2, 0, 1.0, 1.0)], 1) == (110.0, 120.0, 130.0, 140.0)
    assert kept_by_quarter([filling, *rising[:3]], 1) == () == kept_by_quarter([], 1)


def test_memory_is_flat_if_a_whole_run_raises_it_by_a_tenth_at_most() -> None:
    found = Found(10_000, Counter(), 0, 0, 0, megabytes=1000.0, slope=1000.0 * FLAT / 10)
    assert found.flat
    assert Found(10_000, Counter(), 0, 0, 0, 1000.0, 10.1).flat is False
    assert Found(10_000, Counter(), 0, 0, 0, 1000.0, None).flat is None


@pytest.mark.needs("omnipilot[figures]")
def test_the_curve_has_a_line_for_each_start() -> None:
    looks = [
        {"run": name, "start": start, "ended": ended, "megabytes": 100.0 + ended}
        for name, start in (("undisturbed", 1), ("shaken", 2), ("shaken", 3))
        for ended in (0, 10)
    ]
    axes = draw_memory(looks).axes[0]
    assert [np.asarray(line.get_ydata()).tolist() for line in axes.lines] == [[100.0, 110.0]] * 3
    assert axes.get_legend_handles_labels()[1] == ["undisturbed", "shaken"]


def test_the_order_of_episodes_has_nothing_to_do_with_their_tasks() -> None:
    todo = [(Slot(task, instance, 0), 1) for task in "abcd" for instance in range(10)]
    drawn = soak_fleet.in_drawn_order(todo)
    assert sorted(drawn, key=todo.index) == todo and drawn == soak_fleet.in_drawn_order(todo[::-1])
    assert {slot.task for slot, _ in drawn[:10]} == set("abcd")


def test_a_run_whose_soak_is_gone_plays_nothing(tmp_path: Path) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps(soak_spec("rules", 1).to_json()))
    script = [sys.executable, str(Path(soak_fleet.__file__).resolve())]
    gone = subprocess.run([*script, "--play", str(spec), str(tmp_path / "run"), str(os.getppid())])
    assert gone.returncode == worker.ORPHANED and not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("children", "warm", "workers"),
    [
        pytest.param({1: [2], 2: [3, 4]}, {2}, {3, 4}, id="forked"),
        pytest.param({1: [2, 5], 2: [3, 4]}, {2}, {3, 4, 5}, id="one started by itself"),
        pytest.param({1: [3, 4]}, set(), {3, 4}, id="after the warm process was killed"),
        pytest.param({1: [2]}, set(), set(), id="no worker yet"),
    ],
)
def test_who_is_killed(
    children: dict[int, list[int]], warm: set[int], workers: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[int] = []
    monkeypatch.setattr(soak_fleet, "_children", lambda process: children.get(process, []))
    monkeypatch.setattr(
        soak_fleet, "_command", lambda process: b"main warm_process" if process == 2 else b"main worker"
    )
    monkeypatch.setattr(os, "kill", lambda process, _: killed.append(process))
    told = {soak_fleet._kill(1, kind, Random(seed)) for kind in ("worker", "warm process") for seed in range(20)}
    assert set(killed) == warm | workers
    assert told - {""} == {kind for kind, victims in (("worker", workers), ("warm process", warm)) if victims}


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_kills_of_workers_and_of_the_run_cost_no_episode(tmp_path: Path) -> None:
    what = Soak(tmp_path / "soak", soak_spec("rules", 40), 4, 5, 0, memory_seconds=0.5)
    found = soak(what)
    assert (found.episodes, found.lost, found.twice, found.differ) == (40, 0, 0, 0)
    assert found.kills == {"worker": 3, "run": 1, "warm process": 1} and found.megabytes
    # Again: all of it is there.
    before = sorted((path, path.stat().st_mtime_ns) for path in tmp_path.rglob("*"))
    assert soak(what) == found
    assert sorted((path, path.stat().st_mtime_ns) for path in tmp_path.rglob("*")) == before


@pytest.mark.slow
def test_a_share_is_played_undisturbed_and_all_with_kills(tmp_path: Path) -> None:
    what = Soak(tmp_path / "soak", soak_spec("rules", 20), 2, 1, 0, undisturbed=6)
    found = soak(what)
    assert found.whole and found.episodes == 20 and 6 <= found.compared < 20
    assert found.kills == {"worker": 1}


@pytest.mark.slow
def test_an_episode_that_is_gone_or_differs_would_be_found(tmp_path: Path) -> None:
    what = Soak(tmp_path / "soak", soak_spec("rules", 3), 1, 0, 0)
    assert soak(what).whole
    journal = what.folder / "shaken/journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    end = next(line for line in reversed(lines) if b"episode_ended" in line)
    journal.write_bytes(b"".join([*lines, end]))
    assert soak_fleet._compare(what, what.folder / "undisturbed", what.folder / "shaken").twice == 1
