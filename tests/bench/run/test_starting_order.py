"""The longest expected episode begins first; a run's table does not depend on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest
from made_runs import episode
from toy_suite import ToySuite, table, toy_spec

from omnipilot.agents import Limits
from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import EpisodeStarted
from omnipilot.bench.journal.results import Episode, Slot
from omnipilot.bench.run import run
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.executors.worker_process import WorkerProcess
from omnipilot.bench.run.starting_order import expected_lengths, longest_first
from omnipilot.bench.spec import RunLimits, RunSpec
from omnipilot.bench.tasks.task import Task

SPEC = toy_spec("count", "far", "guard")
TODO = [(Slot(task, 0, trial), 1) for task in ("count", "far", "guard") for trial in (0, 1)]


class Limited(ToySuite):
    """Tasks with a turn limit of their own."""

    LIMITS: ClassVar[Mapping[str, int | None]] = {"count": 10, "far": 40, "guard": None}

    def instantiate(self, task_id: str, instance: int) -> Task:
        task = super().instantiate(task_id, instance)
        return replace(task, limits=Limits(turns=self.LIMITS[task_id]))


def in_order(suite: ToySuite, spec: RunSpec, played: list[Episode]) -> list[tuple[Slot, int]]:
    return longest_first(TODO, expected_lengths(TODO, suite, spec, played))


def tasks(found: list[tuple[Slot, int]]) -> list[str]:
    return [slot.task for slot, _ in found]


def test_without_episodes_the_turn_limit_says_how_long_one_is() -> None:
    found = in_order(Limited(), SPEC, [])
    # A limit that a task does not give is the default one, 30.
    assert tasks(found) == ["far", "far", "guard", "guard", "count", "count"]
    assert [slot.trial for slot, _ in found] == [0, 1] * 3
    assert in_order(Limited(), replace(SPEC, limits=RunLimits(turns=9)), []) == TODO


def test_episodes_of_a_task_say_how_long_it_is_and_the_others_are_scaled_by_them() -> None:
    timed = [
        replace(episode(f"count#0.{n}"), wall_seconds=seconds, turn_limit=10)
        for n, seconds in ((0, 5), (1, 60), (2, 9e9))
    ]
    void = replace(episode("guard#0.0", reason="void"), wall_seconds=9e9)
    # 60 s a count, so 6 s a turn of the limit: 240 s for far, 180 s for guard.
    assert tasks(in_order(Limited(), SPEC, [*timed, void]))[::2] == ["far", "guard", "count"]
    slow = [replace(one, wall_seconds=500.0) for one in timed]
    quick = [replace(one, key=f"far#0.{n}", task="far", wall_seconds=1.0, turn_limit=40) for n, one in enumerate(timed)]
    assert tasks(in_order(Limited(), SPEC, [*slow, *quick]))[::2] == ["guard", "count", "far"]


@pytest.mark.slow
def test_several_workers_get_the_longest_first_and_the_table_is_that_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = toy_spec("far", "count", "guard", instances=2)
    alone = run(spec, tmp_path / "alone")
    begun: list[str] = []
    play = WorkerProcess.play

    def noting(worker: WorkerProcess, slot: Slot, attempt: int) -> None:
        begun.append(slot.key)
        play(worker, slot, attempt)

    monkeypatch.setattr(WorkerProcess, "play", noting)
    both = run(spec, tmp_path / "both", RunExecution(2))
    # far has a turn limit of 5, the others the default of 30.
    assert begun == ["count#0.0", "count#1.0", "guard#0.0", "guard#1.0", "far#0.0", "far#1.0"]
    assert table(both.episodes) == table(alone.episodes)
    first = next(event.key for event in read(tmp_path / "alone") if isinstance(event, EpisodeStarted))
    assert first == "count#0.0"
