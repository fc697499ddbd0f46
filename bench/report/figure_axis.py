"""The axis of a figure: round numbers at even distances that hold all values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from omnipilot.bench.report.figure_text import width

SIZE, APART = 11.5, 16
"""Of the numbers of an axis, and the least distance between two of them."""
LEAST = 1e-6
"""What an axis spans at least; less is nothing."""


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis from the first tick at `left` to the last at `right`; `step` lies between two ticks."""

    ticks: tuple[float, ...]
    step: float
    left: float
    right: float

    def at(self, value: float) -> float:
        """Where a value lies."""
        return self.left + (self.right - self.left) * (value - self.ticks[0]) / (self.ticks[-1] - self.ticks[0])

    def label(self, tick: float) -> str:
        """A tick's number, with as many digits as the ticks need."""
        return _label(tick, self.step)


def axis_of(values: Sequence[float], left: float, right: float) -> Axis:
    """The axis with the most ticks that holds zero and all values, and whose numbers stand apart."""
    low, high = min((0.0, *values)), max((0.0, *values))
    if high - low < LEAST:
        high = 1.0
    power = 10.0 ** math.floor(math.log10((high - low) / 20))
    for step in (m * power * 10**more for more in range(4) for m in (1, 2, 2.5, 5)):
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        ticks = tuple(round(index * step, 12) for index in range(first, last + 1))
        widest = max(width(_label(tick, step), SIZE) for tick in ticks)
        if (right - left) / (len(ticks) - 1) >= widest + APART:
            break
    return Axis(ticks, step, left, right)


def _label(tick: float, step: float) -> str:
    digits = next(digits for digits in range(13) if math.isclose(round(step, digits), step, rel_tol=1e-9))
    return f"{tick:.{digits}f}".replace("-", "−")
