"""How a run stands while it goes on: what is played, by whom, what it has cost, and how long it will take."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from omnipilot.bench.journal.events import EpisodeEnded, EpisodeStarted, Event, PersonActed, RunStarted
from omnipilot.bench.journal.results import JournalFold
from omnipilot.bench.live.doing import Doing
from omnipilot.bench.run.spending import Spending
from omnipilot.bench.run.time_left import EndedWork, seconds_left
from omnipilot.bench.shards.shard import planned_here

NOT_LIMITS = ("idle",)


@dataclass
class OngoingRun:
    """A run as its journal tells it so far, taken in event by event.

    Attributes:
        fold: all that the journal says. doing: the attempts that are being played, by key and attempt.
        ended, seconds, paid: attempts that came to an end in all starts, the seconds that they took, and their dollars.
        paused: a person wants no further episode to begin.
    """

    fold: JournalFold = field(default_factory=JournalFold)
    spending: Spending = field(default_factory=Spending)
    doing: dict[tuple[str, int], Doing] = field(default_factory=dict)
    ended: int = 0
    seconds: float = 0.0
    paid: float = 0.0
    paused: bool = False

    def take(self, number: int, event: Event, watched: bool = False) -> None:
        """Take in an event, the n-th of the journal.

        Args:
            watched: whether it has just been written.
        """
        self.fold.take(number, event)
        before = self.spending.paid
        self.spending.take(event)
        if isinstance(event, RunStarted):
            self.paused = False
            self.doing.clear()
        if isinstance(event, PersonActed) and not event.refused and event.action in ("pause", "resume"):
            self.paused = event.action == "pause"
        which = getattr(event, "key", ""), getattr(event, "attempt", 0)
        if isinstance(event, EpisodeStarted):
            self.doing[which] = Doing(event)
        elif (doing := self.doing.get(which)) is not None:
            doing.take(event)
            doing.paid += self.spending.paid - before
            doing.last = time.time() if watched else None
        if isinstance(event, EpisodeEnded):
            over = self.doing.pop(which, None)
            self.ended += 1
            self.seconds += event.wall_seconds + event.prologue_seconds
            self.paid += over.paid if over else 0.0

    @property
    def planned(self) -> int:
        """Episodes that the directory is to hold: all of the run, or those of the shards that are played in it."""
        start = self.fold.last_start
        return planned_here(self.fold.made_with, start.planned) if start else 0

    def figures(self, going: bool, now: float, jobs: int = 0) -> dict[str, Any]:
        """Numbers as plain JSON values: of episodes, seconds and dollars; None for what cannot be said yet.

        Args:
            going: whether somebody plays the run. now: seconds since the epoch.
            jobs: episodes that are played at once; 0 for as many as are being played.

        Returns:
            `going`, `paused`; `planned`, `done`, `left_episodes`, `solved`, `failed`, `unjudged` and `void` episodes;
            `seconds` since the last start, and `left` seconds, from what ended attempts took; dollars `paid`, and
            `expected` in the end, from what ended attempts cost; `unpriced` calls of models, whose price is in neither.
        """
        start, done = self.fold.last_start, self.fold.episodes
        waiting = len(self.fold.requeued.keys() & done.keys())
        played = len(done) - waiting
        left = max(0, self.planned - played)
        seconds = now - start.wall if start else 0.0
        voids = [one for one in done.values() if one.void and one.key not in self.fold.requeued]
        solved = sum(one.success for one in done.values())
        unjudged = sum(one.unjudged for one in done.values())
        return {
            "going": going,
            "paused": going and self.paused,
            "planned": self.planned,
            "done": played,
            "solved": solved,
            "void": len(voids),
            "unjudged": unjudged,
            "failed": played - solved - unjudged - len(voids),
            "left_episodes": left,
            "paid": self.spending.paid,
            "expected": self._expected(left) if self.ended else None,
            "unpriced": self.spending.unpriced,
            "seconds": seconds,
            "left": self._seconds_left(left, now, jobs) if going and self.ended and left and not self.paused else None,
        }

    def _expected(self, left: int) -> float:
        """Dollars of all episodes; those that are being played have cost a part of theirs already."""
        running = sum(doing.paid for doing in self.doing.values())
        return self.spending.paid + max(0.0, self.paid / self.ended * left - running)

    def _seconds_left(self, left: int, now: float, jobs: int) -> float | None:
        playing = [(1.0, max(0.0, now - doing.started.wall)) for doing in self.doing.values()]
        at_once = max(1, min(left, jobs or len(self.doing)))
        return seconds_left(EndedWork(self.seconds, self.ended), playing, max(0, left - len(playing)), at_once)

    def worker(self, doing: Doing, now: float) -> dict[str, Any]:
        """What one attempt that is being played does, as plain JSON values."""
        started = doing.started
        return {
            "key": started.key,
            "attempt": started.attempt,
            "turn": doing.turn,
            "steps": doing.steps,
            "words": doing.words,
            "seconds": max(0.0, now - started.wall),
            "since": None if doing.last is None else max(0.0, now - doing.last),
            "limits": {
                name: value for name, value in started.limits.items() if value is not None and name not in NOT_LIMITS
            },
        }
