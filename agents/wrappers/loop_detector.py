"""The loop detector: reports moves repeated on the same screens, and ends the episode if they go on."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from omnipilot.agents.base import Agent, Choice, Proposal, Situation
from omnipilot.agents.wrappers.base import Wrapper, add_note, final_choice, veto
from omnipilot.envs import Absent, ConfigError, Done, Elements, Observation, Wait
from omnipilot.memory import Move
from omnipilot.memory.window import verb_text
from omnipilot.planners import Brief, Decision

WINDOW = 24
"""Number of turns remembered, so that cycles of several moves are detected too."""
BAR = 1 / 16
"""Share of a screen's height at its top and bottom where a clock may run that has nothing to do with the task."""


class LoopDetector(Wrapper):
    """An agent that is told when it repeats itself.

    A repetition is the same moves decided on the same screens, with no new decision in between; a cycle of several
    moves counts too. Waiting is no loop, and neither is the same move on a changed screen.

    Args:
        repeats: executions of the same decision that are allowed; further ones are vetoed, and the agent is told.
        give_up: vetoes after which the episode ends as a failure.

    Attributes:
        noticed: repetitions vetoed in this episode.
    """

    def __init__(self, agent: Agent, repeats: int = 2, give_up: int = 4) -> None:
        if repeats < 1 or give_up < 1:
            raise ConfigError(f"loops: repeats and give_up must be at least 1, not {repeats} and {give_up}")
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
        """The wrapped agent's choice, vetoed if it was executed too often on the same screens."""
        choice = super().decide(add_note(situation, self._advice, "advice") if self._advice else situation)
        self._advice = ""
        moves = choice.decision.moves
        if _idle(choice.decision):
            return choice
        key = hashlib.sha256(repr((moves, digest(situation.observations))).encode()).hexdigest()
        count = self._count_repeats(key)
        self._past.append((key, key not in self._known))
        self._known.add(key)
        if count < self.repeats:
            return choice
        self.noticed += 1
        said = ", ".join(_move_words(move) for move in moves) or "doing nothing"
        if self.noticed > self.give_up:
            why = f"It goes in circles: {said}, for the {_nth(count + 1)} time on the same screen."
            return final_choice(Done("failure", why[:500]), why, choice.decision)
        why = f"{said} was done {count} times on this very screen and led back to it; do something else"
        # A decision without moves is answered in the next turn: there is no move to give feedback on.
        self._advice = "" if moves else why
        return replace(choice, proposals=_veto_all(choice.decision, why))

    def _count_repeats(self, key: str) -> int:
        """How often this was decided before without anything new in between; 0 after anything new.

        Returning to a screen and leaving it the same way is no loop if that led somewhere else.
        """
        count = 0
        for past, new in reversed(self._past):
            if past == key:
                count += 1
            elif new:
                break
        return count


def digest(observations: Mapping[str, Observation]) -> str:
    """A hash of the screens, ignoring clocks in their bars; audio and video do not count."""
    hashed = hashlib.sha256()
    for name, seen in sorted(observations.items()):
        hashed.update(repr((name, _visible_state(seen))).encode())
    return hashed.hexdigest()


def _visible_state(seen: Observation) -> Any:
    if isinstance(seen.elements, Elements):
        return [
            (element.role, element.name, element.value, sorted(element.states), element.box)
            for element in seen.elements.items
            if not _clock(element.role, element.name, element.box.center.y)
        ]
    if not isinstance(seen.screenshot, Absent):
        # Without elements a clock cannot be told from the rest, so the whole bars are left out.
        pixels = seen.screenshot.array()
        bar = round(pixels.shape[0] * BAR)
        return hashlib.sha256(pixels[bar : pixels.shape[0] - bar].tobytes()).hexdigest()
    return seen.context


def _clock(role: str, name: str, y: float) -> bool:
    return role in ("time", "timer") or (not BAR < y < 1 - BAR and name.replace(":", "").strip().isdecimal())


def _idle(decision: Decision) -> bool:
    """Whether the decision only waits or ends the episode."""
    return any(isinstance(move.intent, Wait | Done) for move in decision.moves)


def _veto_all(decision: Decision, why: str) -> Iterator[Proposal]:
    for move in decision.moves[:1]:
        yield veto(Proposal(move, None), why)


def _move_words(move: Move) -> str:
    return verb_text(move.intent) + (f" on {move.env}" if move.env else "")


def _nth(count: int) -> str:
    return f"{count}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(count if count < 20 else count % 10, 'th') }"
