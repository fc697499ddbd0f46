"""Minutes are those of the whole training: samples stop in time, and the training has what they leave."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from typing import Any

import pytest
from command_line import omnipilot

from omnipilot.bench.training.time_budget import SHARE, TimeBudget, write_within
from omnipilot.envs import ConfigError


class Clock:
    """A clock that somebody sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class AtOnce(Executor):
    """Does everything as it is submitted."""

    def submit(self, function: Any, /, *given: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(function(*given, **named))
        return future


def write(seconds: float, end: float | None, least: int, clock: Clock, said: list[str]) -> list[int]:
    """The instances of 300 that are written, each taking some seconds, one at a time."""
    written: list[int] = []

    def one(instance: int) -> None:
        written.append(instance)
        clock.now += seconds

    count = write_within(one, range(100, 400), AtOnce(), 1, said.append, end, least, clock)
    assert count == len(written)
    return written


def test_five_minutes_are_five_minutes_of_the_whole() -> None:
    clock, said = Clock(), list[str]()
    budget = TimeBudget.start(5.0, clock)
    written = write(3.2, budget.samples_end(), 3, clock, said)
    # 300 of them would take 16 minutes.
    assert written == list(range(100, 100 + len(written)))
    assert 60 * 5 * SHARE <= clock.now - budget.began < 60 * 5 * SHARE + 3.2
    assert budget.left == pytest.approx(300 - (clock.now - budget.began)) and budget.left > 170
    # Nobody waits in silence.
    assert len(said) >= 8 and said[0].startswith("4 of 300 instances written, 0.2 min")


def test_samples_that_are_quick_leave_their_time_to_the_training() -> None:
    clock, said = Clock(), list[str]()
    budget = TimeBudget.start(30.0, clock)
    assert len(write(0.1, budget.samples_end(), 3, clock, said)) == 300
    assert budget.left == pytest.approx(60 * 30 - 30) and said[-1].startswith("300 of 300 instances written")


def test_so_many_as_a_training_needs_are_written_whatever_the_time() -> None:
    clock = Clock()
    budget = TimeBudget.start(0.1, clock)
    assert write(60.0, budget.samples_end(), 3, clock, []) == [100, 101, 102]
    assert budget.left == 1.0
    assert len(write(60.0, None, 0, clock, [])) == 300


def test_the_share_is_split_among_several_suites() -> None:
    budget = TimeBudget.start(10.0, Clock())
    assert budget.samples_end(1, 2) == 1000 + 120 and budget.samples_end(2, 2) == budget.samples_end() == 1000 + 240


@pytest.mark.parametrize("minutes", ["0", "-1", "nan", "inf"])
def test_no_minutes_are_refused(minutes: str) -> None:
    with pytest.raises(ConfigError, match="--minutes must be more than 0"):
        TimeBudget.start(float(minutes))
    for what in ("planner", "grounder"):
        done = omnipilot("train", what, "--minutes", minutes)
        assert done.returncode == 2 and "--minutes must be more than 0" in done.stderr
