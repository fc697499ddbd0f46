"""Progress-aware stopping: a list of sub-goals of the agent's own, made from the instruction alone.

It is not the judges' list, which no agent ever sees: it may be wrong, and says what the agent believes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from omnipilot.agents.base import Agent, Choice, Proposal, Situation
from omnipilot.agents.wrappers.base import (
    Wrapper,
    add_note,
    claims_success,
    final_choice,
    situation_for,
    turn_for,
    vet_each,
)
from omnipilot.envs import ConfigError, Done, Modality, Observation
from omnipilot.memory import Role, Turn, Usage
from omnipilot.memory.base import Needs
from omnipilot.planners import Brief

_REACHED = re.compile(r"^\s*reached\s+#?(\d+)", re.IGNORECASE)
_GOAL = re.compile(r"^\s*goal:\s*(.+)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class SubGoal:
    """One thing to reach, in words.

    Attributes:
        reached: as far as the agent knows. certain: whether that can be known; after a last sub-goal of which it
            cannot, the agent is not stopped.
    """

    text: str
    reached: bool = False
    certain: bool = True


class Tracker(Protocol):
    """Makes the list, and ticks what the screens and the own deeds show to be reached.

    One that cannot tell without some modality says so by its `needs`; where its role is not granted that, the list is
    shown and holds nothing back.
    """

    def begin(self, brief: Brief) -> None:
        """A new episode."""
        ...

    def goals(self) -> tuple[tuple[SubGoal, ...], Usage]:
        """The list as it is made at the start, and what making it cost; asked once an episode.

        Raises:
            ModelUnavailable: its model did not answer.
        """
        ...

    def reached(self, left: Mapping[int, SubGoal], seen: Mapping[str, Observation]) -> tuple[frozenset[int], Usage]:
        """Which of the sub-goals that are left are reached by now, by number, and what finding out cost.

        Raises:
            ModelUnavailable: its model did not answer.
        """
        ...

    def learn(self, turn: Turn) -> None:
        """What became of the turn."""
        ...


class ProgressAgent(Wrapper):
    """An agent that is shown which of its sub-goals are left, may not claim success before, and stops after.

    The planner may tick a sub-goal itself by the note `reached 2`, and add one by the note `goal: …`.

    Args:
        grace: turns that the agent may still take once nothing is left.
        patience: claims of success in a row that are held back while something is left.

    Attributes:
        list: the sub-goals now. held: claims of success that were held back. stopped: whether it ended the episode.
    """

    def __init__(self, agent: Agent, tracker: Tracker, role: Role, grace: int = 2, patience: int = 2) -> None:
        if grace < 0 or patience < 1:
            raise ConfigError(f"progress: grace is at least 0 and patience at least 1, not {grace} and {patience}")
        super().__init__(agent)
        self.tracker = self.part = tracker
        self.role = role
        self.grace = grace
        self.patience = patience
        self.list: list[SubGoal] = []
        self.held = 0
        self.stopped = self._made = self._tells = False
        self._over = self._claimed = 0

    @property
    def modalities(self) -> frozenset[Modality]:
        """What the agent inside needs, and what the tracker looks at."""
        return self.agent.modalities | self.role.modalities

    def begin(self, brief: Brief) -> None:
        """Forget the last episode."""
        self.list = []
        self.held = self._over = self._claimed = 0
        self.stopped = self._made = self._tells = False
        self.tracker.begin(replace(brief, demonstration=None))
        super().begin(brief)

    def decide(self, situation: Situation) -> Choice:
        """What the agent inside decides, knowing what is left; or the end, where nothing has been left for long."""
        spent = self._look(situation)
        if self.list and not self.left and self.list[-1].certain:
            self._over += 1
            if self._over > self.grace:
                self.stopped = True
                done = final_choice(Done("success"), "Every sub-goal of the own list is reached.")
                return _costing(done, spent)
        choice = super().decide(add_note(situation, self.words(), "advice") if self.list else situation)
        self._note(choice.decision.notes)
        return _costing(Choice(choice.decision, vet_each(choice.proposals, self._objection)), spent)

    def learn(self, turn: Turn) -> None:
        """Teach both."""
        self.tracker.learn(turn_for(turn, self.role))
        super().learn(turn)

    @property
    def left(self) -> dict[int, SubGoal]:
        """What is still to be reached, by number from 1."""
        return {number: goal for number, goal in enumerate(self.list, 1) if not goal.reached}

    def words(self) -> str:
        """The list in words."""
        lines = (f"{number}. [{'x' if goal.reached else ' '}] {goal.text}" for number, goal in enumerate(self.list, 1))
        rest = "" if self.left else "\nNothing is left: finish, unless you know better."
        return "Your sub-goals:\n" + "\n".join(lines) + rest

    def _look(self, situation: Situation) -> Usage:
        spent = Usage()
        seen = situation_for(situation, self.role).observations
        needs = self.tracker.needs if isinstance(self.tracker, Needs) else frozenset()
        self._tells = all(any(one.has(need) for one in seen.values()) for need in needs)
        if not self._made:
            goals, spent = self.tracker.goals()
            self.list, self._made = list(goals), True
        if self.left:
            found, cost = self.tracker.reached(self.left, seen)
            spent += cost
            self._tick(found)
        return spent

    def _note(self, notes: tuple[str, ...]) -> None:
        for note in notes:
            if added := _GOAL.match(note):
                self.list.append(SubGoal(added[1].strip()))
            elif ticked := _REACHED.match(note):
                self._tick(frozenset({int(ticked[1])}), sure=True)

    def _tick(self, numbers: frozenset[int], sure: bool = False) -> None:
        self.list = [
            replace(goal, reached=True, certain=goal.certain or sure) if number in numbers else goal
            for number, goal in enumerate(self.list, 1)
        ]

    def _objection(self, proposal: Proposal) -> str:
        if not (self._tells and self.left and proposal.action is not None and claims_success(proposal.move.intent)):
            return ""
        self._claimed += 1
        if self._claimed > self.patience:
            return ""
        self.held += 1
        named = "; ".join(f"{number}. {goal.text}" for number, goal in self.left.items())
        return f"not all of your sub-goals are reached yet: {named}"


def _costing(choice: Choice, spent: Usage) -> Choice:
    """The choice, its decision charged with what was spent beside it."""
    decision = replace(choice.decision, usage=choice.decision.usage + spent)
    return Choice(decision, choice.proposals)
