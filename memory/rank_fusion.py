"""Reciprocal rank fusion: one ranking from several whose scores cannot be compared.

Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods", 2009.
"""

from __future__ import annotations

from collections.abc import Sequence

K = 60
"""Flattens the difference between the first ranks; the value of the paper, whose results hardly depend on it."""


def fuse_ranks(*rankings: Sequence[int]) -> dict[int, float]:
    """The value of each item: the sum over the rankings that have it of (K + 1) / (K + its rank, from 1).

    The paper's numerator is 1; this one makes the first place of one ranking worth 1. The order is the same.

    Args:
        rankings: ids, the best first, each id once in a ranking.
    """
    values: dict[int, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(ranking, 1):
            values[item] = values.get(item, 0.0) + (K + 1) / (K + rank)
    return values
