"""Paired differences of figures: against the means of runs, by hand, and in simulations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from made_runs import episode

from omnipilot.bench import Episode
from omnipilot.bench.scoring import Figure, Item
from omnipilot.bench.scoring.figure_difference import common_items, figure_difference
from omnipilot.bench.scoring.metrics import load_metric, metric_figure
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.stats.paired import difference, pair
from omnipilot.bench.stats.pointing import pointing_difference


def figure(items: list[Item], most: float = 1.0) -> Figure:
    return Figure("some", None, len(items), "steps", items=tuple(items), most=most)


def runs(seed: int = 3, template: bool = False) -> Iterator[list[Episode]]:
    dice = np.random.default_rng(seed)
    for chance in (0.4, 0.7):
        yield [
            episode(f"t{task}#{instance}.0", int(2 * (dice.random() < chance)), template=f"p{task // 2}" * template)
            for task in range(14)
            for instance in range(2)
        ]


@pytest.mark.parametrize("template", [False, True])
def test_a_rate_over_tasks_has_the_difference_that_compare_prints(template: bool) -> None:
    ours, theirs = runs(template=template)
    found = figure_difference(*(metric_figure(load_metric("sr"), run) for run in (ours, theirs)))
    expected = difference(pair(outcomes(ours), outcomes(theirs))[0])
    assert found is not None
    assert (found.interval, found.p, found.test) == (expected.interval, expected.p, expected.test)
    assert found.detectable == pytest.approx(expected.detectable)


def test_a_ratio_has_the_difference_of_the_pointing_accuracies() -> None:
    dice = np.random.default_rng(4)
    sides = []
    for run in runs():
        told = dice.integers(1, 6, len(run))
        sides.append(
            [
                replace(one, pointed_told=int(count), pointed_right=int(dice.integers(0, count + 1)))
                for one, count in zip(run, told, strict=True)
            ]
        )
    expected = pointing_difference(*sides)
    made = [
        figure(
            [
                Item(f"{one.task}#{one.instance}", one.task, one.pointed_right, one.pointed_told)
                for one in sorted(run, key=lambda one: (one.task, one.instance))
            ]
        )
        for run in sides
    ]
    found = figure_difference(*(replace(one, noun="tasks") for one in made))
    assert found is not None and expected is not None
    assert (found.p, found.test) == (expected.p, expected.test)
    assert found.interval.low == pytest.approx(expected.interval.low)
    assert found.interval.high == pytest.approx(expected.interval.high)


def test_only_what_both_have_is_paired() -> None:
    a = figure([Item(f"s{n}", f"s{n}", 1.0) for n in range(9)])
    b = figure([Item(f"s{n}", f"s{n}", 0.0) for n in range(3, 12)])
    assert [ours.key for ours, _ in common_items(a, b)] == [f"s{n}" for n in range(3, 9)]
    found = figure_difference(a, b)
    assert found is not None and (found.interval.estimate, found.interval.units) == (-1.0, 6)
    assert figure_difference(a, figure([])) is None
    assert figure_difference(a, figure([Item("s1", "s1", 0.0, 0.0)])) is None


def test_steps_of_one_episode_are_not_taken_for_independent() -> None:
    sides = [
        [
            Item(f"e{episode}-{step}", f"e{episode}", float((episode % 3 > 0) == right))
            for episode in range(12)
            for step in range(9)
        ]
        for right in (True, False)
    ]
    found = figure_difference(figure(sides[0]), figure(sides[1]))
    alone = figure_difference(*(figure([replace(item, cluster=item.key) for item in side]) for side in sides))
    assert found is not None and alone is not None and found.interval.clusters == 12
    assert found.p is not None and alone.p is not None and found.p > 10 * alone.p


def simulate(seed: int, effect: float, clusters: int, ratio: bool) -> tuple[Figure, Figure]:
    """Two runs of episodes of 1 to 12 steps: whether a step is of the right type, and if so, whether it hits.

    Episodes differ in both chances, and B's are those of A plus the effect on average.
    """
    dice = np.random.default_rng(seed)
    sides: tuple[list[Item], list[Item]] = ([], [])
    for cluster in range(clusters):
        base, own, typed = 0.45 + 0.25 * dice.uniform(-1, 1), 0.15 * dice.uniform(-1, 1), dice.uniform(0.5, 0.9, 2)
        steps = int(dice.integers(1, 13))
        for side, chance in enumerate((base, base + effect + own)):
            for step in range(steps):
                whole = float(dice.random() < typed[side]) if ratio else 1.0
                part = whole * (dice.random() < chance)
                sides[side].append(Item(f"{cluster}-{step}", f"{cluster}", float(part), whole))
    return figure(sides[0]), figure(sides[1])


def rates(times: int, effect: float, clusters: int, ratio: bool) -> tuple[float, float]:
    """How often the interval covers the effect, and how often the test rejects no difference at 5 %."""
    covered = rejected = 0
    for seed in range(times):
        found = figure_difference(*simulate(seed, effect, clusters, ratio), resamples=999)
        assert found is not None and found.p is not None
        assert found.interval.low is not None and found.interval.high is not None
        covered += found.interval.low <= effect <= found.interval.high
        rejected += found.p <= 0.05
    return covered / times, rejected / times


@pytest.mark.parametrize("ratio", [False, True])
def test_the_interval_covers_and_the_test_keeps_its_level(ratio: bool) -> None:
    covered, rejected = rates(150, 0.0, 20, ratio)
    assert covered >= 0.90 and rejected <= 0.10


@pytest.mark.slow
@pytest.mark.parametrize("ratio", [False, True])
@pytest.mark.parametrize("clusters", [8, 20, 60])
def test_coverage_and_false_positives_at_length(clusters: int, ratio: bool) -> None:
    covered, rejected = rates(1000, 0.0, clusters, ratio)
    # With few clusters the exact test has few values of p, and errs on the side of silence.
    assert 0.93 <= covered <= 0.99 and 0.01 <= rejected <= 0.065
    covered, rejected = rates(500, 0.2, clusters, ratio)
    assert covered >= 0.925 and rejected > 0.2
