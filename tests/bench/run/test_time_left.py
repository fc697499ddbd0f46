"""The time that a run still takes falls evenly, and is not misled by the long episodes that begin first."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from toy_suite import toy_spec

from omnipilot.bench.run import run
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.progress import Standing
from omnipilot.bench.run.time_left import EndedWork, seconds_left


def told(lengths: list[float], expected: list[float], jobs: int, step: float = 1.0) -> list[tuple[float, float]]:
    """(seconds truly left, seconds said to be left) each second of a run of such episodes, from the first end on."""
    free, ends = [0.0] * jobs, []
    for length in lengths:
        place = min(range(jobs), key=lambda one: free[one])
        ends.append((free[place], free[place] + length))
        free[place] += length
    total, now, found = max(free), 0.0, []
    while now < total:
        ended, playing, waiting = EndedWork(), [], 0.0
        for (begins, end), length, thought in zip(ends, lengths, expected, strict=True):
            if end <= now:
                ended.add(length, thought)
            elif begins <= now:
                playing.append((thought, now - begins))
            else:
                waiting += thought
        left = seconds_left(ended, playing, waiting, jobs)
        if left is not None:
            found.append((total - now, left))
        now += step
    return found


def test_nothing_is_said_before_the_first_end() -> None:
    assert seconds_left(EndedWork(), [(1.0, 5.0)], 9.0, 1) is None


@pytest.mark.parametrize("jobs", [1, 3])
def test_of_equal_episodes_it_is_the_truth_at_every_moment(jobs: int) -> None:
    found = told([60.0] * 12, [1.0] * 12, jobs)
    assert len(found) == 60 * (12 // jobs - 1) and all(left == pytest.approx(true) for true, left in found)


def test_it_does_not_rise_and_fall_with_each_end() -> None:
    chance = Random(4)
    lengths = [chance.uniform(40, 80) for _ in range(40)]
    said = [left for _, left in told(lengths, [1.0] * 40, 1)]
    rises = [after - before for before, after in zip(said, said[1:], strict=False) if after > before]
    # By ended episodes over the clock alone, it rises by a minute and more a second before each end.
    late = said[len(said) // 4 :]
    assert max(abs(after - before) for before, after in zip(late, late[1:], strict=False)) < 0.05 * late[0]
    assert sum(rises) < 0.5 * said[0]


def test_long_ones_that_begin_first_do_not_make_the_short_ones_look_long() -> None:
    lengths = [100.0] * 6 + [10.0] * 60
    known, unknown = (told(lengths, expected, 2) for expected in (lengths, [1.0] * 66))
    assert all(left == pytest.approx(true, abs=10.0) for true, left in known)
    assert unknown[0][1] > 3 * unknown[0][0], "what a mean would say"


def test_one_that_lasts_longer_than_thought_makes_the_rest_longer_and_never_less_than_nothing() -> None:
    ended = EndedWork(60.0, 1.0)
    said = [seconds_left(ended, [(1.0, so_far)], 4.0, 1) for so_far in (0.0, 30.0, 60.0, 61.0, 120.0, 600.0)]
    assert said[:3] == [300.0, 270.0, 240.0]
    assert said[3] == pytest.approx(242.0) and said[4] == pytest.approx(360.0) and said[5] == pytest.approx(1320.0)
    assert seconds_left(ended, [(1.0, 600.0)], 0.0, 1) == 0.0


def test_the_last_ones_are_not_shared_out() -> None:
    assert seconds_left(EndedWork(60.0, 1.0), [(1.0, 10.0), (1.0, 55.0)], 0.0, 2) == 50.0


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [0, 2])
def test_a_run_tells_it(jobs: int, tmp_path: Path) -> None:
    said: list[Standing] = []
    run(toy_spec("count", "far", trials=4), tmp_path / "run", RunExecution(jobs, on_progress=said.append))
    assert said[-1].over and said[-1].time_left == 0.0
    assert all((now.time_left is None) == (now.ran == 0) for now in said)
