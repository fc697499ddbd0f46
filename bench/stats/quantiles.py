"""Quantiles of the normal and of Student's t, from the standard library alone."""

from __future__ import annotations

import math
from statistics import NormalDist

_TINY = 1e-300


def normal(probability: float) -> float:
    """The normal quantile: z with P(Z ≤ z) = `probability`, in (0, 1)."""
    return NormalDist().inv_cdf(probability)


def normal_tail(z: float) -> float:
    """P(Z ≤ −|z|), one tail."""
    return 0.5 * math.erfc(abs(z) / math.sqrt(2))


def student_tail(t: float, freedom: float) -> float:
    """P(T ≥ |t|), one tail of Student's t with `freedom` > 0 degrees of freedom, whole or not.

    Half the regularised incomplete beta function I_x(freedom/2, 1/2) at x = freedom / (freedom + t²) (Abramowitz and
    Stegun, 26.7.1).
    """
    return 0.5 * _beta(freedom / (freedom + t * t), freedom / 2, 0.5)


def student(probability: float, freedom: float) -> float:
    """The quantile of Student's t: t with P(T ≤ t) = `probability`, by bisection to 12 digits.

    Args:
        probability: in (0, 1). freedom: degrees of freedom, above 0; infinite gives the normal quantile.
    """
    if math.isinf(freedom):
        return normal(probability)
    tail = min(probability, 1 - probability)
    low, high = 0.0, 1.0
    while student_tail(high, freedom) > tail:
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if student_tail(middle, freedom) > tail:
            low = middle
        else:
            high = middle
    return math.copysign(high, probability - 0.5) if tail < 0.5 else 0.0


def _beta(x: float, a: float, b: float) -> float:
    """I_x(a, b) by its continued fraction (Numerical Recipes, 6.4), on the side where that converges fast."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x) - math.log(a)
    )
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, 10_000):
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1 / _away(1 + factor * d), _away(1 + factor / c)
            fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * fraction


def _away(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
