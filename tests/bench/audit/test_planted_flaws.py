"""The auditor is audited: judges with planted flaws are found, sound ones are not accused."""

from __future__ import annotations

import pytest
from planted_flaws import Planted, flaws

from omnipilot.bench.audit.auditor import AuditBudget, audit_task
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.suites.duet_memory.suite import DuetMemory

SUITE = Duet(memo=5000, pieces=64)
PLANTED = list(flaws())
BUDGET = AuditBudget(sequences=3000, seconds=1e9, doors=False)
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


PARTS = 8
SOUND = [(SUITE, info.id) for info in SUITE.tasks()] + [
    (one, info.id) for one in [DuetMemory()] for info in one.tasks()
]


@pytest.mark.slow
@pytest.mark.timeout(3600)
class Part:
    """An eighth of the flaws and of the sound judges. Each part is a class, for a sample of the slow tests takes
    functions with all of their parameters."""

    number: int

    def test_planted_flaws_are_found(self) -> None:
        flaws = PLANTED[self.number :: PARTS]
        assert [one.name for one in flaws if not is_found(one)] == []

    def test_the_suites_own_judges_are_not_accused(self) -> None:
        accused = {
            task: finding.reason
            for suite, task in SOUND[self.number :: PARTS]
            for finding in audit_task(suite, task, budget=AuditBudget(500, 1e9, doors=False)).findings
        }
        assert accused == {}


class TestPart0(Part):
    number = 0


class TestPart1(Part):
    number = 1


class TestPart2(Part):
    number = 2


class TestPart3(Part):
    number = 3


class TestPart4(Part):
    number = 4


class TestPart5(Part):
    number = 5


class TestPart6(Part):
    number = 6


class TestPart7(Part):
    number = 7
