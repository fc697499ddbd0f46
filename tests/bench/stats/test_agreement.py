"""Agreement of raters, beside the library that others use."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa as their_cohen
from statsmodels.stats.inter_rater import fleiss_kappa as their_fleiss

from omnipilot.bench.stats.agreement import cohen_kappa, fleiss_kappa
from omnipilot.envs import ConfigError


@pytest.mark.parametrize("seed", range(20))
def test_fleiss_is_that_of_the_library(seed: int) -> None:
    dice = Random(seed)
    raters, kinds = dice.randint(2, 6), dice.randint(2, 4)
    rows = [[dice.randrange(kinds) for _ in range(raters)] for _ in range(dice.randint(3, 40))]
    table = np.array([[row.count(kind) for kind in range(kinds)] for row in rows])
    assert fleiss_kappa([Counter(row) for row in rows]) == pytest.approx(their_fleiss(table))


def test_full_agreement_is_one_and_one_category_alone_is_undecided() -> None:
    assert fleiss_kappa([{"yes": 3}, {"no": 3}]) == 1.0
    assert math.isnan(fleiss_kappa([{"yes": 3}, {"yes": 3}]))


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(ConfigError, match="same number of raters"):
        fleiss_kappa([{"yes": 3}, {"no": 2}])
    with pytest.raises(ConfigError, match="at least one subject"):
        fleiss_kappa([])


@pytest.mark.parametrize("seed", range(20))
def test_cohen_is_that_of_the_library(seed: int) -> None:
    dice = Random(seed)
    kinds = dice.randint(2, 4)
    pairs = [(dice.randrange(kinds), dice.randrange(kinds)) for _ in range(dice.randint(5, 40))]
    table = np.zeros((kinds, kinds))
    for one, other in pairs:
        table[one, other] += 1
    assert cohen_kappa(pairs) == pytest.approx(their_cohen(table).kappa)


def test_cohen_of_one_category_is_undecided_and_of_nothing_refused() -> None:
    assert cohen_kappa([("a", "a"), ("b", "b")]) == 1.0
    assert math.isnan(cohen_kappa([("a", "a")] * 3))
    with pytest.raises(ConfigError, match="at least one subject"):
        cohen_kappa([])
