"""Intervals for EQA, against a second bootstrap, and where nothing can be said."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from omnipilot.bench.scoring.eqa import Attempt, eqa_in_order
from omnipilot.bench.suites.mmbench_gui.level3.interval import AVERAGE, scores
from omnipilot.bench.suites.mmbench_gui.level3.metrics import report

DICE = random.Random(5)
MANY = [
    Attempt(f"{platform}/{number:02}", DICE.random() < 0.6, DICE.randint(2, 15), platform)
    for platform, count in (("mac", 30), ("web", 25))
    for number in range(count)
]
ALONE = {one.task: one.task for one in MANY}


def ends(values: list[float], share: float) -> tuple[float, float]:
    order = sorted(values)
    return order[int(share * len(order))], order[int((1 - share) * len(order)) - 1]


def test_estimates_are_the_metric_s() -> None:
    found = scores([MANY], ALONE, 15)
    table = report(MANY, 15)
    for name, row in (*table.platforms.items(), (AVERAGE, table.average)):
        values = {key: interval.estimate for key, interval in found[name].figures.items() if interval is not None}
        assert values == pytest.approx({"SR": row.success, "EQA": row.eqa, "EQ1": row.eq1, "EQ2": row.eq2})
        assert (found[name].tasks, found[name].void) == (row.tasks, row.void)


def test_ends_against_a_second_bootstrap_that_keeps_the_order() -> None:
    dice = random.Random(1)
    areas = []
    for _ in range(4_000):
        total = 0.0
        for platform in ("mac", "web"):
            own = [one for one in MANY if one.platform == platform]
            drawn = sorted(dice.choices(own, k=len(own)), key=lambda one: one.task)
            renamed = [replace(one, task=f"{place:03}") for place, one in enumerate(drawn)]
            total += (eqa_in_order(renamed, 15) or 0.0) * len(own)
        areas.append(total / len(MANY))
    interval = scores([MANY], ALONE, 15)[AVERAGE].figures["EQA"]
    assert interval is not None and interval.low is not None and interval.high is not None
    # With 53 degrees of freedom the percentiles lie a little further out than 2.5 %: between these.
    inner, outer = ends(areas, 0.025), ends(areas, 0.015)
    assert outer[0] - 0.01 < interval.low < inner[0] + 0.01
    assert inner[1] - 0.01 < interval.high < outer[1] + 0.01
    assert (interval.units, interval.clusters) == (55, 55)
    assert interval.method == "bootstrap of 55 tasks in 2 platforms, order kept"


def test_instances_of_a_task_are_drawn_together() -> None:
    # Five tasks of eleven equal instances say no more than five tasks.
    attempts = [Attempt(f"{task}#{number:02}", task < 3, 4, "web") for task in range(5) for number in range(11)]
    together = {one.task: one.task[0] for one in attempts}
    apart = {one.task: one.task for one in attempts}
    wide, narrow = (scores([attempts], names, 15)[AVERAGE].figures["EQA"] for names in (together, apart))
    assert wide is not None and narrow is not None
    assert (wide.clusters, narrow.clusters, wide.units) == (5, 55, 55)
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)  # type: ignore[operator]


def test_trials_are_averaged_and_add_no_tasks() -> None:
    other = [replace(one, success=not one.success) for one in MANY]
    found = scores([MANY, other], ALONE, 15)[AVERAGE]
    rate, area = found.figures["SR"], found.figures["EQA"]
    assert rate is not None and area is not None
    assert rate.estimate == pytest.approx(0.5) and (rate.clusters, area.clusters, area.units) == (55, 55, 110)
    areas = [report(some, 15).average.eqa for some in (MANY, other)]
    assert area.estimate == pytest.approx(sum(areas) / 2)


def test_where_all_are_alike_or_too_few_nothing_is_made_up() -> None:
    one = [Attempt("a", True, 5, "web")]
    alone = scores([one], {"a": "a"}, 15)[AVERAGE].figures["EQA"]
    assert alone is not None and (alone.low, alone.high) == (None, None) and alone.method.startswith("none")
    failed = [replace(each, success=False) for each in MANY]
    found = scores([failed], ALONE, 15)[AVERAGE].figures
    assert found["EQ1"] is None
    area = found["EQA"]
    # A success may yet come: the same room that Wilson leaves to a share of none in 55.
    assert area is not None and area.estimate == area.low == 0 and area.high == pytest.approx(0.0653, abs=1e-4)
    rare = [replace(each, success=number == 0) for number, each in enumerate(MANY)]
    share = scores([rare], ALONE, 15)[AVERAGE].figures["EQ1"]
    assert share is not None and share.low is None and "nothing succeeded in" in share.method


def test_the_same_seed_gives_the_same_ends() -> None:
    one, again = (scores([MANY], ALONE, 15, resamples=300)[AVERAGE] for _ in range(2))
    other = scores([MANY], ALONE, 15, resamples=300, seed=1)[AVERAGE]
    assert one == again != other
