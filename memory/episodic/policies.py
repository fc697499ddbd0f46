"""Policies that look at no words: the last turns, and the screens that differ most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from omnipilot.envs import ConfigError
from omnipilot.memory.base import Budget
from omnipilot.memory.episodic.events import EventKind, TimelineEvent
from omnipilot.memory.episodic.memory import TimelineMemory
from omnipilot.memory.episodic.ranking import Asked, Candidate, Policy, when_where

OWN: tuple[EventKind, ...] = ("thought", "note", "action", "outcome")
MOST_SCREENS = 2_000
"""Screens that are compared; of more, the newest."""
CHANGED = 0.01
"""Share of brightness by which a screen must differ from those that are shown already."""


class LastTurnsPolicy(Policy):
    """What was thought, noted and done in the last turns, with their screens and clips.

    Args:
        turns: number of last turns. images, clips: of how many of those the screens, and the clips.
    """

    def __init__(self, turns: int = 2, images: int = 1, clips: int = 0) -> None:
        self.turns, self.images, self.clips = turns, images, clips

    def candidates(self, asked: Asked) -> Iterator[Candidate]:
        """The events of the last turns, the newest worth most."""
        for event in asked.of_turns(asked.now - self.turns, asked.now - 1):
            age = asked.now - event.turn
            value = 2.0**-age
            reasons = ("of the last turns", when_where(event, asked.now))
            if event.kind in OWN:
                yield Candidate(event, value, reasons)
            elif event.kind in ("audio", "video") and age <= self.clips:
                yield Candidate(event, value, reasons, True)
        if self.images:
            for event in _last_screens(asked):
                yield Candidate(event, 1.0, ("the last screen before this", when_where(event, asked.now)), True)


class KeyframesPolicy(Policy):
    """The last screen of each environment, and of all others those that differ most from what is shown already.

    Screens are compared as grey pictures of 16x16 cells; each next one is the one whose nearest among those chosen is
    farthest (Gonzalez, Clustering to minimize the maximum intercluster distance, 1985).

    Args:
        images: how many are chosen.
    """

    compares = True

    def __init__(self, images: int = 4) -> None:
        self.images = images

    def candidates(self, asked: Asked) -> Iterator[Candidate]:
        """Screens, those chosen first worth most."""
        chosen = _last_screens(asked)
        for event in chosen:
            yield Candidate(event, 2.0, ("the last screen before this", when_where(event, asked.now)), True)
        for rank, (event, apart) in enumerate(self._most_different(chosen, asked)):
            reasons = (f"differs from the screens shown by {apart:.0%}", when_where(event, asked.now))
            yield Candidate(event, 1 / (rank + 1), reasons, True)

    def _most_different(self, chosen: Sequence[TimelineEvent], asked: Asked) -> Iterator[tuple[TimelineEvent, float]]:
        import numpy as np

        past = [
            screen
            for env in sorted(asked.scope.envs)
            for screen in asked.screens.get(env, ())[-MOST_SCREENS:]
            if screen.turn < asked.now and asked.scope.admits(screen)
        ]
        newest = list({screen.media.digest: screen for screen in past if screen.media is not None}.values())
        if not newest or not chosen:
            return
        looks = np.stack([asked.look_of(screen) for screen in newest])
        nearest = np.full(len(newest), np.inf, dtype=np.float32)
        for screen in chosen:
            nearest = np.minimum(nearest, np.abs(looks - asked.look_of(screen)).mean(axis=1))
        for _ in range(min(self.images, len(newest))):
            # Of screens that differ as much, the newest.
            at = len(newest) - 1 - int(np.argmax(nearest[::-1]))
            apart = float(nearest[at])
            if apart < CHANGED:
                return
            yield newest[at], apart
            nearest = np.minimum(nearest, np.abs(looks - looks[at]).mean(axis=1))


class KeyframesMemory(TimelineMemory):
    """Recalls the last turns in words, the last screen of each device, and the screens that differ most from those.

    Args:
        images: most pictures of one recall. turns: last turns whose words are recalled. order: of the parts.

    Raises:
        ConfigError: an unknown order, or a limit below zero.
    """

    def __init__(self, images: int = 4, turns: int = 2, order: str = "time") -> None:
        if turns < 1:
            raise ConfigError(f"memory 'keyframes': turns must be at least 1, not {turns}")
        super().__init__([KeyframesPolicy(images), LastTurnsPolicy(turns, images=0)], Budget(images=images), order)


def _last_screens(asked: Asked) -> list[TimelineEvent]:
    """The last screen of each environment before this turn."""
    found = []
    for env in sorted(asked.scope.envs):
        past = (screen for screen in reversed(asked.screens.get(env, ())) if screen.turn < asked.now)
        if (last := next(past, None)) is not None and asked.scope.admits(last):
            found.append(last)
    return found
