"""MMBench-GUI levels 3 and 4: rows by platform, their average, EQ¹ and EQ²."""

from __future__ import annotations

import pytest

from omnipilot.bench.scoring.eqa import Attempt, eq1, eq2, eqa_shuffled
from omnipilot.bench.suites.mmbench_gui.level3.metrics import report
from omnipilot.envs import ConfigError

SOME = [
    Attempt("a", True, 5, "web"),
    Attempt("b", True, 10, "web"),
    Attempt("c", False, 3, "mac"),
    Attempt("d", True, 12, "mac"),
    Attempt("e", True, 1, "mac", void=True),
]


def test_rows_and_their_average() -> None:
    found = report(SOME, 10, "closed")
    web, mac = found.platforms["web"], found.platforms["mac"]
    assert (web.tasks, web.void, web.success, web.eqa) == (2, 0, 1, 0.5)
    assert (web.eq1, web.eq2) == (0.5, 0.5)
    # d took longer than the limit and e is void: nothing is solved.
    assert (mac.tasks, mac.void, mac.success, mac.eqa) == (3, 1, 0, 0)
    assert (mac.eq1, mac.eq2) == (None, 0)
    assert (found.average.tasks, found.average.void) == (5, 1)
    assert found.average.success == pytest.approx(0.4)
    assert found.average.eqa == pytest.approx(0.2)
    assert found.average.eq1 == pytest.approx(0.5)
    assert (found.form, found.limit, found.shuffled) == ("closed", 10, False)


def test_a_larger_limit_lets_the_slow_task_count() -> None:
    mac = report(SOME, 50, "closed").platforms["mac"]
    assert mac.success == pytest.approx(1 / 3)
    assert mac.eqa == pytest.approx((1 - 15 / 150) / 3)


def test_the_mean_over_orders_can_stand_instead() -> None:
    found = report(SOME, 10, "release", shuffled=True)
    assert found.shuffled
    assert found.platforms["web"].eqa == eqa_shuffled(SOME[:2], 10)
    assert found.platforms["web"].eqa != report(SOME, 10).platforms["web"].eqa


def test_equations_13_and_14() -> None:
    assert eq1(0.8, 0.2) == 0.25
    assert eq1(0, 0) is None
    assert eq2(0.8, 0.2) == pytest.approx(0.6)


def test_what_cannot_be_scored_is_refused() -> None:
    with pytest.raises(ConfigError, match="no attempts"):
        report([])
    with pytest.raises(ConfigError, match="one attempt per task"):
        report([SOME[0], SOME[0]], shuffled=True)
    # The same task on two platforms is two tasks.
    assert report([SOME[0], Attempt("a", True, 5, "mac")]).average.tasks == 2
