"""What a stopping rule knows of an episode so far: a few numbers, counted from what the agent saw and did."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from omnipilot.agents.base import Situation
from omnipilot.agents.wrappers.loop_detector import digest
from omnipilot.envs import AudioClip, Context, Observation
from omnipilot.memory import Move, Recalled
from omnipilot.memory.gate.base import clips_of
from omnipilot.memory.gate.energy import QUIETEST, STILLEST, motion_levels, sound_levels

FEATURES = ("spent", "still", "repeats", "goals", "effect")
"""Names of the numbers that a learned rule weighs, in order; see `TurnFacts`."""
WINDOW = 8
"""Number of last turns among which repeats are counted."""
ABOVE = 6.0
"""Decibels above silence, or a still picture, from which something is heard or moves."""
ADVICE = frozenset({"advice", "check"})
"""Sources of notes that are about the agent, and tell it nothing new of the task."""


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """One turn, before it is decided.

    Attributes:
        turn: its number, from 0.
        limit: the most turns that the episode may take; 0 where there is no limit.
        still: turns in a row that brought nothing new: no screen that this episode had not shown yet, no new address,
            title or clipboard, nothing that sounded or moved, nothing new told by readers or noted by the planner, and
            no sub-goal.
        repeats: share of the last eight turns in which the same was decided on the same screens as before, in 0..1.
        goals: share of the agent's own sub-goals (`--progress`) that are reached, in 0..1; 0 where it keeps none.
        effect: 1 if some screen has changed since the turn before, else 0; 1 in the first turn.
    """

    turn: int
    limit: int
    still: int
    repeats: float
    goals: float
    effect: float

    @property
    def spent(self) -> float:
        """Share of the limit that is used, in 0..1; 0 where there is no limit."""
        return self.turn / self.limit if self.limit else 0.0

    def numbers(self) -> dict[str, float]:
        """What the journal keeps and a learned rule weighs, by the names of `FEATURES`, `turn` and `limit` besides."""
        return {**asdict(self), "spent": self.spent}


class FactCounter:
    """Counts the facts of one episode, turn by turn."""

    def __init__(self) -> None:
        self._screens: set[tuple[str, str]] = set()
        self._told: set[str] = set()
        self._decided: set[tuple[str, tuple[Move, ...]]] = set()
        self._repeated: list[bool] = []
        self._last = ""
        self._goals = 0.0
        self._still = 0
        self._heard = False

    def look(self, situation: Situation, goals: float) -> TurnFacts:
        """The facts of a turn that is about to be decided; call it once a turn.

        Args:
            situation: what the rule's role may see. goals: share of the own sub-goals that are reached, in 0..1.
        """
        now = digest(situation.observations)
        effect = float(not self._last or now != self._last)
        new = self._new_screens(situation.observations) | self._new_words(_context_words(situation.observations))
        new |= goals > self._goals or self._heard or _sounds_or_moves(situation.observations.values())
        self._still = 0 if new or situation.turn == 0 else self._still + 1
        self._last, self._goals, self._heard = now, goals, False
        left = situation.left.turns
        last = self._repeated[-WINDOW:]
        repeats = sum(last) / len(last) if last else 0.0
        return TurnFacts(
            situation.turn, 0 if left is None else situation.turn + left, self._still, repeats, goals, effect
        )

    def decided(self, moves: Iterable[Move], notes: Iterable[str], told: Iterable[Recalled]) -> None:
        """Take in what was decided in the turn that was looked at last, and what it was told and noted."""
        made = (self._last, tuple(moves))
        self._repeated.append(made in self._decided)
        self._decided.add(made)
        heard = [one.part for one in told if isinstance(one.part, str) and one.source not in ADVICE]
        self._heard = self._new_words([*heard, *notes])

    def _new_screens(self, seen: Mapping[str, Observation]) -> bool:
        screens = {(name, digest({name: one})) for name, one in seen.items()}
        new = not screens <= self._screens
        self._screens |= screens
        return new

    def _new_words(self, words: Iterable[str]) -> bool:
        given = set(filter(None, words))
        new = not given <= self._told
        self._told |= given
        return new


def _sounds_or_moves(seen: Iterable[Observation]) -> bool:
    """Whether anything was heard or moved since the turn before."""
    for clip in clips_of(seen):
        heard = isinstance(clip, AudioClip)
        levels = sound_levels(clip) if isinstance(clip, AudioClip) else motion_levels(clip)
        least = QUIETEST if heard else 10 * math.log10(STILLEST)
        if any(level > least + ABOVE for _, level in levels):
            return True
    return False


def _context_words(seen: Mapping[str, Observation]) -> list[str]:
    """Where each device is, and what its clipboard holds."""
    found: list[str] = []
    for name, one in seen.items():
        if isinstance(one.context, Context):
            context = one.context
            found += [
                f"{name}: {word}" for word in (context.app, context.title, context.url, context.clipboard) if word
            ]
    return found
