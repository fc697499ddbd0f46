"""The events of one attempt at an episode, and the episode that they tell of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.journal.events import (
    EpisodeEnded,
    EpisodeStarted,
    Event,
    PastTurn,
    PersonActed,
    StepTaken,
    TurnTaken,
)
from omnipilot.bench.journal.journal import read
from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """A turn with its steps."""

    taken: TurnTaken
    steps: list[StepTaken] = field(default_factory=list)


@dataclass(slots=True)
class RecordedAttempt:
    """An attempt at an episode as its events tell it.

    Attributes:
        ended: None if it was cut off. past: turns that were played before it.
    """

    started: EpisodeStarted
    past: list[PastTurn] = field(default_factory=list)
    turns: list[RecordedTurn] = field(default_factory=list)
    ended: EpisodeEnded | None = None

    @classmethod
    def of_events(cls, events: list[Event]) -> RecordedAttempt:
        """From the events of one attempt, in order, the first of which begins it."""
        assert isinstance(events[0], EpisodeStarted)
        found = cls(events[0])
        for event in events[1:]:
            if isinstance(event, PastTurn):
                found.past.append(event)
            elif isinstance(event, TurnTaken):
                found.turns.append(RecordedTurn(event))
            elif isinstance(event, StepTaken) and found.turns:
                found.turns[-1].steps.append(event)
            elif isinstance(event, EpisodeEnded):
                found.ended = event
        return found


def attempt_events(run: Path, key: str, attempt: int | None = None) -> list[Event]:
    """The events of one attempt at an episode: the last that ended, or else the last, unless another is asked for.

    Args:
        key: "task#instance.trial".

    Raises:
        ConfigError: there is no such episode, or no such attempt.
    """
    found: dict[int, list[Event]] = {}
    known: dict[str, None] = {}
    for event in read(run):
        if isinstance(event, EpisodeStarted):
            known[event.key] = None
        if isinstance(event, PersonActed) and not event.raises:
            # About an attempt, but no part of it.
            continue
        if getattr(event, "key", None) == key:
            found.setdefault(event.attempt, []).append(event)  # type: ignore[attr-defined]
    if not found:
        raise ConfigError(describe_unknown("episode", key, known))
    if attempt is None:
        ended = [number for number, events in found.items() if isinstance(events[-1], EpisodeEnded)]
        attempt = max(ended or found)
    if attempt not in found:
        raise ConfigError(f"{key} has no attempt {attempt}; there are {', '.join(map(str, sorted(found)))}")
    return _with_raised_limits(found[attempt])


def _with_raised_limits(events: Sequence[Event]) -> list[Event]:
    """The events of an attempt that begins with the limits that held in the end, without those that raised them."""
    started, *rest = (event for event in events if not isinstance(event, PersonActed))
    assert isinstance(started, EpisodeStarted)
    for event in events:
        if isinstance(event, PersonActed):
            started = event.raised(started)
    return [started, *rest]
