"""How often a run pointed right: a ratio of sums, with an interval over tasks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_runs import a_run, episode

from omnipilot.bench import Episode
from omnipilot.bench.experiments.comparison import compare
from omnipilot.bench.report.comparison_table import compare_table
from omnipilot.bench.report.headline_table import interval_table
from omnipilot.bench.report.main_table import main_table
from omnipilot.bench.stats.pointing import pointing_accuracy, pointing_outcomes
from omnipilot.bench.stats.ratio import ratio_of


def pointed(key: str, right: int, told: int, done: int = 2) -> Episode:
    return replace(episode(key, done), pointed_right=right, pointed_told=told)


def test_it_is_the_ratio_of_the_sums_and_not_the_mean_of_the_shares() -> None:
    found = pointing_accuracy([pointed("a", 1, 1), pointed("b", 1, 3), pointed("c", 0, 0)], resamples=50)
    assert found is not None and found.estimate == pytest.approx(2 / 4) and (found.units, found.clusters) == (2, 2)
    assert pointing_accuracy([pointed("a", 0, 0)]) is None and pointing_accuracy([]) is None


def test_its_interval_is_that_of_a_ratio_with_tasks_as_clusters() -> None:
    chance = np.random.default_rng(5)
    told = chance.integers(1, 9, 60)
    right = chance.binomial(told, 0.7)
    episodes = [
        pointed(f"t{n // 3}#{n % 3}.0", int(r), int(t)) for n, (r, t) in enumerate(zip(right, told, strict=True))
    ]
    found = pointing_accuracy(episodes, seed=3)
    other = ratio_of(right, told, [f"t{n // 3}" for n in range(60)], seed=3)
    assert found is not None and other is not None
    assert (found.low, found.estimate, found.high) == pytest.approx((other.low, other.estimate, other.high))
    assert found.clusters == 20 and found.low < found.estimate < found.high


def test_the_coverage_of_the_interval_is_near_its_level() -> None:
    chance, held, rounds = np.random.default_rng(11), 0, 120
    for _ in range(rounds):
        rate = np.clip(0.75 + 0.15 * chance.standard_normal(25), 0.2, 1.0)
        told = chance.integers(1, 12, 25)
        right = chance.binomial(told, rate)
        made = [pointed(f"t{n}", int(r), int(t)) for n, (r, t) in enumerate(zip(right, told, strict=True))]
        found = pointing_accuracy(made, resamples=400)
        assert found is not None and found.low is not None and found.high is not None
        held += found.low <= 0.75 <= found.high
    assert held / rounds >= 0.88


def test_only_episodes_in_which_it_can_be_told_are_compared() -> None:
    found = pointing_outcomes([pointed("a", 1, 2), pointed("b", 0, 0)])
    assert [(one.task, one.value) for one in found] == [("a", 0.5)]


def test_the_tables_show_it_where_any_run_can_tell_and_not_elsewhere() -> None:
    plain = a_run("plain", [episode("a"), episode("b")])
    told = a_run("told", [pointed("a", 3, 4), pointed("b", 1, 1)], planner="json")
    columns = main_table([plain, told]).columns
    rows = {
        row[columns.index("planner")]: row[columns.index("pointed right")] for row in main_table([plain, told]).rows
    }
    assert rows == {"rules": "·", "json": "4/5 (80.0 %)"}
    assert any("docs/grounders.md says when" in note for note in main_table([told]).notes)
    assert "pointed right" not in main_table([plain]).columns
    assert not any("pointed right" in note for note in main_table([plain]).notes)
    figures = [row[:2] for row in interval_table([plain, told], resamples=50).rows]
    assert ("told", "pointed right %") in figures and ("plain", "pointed right %") not in figures


def test_a_comparison_pairs_the_instances_of_which_both_can_tell() -> None:
    tasks = [f"t{n}" for n in range(12)]
    a = a_run("a", [pointed(task, 1, 2) for task in tasks])
    b = a_run("b", [pointed(task, 4, 4) if n else episode(task) for n, task in enumerate(tasks)])
    row = next(row for row in compare_table(compare(a, b, resamples=50)).rows if row[0] == "pointed right %")
    assert row[1].startswith("50.0") and row[2].startswith("100.0") and row[3].startswith("+50.0")
    notes = compare_table(compare(a, b, resamples=50)).notes
    assert any(note.startswith("pointed right: the mean over instances") for note in notes)
    bare = compare_table(compare(a, a_run("bare", [episode(task) for task in tasks]), resamples=50))
    assert not any("pointed right" in text for text in (*bare.notes, *(row[0] for row in bare.rows)))
