"""Distributions against second implementations over 10,000 random inputs, and where scipy is loaded.

`pytest -m slow -rP tests/bench/stats/test_distributions.py` prints the largest differences.
"""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from random import Random

import pytest
from scipy import special

from omnipilot.bench.stats.quantiles import normal_quantile, normal_tail, success_rate_for, t_quantile, t_tail

INPUTS = 10_000
FREEDOMS = (1e-2, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 30.0, 1e3)
PROBABILITIES = (1e-12, 1e-6, 0.025, 0.8, 0.95, 0.975, 0.9995, 1 - 1e-9)


def incomplete_beta(x: float, a: float, b: float) -> float:
    """I_x(a, b) by its continued fraction (Abramowitz and Stegun, 26.5.8), evaluated by Lentz's method."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(1 - x, b, a)
    logs = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, 10_000):
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1 / (1 + factor * d), 1 + factor / c
            fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return math.exp(logs) / a * fraction


def second_t_tail(t: float, freedom: float) -> float:
    return 0.5 * incomplete_beta(freedom / (freedom + t * t), freedom / 2, 0.5)


def second_t_quantile(probability: float, freedom: float) -> float:
    tail, high = min(probability, 1 - probability), 1.0
    while second_t_tail(high, freedom) > tail:
        high *= 2
    found = bisect(lambda t: second_t_tail(t, freedom) > tail, high)
    return math.copysign(found, probability - 0.5)


def second_success_rate(successes: int, trials: int, probability: float) -> float:
    def fewer(rate: float) -> float:
        odds, term, found = math.log(rate) - math.log1p(-rate), trials * math.log1p(-rate), 0.0
        for number in range(successes):
            found += math.exp(term)
            term += math.log((trials - number) / (number + 1)) + odds
        return found

    return bisect(lambda rate: fewer(rate) > 1 - probability, 1.0)


def bisect(too_low: Callable[[float], bool], high: float) -> float:
    low = 0.0
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if too_low(middle) else (low, middle)
    return high


def worst(name: str, pairs: list[tuple[float, float, object]]) -> float:
    """The largest difference as a share of the value; printed with where it is."""
    found = max(((abs(a - b) / max(abs(b), 1e-300), a, b, inputs) for a, b, inputs in pairs), key=lambda one: one[0])
    print(f"{name}: largest relative difference {found[0]:.1e}: {found[1]!r} for {found[2]!r} at {found[3]}")
    return found[0]


def draw_probability(draw: Random) -> float:
    """Edge cases in one of ten draws; half of the others are in the tails. Never so near 0.5 that t is nearly 0."""
    if draw.random() < 0.1:
        return draw.choice(PROBABILITIES)
    tail = 10 ** draw.uniform(-12, -1) if draw.random() < 0.5 else draw.uniform(0.001, 0.49)
    return tail if draw.random() < 0.5 else 1 - tail


def draw_freedom(draw: Random) -> float:
    return draw.choice(FREEDOMS) if draw.random() < 0.2 else 10 ** draw.uniform(-1, 3)


@pytest.mark.slow
def test_students_t_is_that_of_a_continued_fraction() -> None:
    draw = Random(1)
    quantiles: list[tuple[float, float, object]] = []
    tails: list[tuple[float, float, object]] = []
    for _ in range(INPUTS):
        probability, freedom, t = draw_probability(draw), draw_freedom(draw), 10 ** draw.uniform(-4, 2)
        # Beyond 1e100 older versions of scipy stop, and the square of the quantile is soon more than a float holds.
        if math.log(min(probability, 1 - probability)) / freedom > -200:
            expected = second_t_quantile(probability, freedom)
            quantiles.append((t_quantile(probability, freedom), expected, (probability, freedom)))
        tails.append((t_tail(t, freedom), second_t_tail(t, freedom), (t, freedom)))
    assert len(quantiles) > 0.95 * INPUTS
    assert worst("quantile of t", quantiles) < 1e-8  # 2e-11; scipy 1.11 had 5e-9
    assert worst("tail of t", tails) < 1e-9


@pytest.mark.slow
def test_a_success_rate_is_that_of_the_sum_of_binomial_chances() -> None:
    draw = Random(2)
    pairs: list[tuple[float, float, object]] = []
    for _ in range(INPUTS):
        successes = draw.randint(1, 12)
        trials = draw.choice((successes, successes + 1, 10_000)) if draw.random() < 0.2 else draw.randint(12, 2000)
        probability = draw.choice((0.5, 0.8, 0.999)) if draw.random() < 0.2 else draw.uniform(0.05, 0.999)
        found = success_rate_for(successes, trials, probability)
        pairs.append((found, second_success_rate(successes, trials, probability), (successes, trials, probability)))
    assert worst("success rate", pairs) < 1e-8


@pytest.mark.slow
def test_the_normal_distribution_is_scipys() -> None:
    draw = Random(3)
    quantiles: list[tuple[float, float, object]] = []
    tails: list[tuple[float, float, object]] = []
    for _ in range(INPUTS):
        probability, z = draw_probability(draw), draw.uniform(-37, 37)
        quantiles.append((normal_quantile(probability), float(special.ndtri(probability)), probability))
        tails.append((normal_tail(z), float(special.ndtr(-abs(z))), z))
    assert worst("quantile of the normal", quantiles) < 1e-13
    assert worst("tail of the normal", tails) < 1e-11


def test_many_degrees_of_freedom_are_nearly_normal() -> None:
    """The expansion of Fisher: t = z + (z³ + z) / 4ν + …."""
    for freedom in (1e5, 1e7, 1e10):
        z = normal_quantile(0.975)
        assert t_quantile(0.975, freedom) == pytest.approx(z + (z**3 + z) / (4 * freedom), rel=1e-9)
        assert t_tail(3.0, freedom) == pytest.approx(normal_tail(3.0), rel=30 / freedom + 1e-12)


def test_scipy_is_loaded_by_the_first_quantile_and_by_no_import() -> None:
    """`--help` takes a fifth of a second; scipy alone would take longer."""
    program = (
        "import sys, omnipilot.bench.cli.app, omnipilot.bench.stats.paired, omnipilot.bench.stats.ratio as r\n"
        "assert 'scipy' not in sys.modules, 'an import loads scipy'\n"
        "r.mean_of([1, 0, 0.5, 1], ['a', 'a', 'b', 'c'])\n"
        "assert 'scipy.special' in sys.modules and 'scipy.stats' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
