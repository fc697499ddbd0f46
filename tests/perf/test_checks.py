"""Planted slips are noticed, and episodes without one raise no alarm: in a few tasks, and in all as a slow test."""

from __future__ import annotations

import pytest
from checks import PASTED, Found, false_alarms, measure, solved
from slips import SLIPS

from omnipilot.agents.wrappers.checks import CheckAgent, RepairAgent
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.tasks.task import Task

SUITE = Duet(split="all")
FEW = ("price-to-asker", "dialled-password-to-network")
SEEN = [kind for kind in SLIPS if kind != "tap on something else"]
"""Slips that show: of a tap that operates something else, nothing on the screen says that it was not meant."""


def tasks(*names: str) -> list[Task]:
    return [SUITE.instantiate(name, 0) for name in names or [info.id for info in SUITE.every()]]


def test_in_one_task_each_slip_is_told_in_the_next_turn() -> None:
    found = measure(tasks(FEW[1]), SEEN)
    assert set(found) == set(SEEN)
    for kind, row in found.items():
        assert row.missed == [], kind
        assert row.planted > row.same, kind
        # That nothing new was copied shows before it is pasted: the context tells the clipboard.
        assert set(row.delays) == ({2} if kind == PASTED else {1}), kind


def test_in_a_few_tasks_nothing_is_told_where_nothing_slipped() -> None:
    for pastes in (False, True):
        alarms, told, _, which = false_alarms(tasks(*FEW), pastes)
        assert which == []
        assert (alarms, told > 10) == (0, True)


def test_a_repair_saves_an_episode_that_an_app_that_did_not_open_would_have_cost() -> None:
    (task,) = tasks("send-message")
    found = [solved(task, "app that does not open", 0, 0, how) for how in (CheckAgent, RepairAgent)]
    assert found == [False, True]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_in_all_tasks_at_least_95_percent_of_the_slips_are_noticed() -> None:
    for kind, row in measure(tasks(), SEEN).items():
        assert rate(row) >= 0.95, (kind, row)


@pytest.mark.slow
def test_in_all_tasks_at_most_1_percent_of_the_checks_are_false_alarms() -> None:
    for pastes in (False, True):
        alarms, told, _, which = false_alarms(tasks(), pastes)
        assert told > 1_000
        assert alarms <= 0.01 * told, which


def rate(row: Found) -> float:
    """The share of the slips that made a difference that was noticed."""
    return len(row.delays) / (row.planted - row.same)
