"""pass@k and pass^k of one instance, from repeated trials of it."""

from __future__ import annotations

from math import comb


def pass_at(successes: int, trials: int, k: int) -> float:
    """pass@k of one instance: the chance that at least one of k trials succeeds.

    The unbiased estimate 1 − C(n−c, k) / C(n, k), with c successes in n trials (Chen et al., "Evaluating large
    language models trained on code", 2021, equation 1).

    Raises:
        ValueError: k is not in 1..n.
    """
    _check(successes, trials, k)
    return 1 - comb(trials - successes, k) / comb(trials, k)


def pass_all(successes: int, trials: int, k: int) -> float:
    """pass^k of one instance: the chance that all of k trials succeed.

    The unbiased estimate C(c, k) / C(n, k), with c successes in n trials (Yao et al., "τ-bench", 2024).

    Raises:
        ValueError: k is not in 1..n.
    """
    _check(successes, trials, k)
    return comb(successes, k) / comb(trials, k)


def _check(successes: int, trials: int, k: int) -> None:
    if not 1 <= k <= trials or not 0 <= successes <= trials:
        raise ValueError(f"k is from 1 to the number of trials; got {successes} successes of {trials} trials, k = {k}")
