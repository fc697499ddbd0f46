"""Skills that show who decides more than the screen says by itself: what can be read on it, what was seen before."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from omnipilot.agents.base import Situation
from omnipilot.agents.wrappers.episode_facts import words
from omnipilot.envs import Absent, Elements
from omnipilot.memory import Budget, Memory, Recalled, Role, Turn
from omnipilot.memory.perception import OcrReader

_WORD = re.compile(r"\w{3,}")
_EMPTY = frozenset(
    "the and for not sure that this which what was were can cannot could see read find tell know remember unsure with "
    "from has have again more any don".split()
)
KEPT = 200
"""Screens that are remembered of an episode, the last ones."""
LONGEST = 2_000
"""Characters of a screen that is recalled."""
SHOWN = 6
"""Texts that the agent's memory is asked for."""


class ReadSkill:
    """Reads the screen aloud, where its text is not listed anyway."""

    def __init__(self, reader: OcrReader) -> None:
        self._reader = reader

    def help(self, need: Any, situation: Situation) -> Sequence[Recalled]:
        """The lines on the screen that the need concerns, or on all where it did not say."""
        found = []
        for name, seen in situation.observations.items():
            listed = isinstance(seen.elements, Elements) and len(seen.elements) > 0
            if (need.env and name != need.env) or listed or isinstance(seen.screenshot, Absent):
                continue
            lines = [element.name for element in self._reader.read(seen.screenshot).elements]
            if lines:
                told = "Read on the screen: " + " | ".join(lines)
                found.append(Recalled(told, "read", name, seen.time, situation.turn))
        return found


class RecallSkill:
    """Looks up what was legible on the screens of the episode, and asks the agent's memory by the words of the need."""

    def __init__(self, memory: Memory, role: Role) -> None:
        self.memory = memory
        self.role = role
        self._screens: deque[Screen] = deque(maxlen=KEPT)

    def clear(self) -> None:
        """Forget the episode."""
        self._screens.clear()

    def learn(self, turn: Turn) -> None:
        """Keep what is legible in a turn; a screen that did not change, once."""
        for name, seen in turn.observations.items():
            lines = tuple(dict.fromkeys(words(seen)))
            last = next((one for one in reversed(self._screens) if one.env == name), None)
            if lines and (last is None or last.lines != lines):
                self._screens.append(Screen(name, seen.time, turn.index, lines))

    def help(self, need: Any, situation: Situation) -> Sequence[Recalled]:
        """The screen that has most words of the need, the latest of several; then what the memory recalls by it."""
        wanted = _words(need.words)
        best = max(self._screens, key=lambda one: (len(wanted & one.words), one.turn), default=None)
        budget = Budget(texts=SHOWN, images=0, clips=0, characters=2_000)
        own = self.memory.recall(need.words, budget, self.role, tuple(situation.observations))
        more = tuple(part for part in own if part.source not in ("thought", "action", "outcome", "screenshot"))
        if best is None or not wanted & best.words:
            return more
        told = f"On {best.env} you saw: " + " | ".join(best.lines)
        return (Recalled(told[:LONGEST], "memory", best.env, best.time, best.turn), *more)


@dataclass(frozen=True)
class Screen:
    """What was legible on one screen."""

    env: str
    time: float
    turn: int
    lines: tuple[str, ...]

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words."""
        return frozenset().union(*map(_words, self.lines))


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text)) - _EMPTY
