"""What grows with a timeline beside it: anchors, the map of screens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from omnipilot.envs import Observation
from omnipilot.memory.base import Recalled
from omnipilot.memory.episodic.events import TimelineEvent
from omnipilot.memory.episodic.timeline import Scope


class Companion(Protocol):
    """Learns from what a memory takes in, adds events of its own, and adds parts to what is recalled."""

    def clear(self) -> None:
        """Forget everything."""
        ...

    def observe(self, seen: Observation, turn: int) -> Iterable[TimelineEvent]:
        """Take in an observation, after the events that were read from it; the events returned are appended."""
        ...

    def take(self, event: TimelineEvent) -> Iterable[TimelineEvent]:
        """Take in an event that was appended; the events returned, which it will not be given, are appended."""
        ...

    def recall(self, query: str, scope: Scope, characters: int) -> Iterable[Recalled]:
        """Texts to recall beside events, the most useful first, of at most so many characters together.

        They are of what `scope` admits alone.
        """
        ...
