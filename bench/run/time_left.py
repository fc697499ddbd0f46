"""How long a run still takes: said of its progress line, of `omnipilot status` and of the page of a run alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass
class EndedWork:
    """What ended episodes took, beside what was expected of them.

    Attributes:
        took: their seconds together. expected: the same as expected before they began, in any unit; only the ratio of
            the two counts. Without expectations, 1 an episode.
    """

    took: float = 0.0
    expected: float = 0.0

    def add(self, took: float, expected: float = 1.0) -> None:
        """Count an episode that ended."""
        self.took += took
        self.expected += expected


def seconds_left(ended: EndedWork, playing: Sequence[tuple[float, float]], waiting: float, jobs: int) -> float | None:
    """Seconds until the last episode ends, at the rate of all that ended.

    An episode takes what is expected of it times the ratio of what the ended ones took to what was expected of them. So
    the long ones, which begin first, do not make the short ones that are left look long. What is being played counts
    with the rest of its time, so the figure falls evenly between two ends; one that has been played for longer than it
    should take shows that the rate is worse than thought, and counts as if it ended now.

    Args:
        playing: (expected, seconds played so far) of each episode that is being played. waiting: expected of all that
            have not begun. jobs: episodes that are played at once, at least 1.

    Returns:
        At least 0; None before the first end.
    """
    if not ended.expected:
        return None
    rate = ended.took / ended.expected
    late = [(expected, so_far) for expected, so_far in playing if so_far > rate * expected]
    rate = (ended.took + sum(so_far for _, so_far in late)) / (ended.expected + sum(expected for expected, _ in late))
    rest = [max(0.0, rate * expected - so_far) for expected, so_far in playing]
    # The last ones are not shared out: none of them ends before its own time.
    return max((sum(rest) + rate * waiting) / jobs, *rest, 0.0)
