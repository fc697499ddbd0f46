"""How far raters agree beyond chance: Fleiss' κ (J. L. Fleiss, Psychological Bulletin 76, 1971)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omnipilot.envs import ConfigError


def fleiss_kappa(counts: Sequence[Mapping[Any, int]]) -> float:
    """Fleiss' κ: 1 where all agree, 0 where they agree as often as chance would have it, below where less.

    Args:
        counts: for each subject, how many raters chose each category; the same number of raters for all, at least 2.

    Returns:
        NaN where everybody always chose the same category, for then chance agrees fully, too.

    Raises:
        ConfigError: no subject, fewer than two raters, or not the same number for all.
    """
    raters = {sum(subject.values()) for subject in counts}
    if len(raters) != 1 or min(raters) < 2:
        raise ConfigError("κ needs at least one subject, and the same number of raters for each, two or more")
    n = raters.pop()
    total = n * len(counts)
    shares: dict[Any, float] = {}
    for subject in counts:
        for category, count in subject.items():
            shares[category] = shares.get(category, 0.0) + count / total
    agreed = sum(sum(k * (k - 1) for k in subject.values()) for subject in counts) / (n * (n - 1) * len(counts))
    chance = sum(share * share for share in shares.values())
    return (agreed - chance) / (1.0 - chance) if 1.0 - chance > 1e-12 else float("nan")
