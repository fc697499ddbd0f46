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
from omnipilot.bench.journal.journal import journal_state, positions, read_at
from omnipilot.envs import ConfigError

KEPT = 2
"""Journals whose places are kept in memory."""


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
    index = _index_of(run)
    found = index.places.get(key)
    if not found:
        raise ConfigError(describe_unknown("episode", key, index.started))
    if attempt is None:
        attempt = max([number for number in found if (key, number) in index.ended] or found)
    if attempt not in found:
        raise ConfigError(f"{key} has no attempt {attempt}; there are {', '.join(map(str, sorted(found)))}")
    return _with_raised_limits(read_at(run, found[attempt]))


def _with_raised_limits(events: Sequence[Event]) -> list[Event]:
    """The events of an attempt that begins with the limits that held in the end, without those that raised them."""
    started, *rest = (event for event in events if not isinstance(event, PersonActed))
    assert isinstance(started, EpisodeStarted)
    for event in events:
        if isinstance(event, PersonActed):
            started = event.raised(started)
    return [started, *rest]


@dataclass(slots=True)
class _AttemptIndex:
    """Where the events of a journal's attempts are: the places of their lines by key and attempt.

    Attributes:
        started: keys of the episodes that began, in order. ended: the attempts whose last event is their end.
    """

    places: dict[str, dict[int, list[int]]] = field(default_factory=dict)
    started: dict[str, None] = field(default_factory=dict)
    ended: set[tuple[str, int]] = field(default_factory=set)


_INDEXES: dict[tuple[int, ...], _AttemptIndex] = {}
"""Of the journals that were asked last, by their state: experiments on a long run ask for its episodes often."""


def _index_of(run: Path) -> _AttemptIndex:
    state = journal_state(run)
    index = None if state is None else _INDEXES.pop(state, None)
    if index is None:
        index = _AttemptIndex()
        for event, place in positions(run):
            key, attempt = getattr(event, "key", None), getattr(event, "attempt", None)
            if key is None or attempt is None:
                continue
            if isinstance(event, PersonActed) and not event.raises:
                # About an attempt, but no part of it.
                continue
            if isinstance(event, EpisodeStarted):
                index.started[key] = None
            elif attempt not in index.places.get(key, {}):
                # The line of its start is damaged: nobody can tell what the rest is of.
                continue
            index.places.setdefault(key, {}).setdefault(attempt, []).append(place)
            if isinstance(event, EpisodeEnded):
                index.ended.add((key, attempt))
            else:
                index.ended.discard((key, attempt))
    # A run may have gone on while it was read.
    if state is not None and state == journal_state(run):
        _INDEXES[state] = index
    while len(_INDEXES) > KEPT:
        del _INDEXES[next(iter(_INDEXES))]
    return index
