"""The exact power of the test of no difference, counted over all outcomes."""

from __future__ import annotations

from math import comb

import numpy as np


def power_of(clusters: int, differing: float, better: float, alpha: float = 0.05) -> float:
    """Of the exact test, where a pair differs with one chance, and B is better on average by another."""
    found = 0.0
    up = (1 + better / differing) / 2
    for n in range(clusters + 1):
        tail = np.cumsum([comb(n, i) for i in range(n + 1)]) * 2.0 ** (1 - n)
        worst = int((tail <= alpha).sum()) - 1
        rejected = sum(
            comb(n, i) * (up ** (n - i) * (1 - up) ** i + up**i * (1 - up) ** (n - i)) for i in range(worst + 1)
        )
        found += comb(clusters, n) * differing**n * (1 - differing) ** (clusters - n) * rejected
    return found
