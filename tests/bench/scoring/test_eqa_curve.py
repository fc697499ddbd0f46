"""The curve below which EQA lies: against all orders, and its area."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from made_runs import episode

from omnipilot.bench import Episode
from omnipilot.bench.scoring.eqa_curve import eqa_curve
from omnipilot.envs import ConfigError


def one(key: str, solved: int, turns: int, limit: int) -> Episode:
    return replace(episode(key, 2 if solved else 0), turns=turns, turn_limit=limit)


SOME = [one("a#0.0", 1, 3, 12), one("b#0.0", 0, 10, 10), one("c#0.0", 1, 5, 20), one("d#0.0", 1, 8, 8)]


def test_it_is_the_mean_of_the_recall_over_all_orders() -> None:
    found = eqa_curve(SOME, orders=3000)
    orders = list(itertools.permutations(SOME))
    for at in (20, 50, 77, 130, 200):
        u, reached = found.spent[at], 0.0
        for order in orders:
            spent = np.cumsum([each.turns / (each.turn_limit or 1) for each in order]) / 4
            reached += sum(each.success for each, end in zip(order, spent, strict=True) if end <= u + 1e-9) / 4
        assert found.reached[at] == pytest.approx(reached / len(orders), abs=0.02)
    assert found.end == pytest.approx((0.25 + 1 + 0.25 + 1) / 4)


@pytest.mark.parametrize("orders", [1, 7, 200])
def test_its_area_is_eqa_whatever_orders_are_drawn(orders: int) -> None:
    found = eqa_curve(SOME, orders, seed=orders)
    middles = np.diff(found.spent) @ (np.array(found.reached[1:]) + np.array(found.reached[:-1])) / 2
    # The grid moves each of the jumps by less than its width.
    assert middles == pytest.approx(found.area, abs=0.75 / 200)
    assert list(found.reached) == sorted(found.reached)
    assert (found.reached[0], found.reached[-1], found.spent[-1]) == (0, 0.75, 1)


def test_trials_are_drawn_and_the_seed_repeats() -> None:
    twice = [*SOME, one("a#0.1", 0, 12, 12)]
    assert eqa_curve(twice) == eqa_curve(list(reversed(twice)))
    assert eqa_curve(twice, 2000).reached[-1] == pytest.approx(2.5 / 4, abs=0.02)
    with pytest.raises(ConfigError, match="no finished episode"):
        eqa_curve([])
