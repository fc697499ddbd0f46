"""Pairs, the exact tests of no difference, and where outcomes vary."""

from __future__ import annotations

from itertools import product
from math import comb, sqrt

import numpy as np
import pytest
from made_runs import outcome

from omnipilot.bench.stats import EpisodeOutcome
from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.components import Components, components, paired_components
from omnipilot.bench.stats.intervals import wilson
from omnipilot.bench.stats.paired import Pair, difference, either_mean, mcnemar, no_difference, pair, valid_only
from omnipilot.envs import ConfigError


def side(*values: float, trials: int = 1) -> list[EpisodeOutcome]:
    """One instance of one task for each value; its trials are alike."""
    return [EpisodeOutcome(f"t{n:02}", 0, trial, value) for n, value in enumerate(values) for trial in range(trials)]


def test_pairs_are_by_task_and_instance_and_trials_are_not_paired() -> None:
    a = [outcome("x#0.0"), outcome("x#0.1", 0.0), outcome("x#1.0"), outcome("y#0.0")]
    b = [outcome("x#0.0", 0.0), outcome("x#0.1"), outcome("x#0.2"), outcome("z#0.0")]
    pairs, only_a, only_b = pair(a, b)
    assert [(one.task, one.instance) for one in pairs] == [("x", 0)]
    assert (only_a, only_b) == ([("x", 1), ("y", 0)], [("z", 0)])
    assert pairs[0].means == (0.5, pytest.approx(2 / 3)) and pairs[0].difference == pytest.approx(1 / 6)
    swapped = [EpisodeOutcome(o.task, o.instance, 2 - o.trial, o.value) for o in b]
    assert pair(a, swapped)[0][0].difference == pairs[0].difference


def test_void_trials_are_zero_unless_left_out() -> None:
    pairs, _, _ = pair([outcome("x#0.0")], [outcome("x#0.0", 0.0, void=True), outcome("x#0.1")])
    assert pairs[0].difference == -0.5
    assert valid_only(pairs)[0].difference == 0
    assert valid_only(pair([outcome("x#0.0", 0.0, void=True)], [outcome("x#0.0")])[0]) == []


def test_the_difference_is_that_of_the_means() -> None:
    pairs, _, _ = pair(side(1, 0, 0, 1, 0, 0, 0, 0, 1, 0), side(1, 1, 1, 1, 0, 1, 0, 1, 0, 1))
    found = difference(pairs)
    ours, theirs = either_mean(pairs)
    assert (ours.estimate, theirs.estimate, found.interval.estimate) == (0.3, 0.7, pytest.approx(0.4))
    assert (ours.low, ours.high) == tuple(pytest.approx(end) for end in wilson(3, 10))
    assert found.p == pytest.approx(mcnemar(pairs)[2])
    back = difference([Pair(one.task, one.instance, one.b, one.a) for one in pairs])
    assert back.interval.estimate == -found.interval.estimate and back.p == found.p
    for told in (difference, either_mean):
        with pytest.raises(ConfigError, match="same --tasks"):
            told([])


def test_mcnemar_by_hand() -> None:
    pairs, _, _ = pair(side(*[1] * 1, *[0] * 9, *[1] * 5), side(*[0] * 1, *[1] * 9, *[1] * 5))
    assert mcnemar(pairs) == (1, 9, pytest.approx(2 * (1 + 10) / 2**10))
    assert mcnemar(pair(side(1, 0, 1), side(0, 1, 1))[0]) == (1, 1, 1.0)
    assert mcnemar(pair(side(1, 1), side(1, 1))[0]) == (0, 0, 1.0)


@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        (side(1, 0, trials=3), side(1, 0), "t00 has 3"),
        (side(1, 0), side(1, 0, trials=2), "--instance 0 --trial 0"),
        ([outcome("x#0.0"), outcome("x#1.0")], [outcome("x#0.0"), outcome("x#1.0")], "x has 2"),
        (side(0.5), side(1), "between 0 and 1"),
    ],
)
def test_mcnemar_refuses_what_is_not_independent(a: list[EpisodeOutcome], b: list[EpisodeOutcome], why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        mcnemar(pair(a, b)[0])


def test_sign_flips_by_brute_force_and_in_the_limit() -> None:
    values = np.array([0.5, 1.0, -0.25, 0.5, 0.0, 1.0, 0.25, -0.5, 0.75, 0.5])
    clusters = cluster([f"t{n // 2}" for n in range(10)], [()] * 10)
    sums = values.reshape(5, 2).sum(axis=1)
    every = [abs(np.dot(signs, sums)) for signs in product((-1, 1), repeat=5)]
    share = sum(one >= abs(sums.sum()) - 1e-12 for one in every) / len(every)
    exact, test = no_difference(values, clusters)
    assert exact == share and "exact" in test
    assert no_difference(-values, clusters)[0] == exact
    drawn, test = no_difference(np.tile(values, 4), cluster([f"t{n:02}" for n in range(40)], [()] * 40), 4000, 1)
    assert drawn is not None and 0 < drawn < 0.002 and test.startswith("4000 sign flips")
    assert no_difference(values, cluster(["t"] * 10, [()] * 10))[0] is None
    assert no_difference(np.zeros(10), clusters)[0] == 1.0


def test_a_large_sign_flip_test_agrees_with_mcnemar() -> None:
    chance = np.random.default_rng(3)
    a, b = (chance.random(200) < 0.5).astype(float), (chance.random(200) < 0.62).astype(float)
    pairs, _, _ = pair([EpisodeOutcome(f"t{n:03}", 0, 0, v) for n, v in enumerate(a)], side_of(b))
    only_a, only_b, p = mcnemar(pairs)
    n = only_a + only_b
    assert n > 64 and p == pytest.approx(2 * sum(comb(n, i) for i in range(min(only_a, only_b) + 1)) * 0.5**n)
    assert difference(pairs).p == pytest.approx(p, abs=0.015)


def side_of(values: np.ndarray) -> list[EpisodeOutcome]:
    return [EpisodeOutcome(f"t{n:03}", 0, 0, float(value)) for n, value in enumerate(values)]


def test_components_of_a_made_up_design() -> None:
    chance = np.random.default_rng(11)
    outcomes = [
        EpisodeOutcome(f"t{t}", i, k, value)
        for t, of_task in enumerate(chance.normal(0, sqrt(0.5), 300))
        for i, of_instance in enumerate(chance.normal(0, sqrt(0.2), 4))
        for k, value in enumerate(of_task + of_instance + chance.normal(0, sqrt(0.1), 3))
    ]
    found = components(outcomes)
    assert (found.task, found.instance, found.trial) == (
        pytest.approx(0.5, rel=0.2),
        pytest.approx(0.2, rel=0.1),
        pytest.approx(0.1, rel=0.1),
    )
    luck = [EpisodeOutcome(o.task, o.instance, o.trial, float(chance.normal(0, sqrt(0.3)))) for o in outcomes]
    paired = paired_components(pair(outcomes, luck)[0])
    assert (paired.task, paired.instance, paired.trial) == (
        pytest.approx(0.5, rel=0.2),
        pytest.approx(0.2, abs=0.035),
        pytest.approx(0.4, rel=0.1),
    )


def test_components_say_what_they_cannot_tell() -> None:
    assert components(side(1, 0, 1, 0)) == Components(pytest.approx(1 / 3), None, None, pytest.approx(1 / 3))
    assert components([outcome("a#0.0")]) == Components(None, None, None, 0.0)
    two = components([outcome("a#0.0"), outcome("a#0.1", 0.0)])
    assert (two.task, two.instance, two.trial) == (None, None, 0.5)
    instances = components([outcome("a#0.0"), outcome("a#1.0", 0.0), outcome("b#0.0"), outcome("b#1.0")])
    assert (instances.trial, instances.instance) == (None, 0.25)
    assert instances.task == 0.0
    lone = paired_components(pair(side(1, 0, 1, trials=1), side(1, 0, 0.0, trials=2))[0])
    assert lone.trial == 0.0
