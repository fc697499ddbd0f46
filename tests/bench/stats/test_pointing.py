"""How often a run pointed right: a ratio of sums, with an interval over tasks."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from made_runs import a_run, episode

from omnipilot.bench import Episode
from omnipilot.bench.experiments.comparison import compare
from omnipilot.bench.report.comparison_table import compare_table
from omnipilot.bench.report.headline_table import interval_table
from omnipilot.bench.report.main_table import main_table
from omnipilot.bench.stats.pointing import pointing_accuracy, pointing_difference
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


def test_a_difference_is_that_of_the_two_accuracies_and_turns_its_sign() -> None:
    a = [pointed(f"t{n}", *row) for n, row in enumerate(((1, 2), (0, 0), (3, 4), (0, 1), (2, 2), (1, 3)))]
    b = [pointed(f"t{n}", *row) for n, row in enumerate(((2, 2), (1, 1), (1, 4), (0, 0), (1, 2), (3, 3)))]
    found, back = pointing_difference(a, b), pointing_difference(b, a)
    assert found is not None and back is not None
    assert found.interval.estimate == pytest.approx(8 / 12 - 7 / 12) == -back.interval.estimate
    assert found.interval.low == pytest.approx(-(back.interval.high or 0))
    beyond = 0
    for ways in itertools.product((0, 1), repeat=6):
        left, right = zip(*((y, x) if flip else (x, y) for x, y, flip in zip(a, b, ways, strict=True)), strict=True)
        shares = [sum(e.pointed_right for e in side) / sum(e.pointed_told for e in side) for side in (left, right)]
        beyond += abs(shares[1] - shares[0]) >= 1 / 12 - 1e-12
    assert found.p == back.p == pytest.approx(beyond / 64)
    assert pointing_difference(a, [pointed(f"t{n}", 0, 0) for n in range(6)]) is None


def test_an_exchange_that_leaves_nothing_to_tell_counts_as_a_difference() -> None:
    a, b = [pointed("t0", 1, 1), pointed("t1", 0, 0)], [pointed("t0", 0, 0), pointed("t1", 0, 1)]
    found = pointing_difference(a, b)
    assert found is not None and found.interval.estimate == -1.0 and found.p == 1.0


@pytest.mark.parametrize("templates", [False, True])
def test_differences_cover_and_equal_runs_seldom_differ(templates: bool) -> None:
    chance, held, told_apart, rounds = np.random.default_rng(4), 0, 0, 150
    for _ in range(rounds):
        runs: list[list[Episode]] = [[], []]
        for n in range(30):
            hard = 0.2 * chance.standard_normal()
            tags = {"template": f"x{n % 10}+y{(n + n // 10) % 10}"} if templates else {}
            for side in runs:
                told = int(chance.integers(1, 8))
                right = int(chance.binomial(told, np.clip(0.7 + hard, 0, 1)))
                side.append(replace(pointed(f"t{n}", right, told), tags=tags))
        found = pointing_difference(*runs, resamples=400)
        assert found is not None and found.p is not None
        assert found.interval.low is not None and found.interval.high is not None
        held += found.interval.low <= 0 <= found.interval.high
        told_apart += found.p <= 0.05
    assert held / rounds >= 0.9 and told_apart / rounds <= 0.09


def test_the_tables_show_it_where_any_run_can_tell_and_not_elsewhere() -> None:
    plain = a_run("plain", [episode("a"), episode("b")])
    told = a_run("told", [pointed("a", 3, 4), pointed("b", 1, 1)], planner="json")
    columns = main_table([plain, told]).columns
    rows = {
        row[columns.index("planner")]: row[columns.index("pointed right")] for row in main_table([plain, told]).rows
    }
    assert rows == {"rules": "·", "json": "4/5 (80.0 %)"}
    assert any(note.startswith("pointed right: ") for note in main_table([told]).notes)
    assert "pointed right" not in main_table([plain]).columns
    assert not any("pointed right" in note for note in main_table([plain]).notes)
    figures = [row[:2] for row in interval_table([plain, told], resamples=50).rows]
    assert ("told", "pointed right %") in figures and ("plain", "pointed right %") not in figures


def test_a_comparison_shows_the_accuracy_of_each_run_over_the_instances_that_both_have() -> None:
    tasks = [f"t{n}" for n in range(12)]
    a = a_run("a", [pointed(task, 1, 2) for task in tasks])
    b = a_run("b", [pointed(task, 4, 4) if n else episode(task) for n, task in enumerate(tasks)])
    row = next(row for row in compare_table(compare(a, b, resamples=50)).rows if row[0] == "pointed right %")
    assert row[1].startswith("50.0") and row[2].startswith("100.0") and row[3].startswith("+50.0")
    notes = compare_table(compare(a, b, resamples=50)).notes
    assert any(note.startswith("pointed right: of all places") for note in notes)
    bare = compare_table(compare(a, a_run("bare", [episode(task) for task in tasks]), resamples=50))
    assert not any("pointed right" in text for text in (*bare.notes, *(row[0] for row in bare.rows)))
