"""An agent that repeats a move without effect once by itself, before its planner is asked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from omnipilot.agents.base import Agent, Choice, Proposal, Situation
from omnipilot.agents.wrappers.base import situation_for
from omnipilot.agents.wrappers.checks.agent import CheckAgent, event_of
from omnipilot.agents.wrappers.checks.screens import is_masked, same_element
from omnipilot.agents.wrappers.checks.verify import ExpectationCase, starts_media
from omnipilot.envs import Action, Click, Element, LongPress, Observation, OpenApp, OpenUrl, Point, Press, TypeText
from omnipilot.envs.types import fold
from omnipilot.memory import Memory, Move, Recalled, Role
from omnipilot.planners import Brief, Decision, Feedback

ONCE = frozenset("send order pay buy submit post delete remove call dial transfer book reply confirm".split())
"""First words of controls that are never pressed again: what they did may be out of sight."""


class RepairAgent(CheckAgent):
    """Like `notice`, but a move that had no effect is first made once more: a click, an opened app, a text in a field.

    A repair takes a turn of its own, without asking the planner: its move is a step like any other, counts towards the
    limits, and its turn's thought says that it is a repair. In the turn after it the planner gets the outcomes of its
    own moves, and is told what was done for it. A control such as Play or Send is never pressed again.
    """

    def __init__(self, agent: Agent, memory: Memory, role: Role, stated: bool = True, implied: bool = True) -> None:
        super().__init__(agent, memory, role, stated, implied)
        self.repairs = 0
        self._repair: _Repair | None = None

    def begin(self, brief: Brief) -> None:
        """Forget the last episode."""
        self.repairs, self._repair = 0, None
        super().begin(brief)

    def decide(self, situation: Situation) -> Choice:
        """A repair, or else the wrapped agent's choice, told of what did not hold."""
        notes = self._notes(situation)
        if self._repair is not None:
            return self._after(self._repair, situation, notes)
        seen = situation_for(situation, self.role).observations
        for case, finding in self._violated:
            action = again(case, seen)
            if action is not None:
                self.repairs += 1
                where = seen.get(case.expectation.env)
                self._events.append(event_of(case, "repaired", finding.found, where, situation.turn, finding.modality))
                self._repair = _Repair(case, tuple(situation.feedback), tuple(notes))
                move = Move(case.expectation.env, action)
                thought = f"Repair by the checks, not by the planner: {case.expectation}, but {finding.found}."
                return Choice(Decision((move,), thought), iter((Proposal(move, action),)), tuple(notes))
        return self._ask(situation, notes)

    def _after(self, repair: _Repair, situation: Situation, notes: Sequence[Recalled]) -> Choice:
        """The wrapped agent's choice after a repair: with the outcomes of its own moves, and told what was done."""
        self._repair = None
        env = repair.case.expectation.env
        still = any(case.expectation.env == env for case, _ in self._violated)
        how = "It was made once more for you, and still has not." if still else "It was made once more for you."
        told = [
            replace(note, part=f"{note.part} {how}") if note.env == env else note
            for note in (*repair.notes, *(note for note in notes if note.env != env))
        ]
        return self._ask(replace(situation, feedback=repair.feedback), told)


@dataclass(frozen=True, slots=True)
class _Repair:
    """A repair under way.

    Attributes:
        feedback: on the planner's own moves. notes: on what did not hold before.
    """

    case: ExpectationCase
    feedback: tuple[Feedback, ...]
    notes: tuple[Recalled, ...]


def again(case: ExpectationCase, seen: Mapping[str, Observation]) -> Action | None:
    """The move to make once more after a violation; None if that might do harm, or what it was aimed at is gone."""
    action, now = case.action, seen.get(case.expectation.env)
    if action is None or now is None or starts_media(case):
        return None
    if isinstance(action, OpenApp | OpenUrl | Press):
        return None if isinstance(action, Press) and case.expectation.kind != "changed" else action
    element = same_element(case.element, now) if case.element is not None else None
    if element is None or "disabled" in element.states:
        return None
    if isinstance(action, Click | LongPress):
        words = fold(element.name).split()
        return None if words and words[0] in ONCE else replace(action, at=element.box.center)
    return _typed_again(action, case, element) if isinstance(action, TypeText) else None


def _typed_again(action: TypeText[Point], case: ExpectationCase, element: Element) -> Action | None:
    """Typing the text again, in place of what is there: only where the field was empty, or was to be emptied."""
    was = case.element.value if case.element is not None else ""
    if action.submit or is_masked(element.value) or (was and not action.clear):
        return None
    return replace(action, at=element.box.center, clear=True)
