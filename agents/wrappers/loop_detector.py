"""The loop detector: the same moves on the same screens again and again are noticed, said, and in the end ended."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

from omnipilot.agents.base import Agent, Choice, Proposal, Situation
from omnipilot.agents.wrappers.base import Wrapper, add_note, final_choice, veto
from omnipilot.envs import Absent, ConfigError, Done, Elements, Observation, Wait
from omnipilot.memory import Move
from omnipilot.memory.window import worded
from omnipilot.planners import Brief, Decision

WINDOW = 24
"""Turns that are remembered: a cycle of several moves is a loop too."""
BAR = 1 / 16
"""Share of a screen's height, at its top and at its bottom, where a clock may run that says nothing of the task."""


class LoopDetector(Wrapper):
    """An agent that is told when it repeats itself.

    What counts is a decision's moves together with the screens on which they were decided, as long as nothing new is
    decided in between: also a cycle of several moves. Waiting is no loop, and neither is the same move on a screen
    that has changed.

    Args:
        repeats: how often the same is carried out; from then on it is held back, and the agent told.
        give_up: how often it is held back before the episode is ended as a failure.

    Attributes:
        noticed: of this episode: how often a repetition was held back.
    """

    def __init__(self, agent: Agent, repeats: int = 2, give_up: int = 4) -> None:
        if repeats < 1 or give_up < 1:
            raise ConfigError(f"loops: repeats and give_up are at least 1, not {repeats} and {give_up}")
        super().__init__(agent)
        self.repeats = repeats
        self.give_up = give_up
        self.noticed = 0
        self._advice = ""
        self._past: deque[tuple[str, bool]] = deque(maxlen=WINDOW)
        self._known: set[str] = set()

    def begin(self, brief: Brief) -> None:
        """Forget the last episode."""
        self.noticed, self._advice = 0, ""
        self._past.clear()
        self._known.clear()
        super().begin(brief)

    def decide(self, situation: Situation) -> Choice:
        """What the agent inside decides, unless that was carried out often enough on these very screens."""
        choice = super().decide(add_note(situation, self._advice, "advice") if self._advice else situation)
        self._advice = ""
        moves = choice.decision.moves
        if _idle(choice.decision):
            return choice
        key = hashlib.sha256(repr((moves, digest(situation.observations))).encode()).hexdigest()
        count = self._circling(key)
        self._past.append((key, key not in self._known))
        self._known.add(key)
        if count < self.repeats:
            return choice
        self.noticed += 1
        said = ", ".join(_said(move) for move in moves) or "doing nothing"
        if self.noticed > self.give_up:
            why = f"It goes in circles: {said}, for the {_nth(count + 1)} time on the same screen."
            return final_choice(Done("failure", why[:500]), why, choice.decision)
        why = f"{said} was done {count} times on this very screen and led back to it; do something else"
        # Who decided on no move hears of it in the next turn: there is no move to be answered.
        self._advice = "" if moves else why
        return Choice(choice.decision, _held(choice.decision, why))

    def _circling(self, key: str) -> int:
        """How often this was decided before, while nothing new was; 0 where something new came since the last time.

        Coming back to a screen and taking the same way off it again is no loop if it led somewhere else.
        """
        count = 0
        for past, new in reversed(self._past):
            if past == key:
                count += 1
            elif new:
                break
        return count


def digest(observations: Mapping[str, Observation]) -> str:
    """What the screens show, clocks in their bars apart; what is heard and filmed does not count."""
    hashed = hashlib.sha256()
    for name, seen in sorted(observations.items()):
        hashed.update(repr((name, _shown(seen))).encode())
    return hashed.hexdigest()


def _shown(seen: Observation) -> Any:
    if isinstance(seen.elements, Elements):
        return [
            (element.role, element.name, element.value, sorted(element.states), element.box)
            for element in seen.elements.items
            if not _clock(element.role, element.name, element.box.center.y)
        ]
    if not isinstance(seen.screenshot, Absent):
        # Without elements nothing tells a clock from the rest: the bars are left out as they are.
        pixels = seen.screenshot.array()
        bar = round(pixels.shape[0] * BAR)
        return hashlib.sha256(pixels[bar : pixels.shape[0] - bar].tobytes()).hexdigest()
    return seen.context


def _clock(role: str, name: str, y: float) -> bool:
    return role in ("time", "timer") or (not BAR < y < 1 - BAR and name.replace(":", "").strip().isdecimal())


def _idle(decision: Decision) -> bool:
    """Whether the decision is to let time pass, or to end."""
    return any(isinstance(move.intent, Wait | Done) for move in decision.moves)


def _held(decision: Decision, why: str) -> Iterator[Proposal]:
    for move in decision.moves[:1]:
        yield veto(Proposal(move, None), why)


def _said(move: Move) -> str:
    return worded(move.intent) + (f" on {move.env}" if move.env else "")


def _nth(count: int) -> str:
    return f"{count}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(count if count < 20 else count % 10, 'th') }"
