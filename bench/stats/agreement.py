"""How far raters agree beyond chance: Fleiss' κ (J. L. Fleiss, Psychological Bulletin 76, 1971) and Cohen's."""

from __future__ import annotations

from collections import Counter
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


def cohen_kappa(pairs: Sequence[tuple[Any, Any]]) -> float:
    """Cohen's κ of two raters (J. Cohen, Educational and Psychological Measurement 20, 1960): chance is what each of
    the two chooses how often, where Fleiss' κ takes both together.

    Args:
        pairs: the two raters' categories, one pair a subject.

    Returns:
        NaN where both always chose the same one category.

    Raises:
        ConfigError: no subject.
    """
    if not pairs:
        raise ConfigError("κ needs at least one subject that both raters rated")
    first, second = (Counter(said) for said in zip(*pairs, strict=True))
    agreed = sum(one == other for one, other in pairs) / len(pairs)
    chance = sum(count * second[category] for category, count in first.items()) / len(pairs) ** 2
    return (agreed - chance) / (1.0 - chance) if 1.0 - chance > 1e-12 else float("nan")
