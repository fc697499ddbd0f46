"""The clock of worlds that run in real time."""

from __future__ import annotations

import time


class WallClock:
    """Seconds since a world's reset.

    One clock serves every device of a world, so that what they saw and heard can be put in order. Whoever made it
    restarts it; a world that was given one leaves that to the giver.
    """

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Begin again at 0."""
        self._zero = time.monotonic()

    @property
    def now(self) -> float:
        """Seconds since the last restart."""
        return time.monotonic() - self._zero

    def at(self, monotonic: float) -> float:
        """The seconds that a reading of `time.monotonic` stands for; below 0 before the last restart."""
        return monotonic - self._zero
