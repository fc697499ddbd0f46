"""Gates raise no more false alarms than they may, and catch planted drops: on runs that are drawn with known rates."""

from __future__ import annotations

import numpy as np
import pytest
from gate_alarms import Design, alarm_table, draw_runs, judge_drawn, planned

DROP = Design(planned(), drop=0.15, shared=0.5)


def test_runs_are_drawn_with_the_rates_and_correlations_that_are_asked_for() -> None:
    chance = np.random.default_rng(1)
    a, b = draw_runs(Design(20_000, drop=0.15, shared=0.5, instances=2, trials=2), chance)
    assert (a.mean(), b.mean()) == (pytest.approx(0.65, abs=0.01), pytest.approx(0.5, abs=0.01))
    found = np.corrcoef([a[:, 0, 0], a[:, 0, 1], a[:, 1, 0], b[:, 0, 0]])[0]
    assert list(found[1:]) == [
        pytest.approx(0.7, abs=0.02),
        pytest.approx(0.5, abs=0.02),
        pytest.approx(0.35, abs=0.02),
    ]
    same = np.corrcoef([one[:, 0, 0] for one in draw_runs(Design(20_000), chance)])[0, 1]
    assert same == pytest.approx(0.7, abs=0.02)


def test_few_comparisons_are_as_they_should_be() -> None:
    # 40 drawings: at a rate of 5 %, more than 6 alarms have a probability of 0.3 %; at 90 %, fewer than 30 found 0.4 %.
    assert planned() == 153
    alarms = judge_drawn(Design(planned()), "SR < -5", 40, resamples=1000)
    assert sum(one.failed for one in alarms) <= 6
    caught = judge_drawn(DROP, "SR < -5", 40, resamples=1000)
    assert sum(one.failed for one in caught) >= 30
    assert all(one.power is not None and one.too_weak for one in alarms)


@pytest.mark.slow
@pytest.mark.parametrize("design", [Design(planned()), Design(40), Design(40, rate=0.9), Design(planned(), shared=0.5)])
def test_of_1000_comparisons_without_a_difference_at_most_5_in_100_fail(design: Design) -> None:
    assert sum(one.failed for one in judge_drawn(design, "SR < -5", 1000, resamples=2000)) <= 50


@pytest.mark.slow
@pytest.mark.parametrize("gate", ["SR < -5", "SR < -15"])
def test_of_1000_drops_of_15_points_at_least_90_in_100_are_caught(gate: str) -> None:
    assert sum(one.failed for one in judge_drawn(DROP, gate, 1000, resamples=2000)) >= 900


def test_the_table_has_a_row_for_each_design() -> None:
    table = alarm_table(2, 12, 200)
    assert len(table.rows) == 10 and "names 153 tasks, each once; with 0.8, 115" in table.notes[-1]
