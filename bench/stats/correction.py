"""Several comparisons at once: Holm's correction."""

from __future__ import annotations

from collections.abc import Sequence


def holm(values: Sequence[float]) -> tuple[float, ...]:
    """Adjusted p-values, in the order given; whatever is below α is significant with all of them together at α.

    The i-th smallest of m is multiplied by m − i + 1, never less than the one before and never above 1 (Holm,
    Scandinavian Journal of Statistics 6, 1979). Valid however the comparisons depend on each other.

    Raises:
        ValueError: a value outside 0..1.
    """
    if any(not 0 <= value <= 1 for value in values):
        raise ValueError(f"p-values lie in 0..1: {list(values)}")
    order = sorted(range(len(values)), key=values.__getitem__)
    adjusted = [0.0] * len(values)
    largest = 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(values) - rank) * values[index]))
        adjusted[index] = largest
    return tuple(adjusted)
