"""Skills that show the planner additional text: OCR of the screen, and text seen earlier."""

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
"""Number of last screens of an episode that are remembered."""
LONGEST = 2_000
"""Maximum characters of a recalled screen."""
SHOWN = 6
"""Number of texts requested from the agent's memory."""


class ReadSkill:
    """Reads the text on the screen with OCR, unless its elements are listed anyway."""

    def __init__(self, reader: OcrReader) -> None:
        self._reader = reader

    def help(self, need: Any, situation: Situation) -> Sequence[Recalled]:
        """The text lines of the environment the need concerns, or of all if it names none."""
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
    """Looks up text on earlier screens of the episode, and queries the agent's memory with the words of the need."""

    def __init__(self, memory: Memory, role: Role) -> None:
        self.memory = memory
        self.role = role
        self._screens: deque[ScreenText] = deque(maxlen=KEPT)

    def clear(self) -> None:
        """Forget the episode."""
        self._screens.clear()

    def learn(self, turn: Turn) -> None:
        """Keep the text seen in a turn; an unchanged screen is kept once."""
        for name, seen in turn.observations.items():
            lines = tuple(dict.fromkeys(words(seen)))
            last = next((one for one in reversed(self._screens) if one.env == name), None)
            if lines and (last is None or last.lines != lines):
                self._screens.append(ScreenText(name, seen.time, turn.index, lines))

    def help(self, need: Any, situation: Situation) -> Sequence[Recalled]:
        """The latest screen with the most words of the need, then what the memory recalls for them."""
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
class ScreenText:
    """The text of one screen."""

    env: str
    time: float
    turn: int
    lines: tuple[str, ...]

    @cached_property
    def words(self) -> frozenset[str]:
        """The distinct words on the screen."""
        return frozenset().union(*map(_words, self.lines))


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text)) - _EMPTY
