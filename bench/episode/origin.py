"""The recorded episode that a forked run begins with, and the check that it is played again as it was."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from omnipilot.agents import Agent
from omnipilot.bench.episode.recorded_turns import RecordedTurnsAgent
from omnipilot.bench.journal.attempts import RecordedAttempt, attempt_events
from omnipilot.bench.journal.differences import event_differences
from omnipilot.bench.journal.events import EpisodeEnded, EpisodeStarted, Event, PastTurn, StepTaken, TurnTaken
from omnipilot.bench.journal.results import survey_of
from omnipilot.bench.spec import ForkSpec
from omnipilot.envs import Capability, ConfigError, World


@dataclass(frozen=True, slots=True)
class RecordedOrigin:
    """An attempt at an episode, and the turn at which forks of it go another way."""

    forked: ForkSpec
    record: RecordedAttempt

    @classmethod
    def of(cls, forked: ForkSpec) -> RecordedOrigin:
        """Read the record.

        Raises:
            ConfigError: the run is gone, is another one by now, or has no such episode.
        """
        folder = Path(forked.run)
        found = survey_of(folder).identity
        if found != forked.identity:
            raise ConfigError(
                f"{folder} is not the run that was forked: its identity is {found[:16]}, and was {forked.identity[:16]}"
            )
        return cls(forked, RecordedAttempt.of_events(attempt_events(folder, forked.key, forked.attempt)))

    def lead(self, agent: Agent) -> RecordedTurnsAgent:
        """The agent, led through the recorded turns first.

        Raises:
            ConfigError: the record has fewer turns.
        """
        return RecordedTurnsAgent(agent, self.record, self.forked.turn, self.forked.shadow)

    def check(self, world: World, started: EpisodeStarted) -> OriginCheck | None:
        """What follows an attempt and compares it with the record, up to the turn; None where nothing is compared.

        Raises:
            ConfigError: the world cannot be put back into a recorded state, or the episode begins otherwise.
        """
        if self.forked.loose:
            return None
        if Capability.SNAPSHOTS not in world.capabilities:
            raise ConfigError(
                f"the world of the run ({', '.join(world.envs)}) cannot be put back into a recorded state; `omnipilot "
                "fork --replay` carries the recorded actions out once more, without looking whether the screens are "
                "the same, and `omnipilot attribute --model MODEL` has a model read the record instead"
            )
        check = OriginCheck(self)
        # Another trial of the same episode, perhaps with other limits: only what was to be done has to be the same.
        there = self.record.started
        check.compare(there, replace(started, key=there.key, trial=there.trial, limits=there.limits))
        return check


class OriginCheck:
    """Compares each event of an attempt with the record, up to the turn at which it goes another way."""

    def __init__(self, origin: RecordedOrigin) -> None:
        record, turn = origin.record, origin.forked.turn
        events: list[Event] = list(record.past)
        for one in record.turns[:turn]:
            events += [one.taken, *one.steps]
        if turn < len(record.turns):
            # What is seen in the turn itself, before anything is decided anew.
            events.append(record.turns[turn].taken)
        self._turn = turn
        self._due = iter(events)

    def take(self, event: Event) -> None:
        """Compare an event, if the record has one for it.

        Raises:
            ConfigError: they differ; the message names the first difference.
        """
        if isinstance(event, PastTurn | TurnTaken | StepTaken) and (due := next(self._due, None)) is not None:
            self.compare(due, event)
        elif isinstance(event, EpisodeEnded) and not event.void:
            due = next(self._due, None)
            if isinstance(due, TurnTaken | StepTaken) and due.turn < self._turn:
                raise ConfigError(
                    f"{event.key} ended by {event.reason} in turn {due.turn + 1}, before it could be forked; give it "
                    "the limits of the record"
                )

    def compare(self, recorded: Event, found: Event) -> None:
        """Refuse an event that differs from the record.

        Raises:
            ConfigError: it does.
        """
        if difference := next(event_differences(recorded, found, common=True), None):
            raise ConfigError(
                f"the record cannot be played again: {difference}; fork it with the version that recorded it, or go on "
                "regardless with --replay"
            )
