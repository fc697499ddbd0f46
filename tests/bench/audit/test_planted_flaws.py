"""The auditor is audited: judges with planted flaws are found, sound ones are not accused."""

from __future__ import annotations

import pytest
from planted_flaws import Planted, flaws

from omnipilot.bench.audit.auditor import AuditBudget, audit_task
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.suites.duet_memory.suite import DuetMemory

SUITE = Duet(memo=5000, pieces=64)
PLANTED = list(flaws())
BUDGET = AuditBudget(sequences=3000, doors=False)
QUICK = {"clock-send-message", "at start-move-file", "answer told-move-file", "clipboard as data-send-message"}
"""Found without a search, one of each way."""


def is_found(planted: Planted) -> bool:
    return bool(audit_task(SUITE, planted.task, budget=BUDGET, change=planted.change).findings)


def test_there_are_enough_of_each_family() -> None:
    assert len(PLANTED) >= 50
    assert len({one.name for one in PLANTED}) == len(PLANTED)
    assert len({one.family for one in PLANTED}) >= 15


@pytest.mark.parametrize("planted", [one for one in PLANTED if one.name in QUICK], ids=lambda one: one.name)
def test_flaws_are_found_without_a_search(planted: Planted) -> None:
    budget = AuditBudget(sequences=0, doors=False)
    assert audit_task(SUITE, planted.task, budget=budget, change=planted.change).findings


@pytest.mark.parametrize("task", ["send-message", "add-alarm"])
def test_sound_judges_are_not_accused(task: str) -> None:
    assert not audit_task(SUITE, task, budget=AuditBudget(sequences=100, doors=False)).findings


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_planted_flaws_are_found() -> None:
    missed = [one.name for one in PLANTED if not is_found(one)]
    assert len(missed) <= 0.05 * len(PLANTED), missed


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_few_sound_judges_are_accused() -> None:
    sound = [(SUITE, info.id) for info in SUITE.tasks()] + [
        (one, info.id) for one in [DuetMemory()] for info in one.tasks()
    ]
    assert len(sound) >= 50
    accused = [
        (task, finding.kind, finding.reason)
        for suite, task in sound
        for finding in audit_task(suite, task, budget=AuditBudget(sequences=500, doors=False)).findings
    ]
    assert len({one[0] for one in accused}) <= 0.02 * len(sound), accused
