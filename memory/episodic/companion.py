"""What grows with a timeline beside it: anchors, the map of screens."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from omnipilot.envs import Observation
from omnipilot.memory.base import Recalled
from omnipilot.memory.episodic.events import TimelineEvent
from omnipilot.memory.episodic.timeline import Scope
from omnipilot.memory.messages import Usage


class Companion(ABC):
    """Learns from what a memory takes in, adds events of its own, and adds parts to what is recalled."""

    @abstractmethod
    def clear(self) -> None:
        """Forget everything."""

    @abstractmethod
    def observe(self, seen: Observation, turn: int) -> Iterable[TimelineEvent]:
        """Take in an observation, after the events that were read from it; the events returned are appended."""

    @abstractmethod
    def take(self, event: TimelineEvent) -> Iterable[TimelineEvent]:
        """Take in an event that was appended; the events returned, which it will not be given, are appended."""

    @abstractmethod
    def recall(self, query: str, scope: Scope, characters: int) -> Iterable[Recalled]:
        """Texts to recall beside events, the most useful first, of at most so many characters together.

        They are of what `scope` admits alone.
        """

    def drain_usage(self) -> Usage:
        """What the models that it calls have cost since the last call of this."""
        return Usage()
