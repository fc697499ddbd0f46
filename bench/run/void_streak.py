"""Void episodes in a row for one cause: whatever keeps every episode from being played is no result of an agent."""

from __future__ import annotations

import re

from omnipilot.bench.journal.events import EpisodeEnded
from omnipilot.bench.journal.results import VOID
from omnipilot.bench.journal.void_reasons import UNPLAYABLE, void_words
from omnipilot.bench.settings import MAX_VOIDS

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


class VoidStreak:
    """Counts the episodes that came out void one after the other for one cause, in the order in which they ended.

    Causes that differ in numbers alone, such as seconds and attempts, are one. Tasks that this world cannot hold end no
    run, since the next may be another.

    Args:
        most: so many end a run, or all runs of a sweep; 0 for any number.

    Attributes:
        count: void episodes since the last that was none, or was void for another cause. cause: theirs, "" for none.
        ended: all episodes.
    """

    def __init__(self, most: int = MAX_VOIDS) -> None:
        self.most = most
        self.count = 0
        self.cause = ""
        self.ended = 0

    def take(self, event: EpisodeEnded) -> None:
        """Count an episode that ended."""
        self.ended += 1
        cause = void_words(event.detail) if event.reason == VOID else ""
        same = bool(cause) and _NUMBER.sub("#", cause) == _NUMBER.sub("#", self.cause)
        self.count = self.count + 1 if same else int(bool(cause))
        self.cause = cause

    @property
    def reached(self) -> bool:
        """Whether the run is to be given up."""
        return 0 < self.most <= self.count and not self.cause.startswith(UNPLAYABLE)

    @property
    def failing(self) -> bool:
        """Whether the run was given up, or none of its episodes could be played."""
        return self.reached or 0 < self.ended == self.count

    def words(self, left: int) -> str:
        """Why the run failed and how to go on, in a sentence.

        Args:
            left: episodes that were not played.
        """
        episodes = "1 episode came" if self.count == 1 else f"{self.count} episodes in a row came"
        rest = "" if not left else ", and 1 is left" if left == 1 else f", and {left} are left"
        return (
            f"{'stopped: ' if self.reached else ''}{episodes} out void for one cause{rest}; once it is mended, the "
            f"same command with --rerun-void goes on and keeps what is finished. The cause: {self.cause}"
        )
