"""Episodes of all tasks, played again and gone on with: an agent that keeps a state goes on as if nothing had been."""

from __future__ import annotations

from pathlib import Path

import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.journal.attempts import RecordedAttempt, attempt_events
from omnipilot.bench.journal.differences import event_differences
from omnipilot.bench.journal.results import Slot
from omnipilot.bench.run.fork import ForkPoint, fork_spec
from omnipilot.bench.run.runner import run
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.suites.duet import Duet
from omnipilot.bench.verification.verify import verify_run

TASKS = tuple(info.id for info in Duet().tasks())


@pytest.mark.timeout(900)
@pytest.mark.parametrize("planner", ["rules", "mini"])
@pytest.mark.parametrize("tasks", [TASKS[:1], pytest.param(TASKS, marks=pytest.mark.slow)], ids=["one", "all"])
def test_forks_of_every_task_equal_the_record(planner: str, tasks: tuple[str, ...], tmp_path: Path) -> None:
    spec = RunSpec(AgentSpec(planner=PartSpec(planner)), PartSpec("duet"), tasks=tasks)
    run(spec, tmp_path / "origin")
    compared = 0
    for task in tasks:
        key = f"{task}#0.0"
        record = RecordedAttempt.of_events(attempt_events(tmp_path / "origin", key))
        turn = len(record.turns) // 2 + 1
        forked, _ = fork_spec(ForkPoint(tmp_path / "origin", Slot(task, 0, 0), turn), RunSettings())
        assert forked.forked is not None and forked.forked.shadow
        run(forked, tmp_path / task)
        pairs = [
            [one for one in attempt_events(folder, key) if one.event != "remembered"]
            for folder in (tmp_path / "origin", tmp_path / task)
        ]
        assert len(pairs[0]) == len(pairs[1])
        for one, other in zip(*pairs, strict=True):
            assert list(event_differences(one, other)) == []
            compared += 1
    assert compared > 4 * len(tasks)


@pytest.mark.parametrize("tasks", [TASKS[:2], pytest.param(TASKS, marks=pytest.mark.slow)], ids=["some", "all"])
def test_runs_are_derived_again_from_their_actions(tasks: tuple[str, ...], tmp_path: Path) -> None:
    run(RunSpec(AgentSpec(planner=PartSpec("rules")), PartSpec("duet"), tasks=tasks), tmp_path)
    found = verify_run(tmp_path)
    assert found.whole, found.differences
    assert found.attempts == len(tasks) and found.captures > 4 * found.turns > 8 * len(tasks)


@pytest.mark.exhibit("duet-memory")
def test_what_was_played_before_an_episode_is_played_again(tmp_path: Path) -> None:
    spec = RunSpec(
        AgentSpec(planner=PartSpec("noop")), PartSpec("duet-memory", {"split": "test"}), tasks=("price-seen-10",)
    )
    run(spec, tmp_path / "origin")
    slot = Slot("price-seen-10", 0, 0)
    record = RecordedAttempt.of_events(attempt_events(tmp_path / "origin", slot.key))
    assert len(record.past) > 5
    run(fork_spec(ForkPoint(tmp_path / "origin", slot, 2), RunSettings())[0], tmp_path / "forked")
    again = RecordedAttempt.of_events(attempt_events(tmp_path / "forked", slot.key))
    assert [list(event_differences(*pair)) for pair in zip(record.past, again.past, strict=True)] == [[]] * len(
        record.past
    )
