"""What an episode that is being played does now, in words, from the last line of its record."""

from __future__ import annotations

from dataclasses import dataclass

from omnipilot.bench.journal.events import (
    EpisodeStarted,
    Event,
    ModelCalled,
    PastTurn,
    PersonActed,
    Remembered,
    ReplyUnread,
    StepTaken,
    TurnTaken,
)
from omnipilot.bench.report.action_words import action

LONGEST = 200


@dataclass(slots=True)
class Doing:
    """An attempt that is being played.

    Attributes:
        started: with the limits that hold now. turn: the one it is in, from 1. steps: taken.
        paid: dollars of its calls. words: what it does now.
        last: when that was read, seconds since the epoch; None if before it was watched.
    """

    started: EpisodeStarted
    turn: int = 1
    steps: int = 0
    paid: float = 0.0
    words: str = "looks, and decides"
    last: float | None = None

    def take(self, event: Event) -> None:
        """Take in what was recorded of it."""
        if isinstance(event, PersonActed):
            self.started = event.raised(self.started)
            return
        self.words = self._words(event)[:LONGEST]

    def _words(self, event: Event) -> str:
        if isinstance(event, TurnTaken):
            self.turn = event.turn + 1
            first = next((f": {action(move.get('intent'))}" for move in event.moves if isinstance(move, dict)), "")
            return f"acts{first}"
        if isinstance(event, StepTaken):
            self.turn, self.steps = event.turn + 1, self.steps + 1
            return f"did: {action(event.executed or event.proposed) or 'nothing'} ({event.result}); goes on"
        if isinstance(event, ModelCalled):
            self.turn = max(self.turn, event.turn + 1)
            what = f"could not use an answer ({event.problem})" if event.problem else "has an answer"
            return f"the {event.role} {what} of {event.model}"
        if isinstance(event, ReplyUnread):
            return f"could not read a reply ({event.problem})"
        if isinstance(event, PastTurn):
            return "goes through its past"
        if isinstance(event, Remembered):
            self.turn = event.turn + 2
            return "looks, and decides"
        return self.words
