"""Several comparisons at once: Holm's correction.

The same as statsmodels' `multipletests(method="holm")` (tests/bench/stats/test_beside_libraries.py), which takes more
than a second to import and, with pandas, 150 MB to install for these few lines.
"""

from __future__ import annotations

from collections.abc import Sequence


def holm(values: Sequence[float]) -> tuple[float, ...]:
    """Adjusted p-values, in the order given; rejecting those up to α keeps the familywise error rate at α.

    The i-th smallest of m is multiplied by m − i + 1, never less than the one before and never above 1 (Holm,
    Scandinavian Journal of Statistics 6, 1979). Valid under any dependence between the comparisons.

    Args:
        values: p-values in 0..1; may be empty.

    Raises:
        ValueError: a value outside 0..1.
    """
    if any(not 0 <= value <= 1 for value in values):
        raise ValueError(f"p-values are in 0..1, not {list(values)}")
    order = sorted(range(len(values)), key=values.__getitem__)
    adjusted = [0.0] * len(values)
    largest = 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(values) - rank) * values[index]))
        adjusted[index] = largest
    return tuple(adjusted)
