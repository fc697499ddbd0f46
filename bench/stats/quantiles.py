"""Quantiles and tails of the distributions that intervals and tests need, from the standard library and scipy.

`scipy.special` is loaded by the first call that needs it, not by the import of this module: it takes a quarter of a
second, which `--help` and commands without intervals need not spend. `tests/bench/stats/test_distributions.py` compares
each function with a second implementation.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any


def normal_quantile(probability: float) -> float:
    """The quantile of the standard normal distribution: z with P(Z ≤ z) = `probability`, in (0, 1)."""
    return NormalDist().inv_cdf(probability)


def normal_tail(z: float) -> float:
    """P(Z ≥ |z|), one tail of the standard normal distribution."""
    return 0.5 * math.erfc(abs(z) / math.sqrt(2))


def t_quantile(probability: float, freedom: float) -> float:
    """The quantile of Student's t: t with P(T ≤ t) = `probability`.

    Args:
        probability: in (0, 1). freedom: degrees of freedom, above 0, whole or not; infinite gives the normal quantile.
    """
    if math.isinf(freedom):
        return normal_quantile(probability)
    return float(_special().stdtrit(freedom, probability))


def t_tail(t: float, freedom: float) -> float:
    """P(T ≥ |t|), one tail of Student's t with `freedom` > 0 degrees of freedom, whole or not."""
    return float(_special().stdtr(freedom, -abs(t)))


def t_cumulative(t: float, freedom: float) -> float:
    """P(T ≤ t) of Student's t with `freedom` > 0 degrees of freedom, whole or not."""
    return float(_special().stdtr(freedom, t))


def tail_of_successes(successes: int, trials: int, rate: float) -> float:
    """P(Bin(trials, rate) ≥ successes), the inverse of `success_rate_for`.

    Args:
        successes: in 1..trials. rate: in 0..1.
    """
    return float(_special().betainc(successes, trials - successes + 1, rate))


def success_rate_for(successes: int, trials: int, probability: float) -> float:
    """The success rate with which `successes` or more of `trials` succeed with this probability.

    π with P(Bin(trials, π) ≥ successes) = probability. That tail is the regularised incomplete beta function
    I_π(successes, trials − successes + 1) (Abramowitz and Stegun, 26.5.24), so π is its inverse.

    Args:
        successes: in 1..trials. probability: in (0, 1).
    """
    return float(_special().betaincinv(successes, trials - successes + 1, probability))


def _special() -> Any:
    from scipy import special  # type: ignore[import-untyped]

    return special
