"""Score intervals: they ask which truths the data could have come from, and so hold where a figure is near 0 or 1."""

from __future__ import annotations

import math

HALVINGS = 60


def score_interval(share: float, count: float, z: float) -> tuple[float, float]:
    """Wilson's interval for a share (Wilson, JASA 22, 1927), its ends in 0..1.

    Args:
        share: of `count` independent cases; of dependent ones `count` is what they are worth: p(1-p) through the
            variance of p (Korn and Graubard, "Confidence intervals for proportions with small expected number of
            positive counts", Survey Methodology 24, 1998).
        z: the quantile of the normal distribution, or Student's for the freedom of that variance.
    """
    centre = share + z * z / (2 * count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    scale = 1 + z * z / count
    return (0.0 if share <= 0 else max(0.0, (centre - half) / scale)), (
        1.0 if share >= 1 else min(1.0, (centre + half) / scale)
    )


def tango_interval(only_a: int, only_b: int, pairs: int, z: float) -> tuple[float, float]:
    """Tango's interval for the difference of two paired shares, B less A (Statistics in Medicine 17, 1998).

    Args:
        only_a, only_b: of `pairs` independent pairs, those that only one of the two solves.
    """
    ends = []
    for sign in (-1.0, 1.0):
        near, far = (only_b - only_a) / pairs, sign
        for _ in range(HALVINGS):
            middle = (near + far) / 2
            if abs(_tango(only_a, only_b, pairs, middle)) <= z:
                near = middle
            else:
                far = middle
        ends.append(near)
    return ends[0], ends[1]


def _tango(only_a: int, only_b: int, pairs: int, difference: float) -> float:
    """The score statistic of a true difference: normal, with the most likely share of the rarer flip."""
    linear = -only_a - only_b + (2 * pairs - only_b + only_a) * difference
    constant = -only_a * difference * (1 - difference)
    root = math.sqrt(max(0.0, linear * linear - 8 * pairs * constant))
    rarer = max(0.0, (root - linear) / (4 * pairs))
    variance = pairs * (2 * rarer + difference * (1 - difference))
    apart = only_b - only_a - pairs * difference
    return 0.0 if abs(apart) < 1e-12 else math.inf * apart if variance <= 0 else apart / math.sqrt(variance)
