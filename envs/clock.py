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
        """Begin again at 0, and measure anew how far the time of day is from this machine's monotonic clock."""
        self._zero = time.monotonic()
        self._unix_zero = time.time() - (time.monotonic() - self._zero)

    @property
    def now(self) -> float:
        """Seconds since the last restart."""
        return time.monotonic() - self._zero

    def at(self, monotonic: float) -> float:
        """The seconds that a reading of `time.monotonic` stands for; below 0 before the last restart."""
        return monotonic - self._zero

    def at_unix(self, seconds: float) -> float:
        """The seconds that a time of day stands for, in seconds since 1970; a later change of the system's time of
        day shows as a jump."""
        return seconds - self._unix_zero
