"""Progress-aware stopping: the agent's own list of sub-goals, derived from the instruction alone.

It is not the judges' list, which no agent ever sees: it is what the agent believes, and may be wrong.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace

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
from omnipilot.memory import AgentPart, Role, Turn, Usage
from omnipilot.planners import Brief

_REACHED = re.compile(r"^\s*reached\s+#?(\d+)", re.IGNORECASE)
_GOAL = re.compile(r"^\s*goal:\s*(.+)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class SubGoal:
    """One thing to reach, in words.

    Attributes:
        reached: whether it is reached, as far as the agent knows. certain: whether that can be known; the agent is
            not stopped after a last sub-goal for which it cannot.
    """

    text: str
    reached: bool = False
    certain: bool = True


class Tracker(AgentPart, ABC):
    """Makes the list of sub-goals and ticks those that the screens and the agent's actions show to be reached.

    A tracker that depends on a modality declares it in `needs`; if its role is not granted that modality, the list is
    shown but nothing is held back.
    """

    @abstractmethod
    def begin(self, brief: Brief) -> None:
        """Start a new episode."""

    @abstractmethod
    def goals(self) -> tuple[tuple[SubGoal, ...], Usage]:
        """The initial list and what making it cost; called once per episode.

        Raises:
            ModelUnavailable: its model did not answer.
        """

    @abstractmethod
    def reached(self, left: Mapping[int, SubGoal], seen: Mapping[str, Observation]) -> tuple[frozenset[int], Usage]:
        """Numbers of the remaining sub-goals that are reached by now, and what finding out cost.

        Raises:
            ModelUnavailable: its model did not answer.
        """

    @abstractmethod
    def learn(self, turn: Turn) -> None:
        """Take in a completed turn."""


class ProgressAgent(Wrapper):
    """An agent that sees its remaining sub-goals, may not claim success before they are reached, and stops afterwards.

    The planner may tick a sub-goal with the note `reached 2` and add one with the note `goal: …`.

    Args:
        grace: turns that the agent may still take once no sub-goal is left.
        patience: consecutive claims of success that are held back while a sub-goal is left.

    Attributes:
        list: the current sub-goals. held: claims of success held back. stopped: whether it ended the episode.
    """

    def __init__(self, agent: Agent, tracker: Tracker, role: Role, grace: int = 2, patience: int = 2) -> None:
        if grace < 0 or patience < 1:
            raise ConfigError(f"progress: grace must be at least 0 and patience at least 1, not {grace} and {patience}")
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
        """Modalities of the wrapped agent and of the tracker."""
        return self.agent.modalities | self.role.modalities

    def begin(self, brief: Brief) -> None:
        """Forget the last episode."""
        self.list = []
        self.held = self._over = self._claimed = 0
        self.stopped = self._made = self._tells = False
        self.tracker.begin(brief)
        super().begin(brief)

    def decide(self, situation: Situation) -> Choice:
        """The wrapped agent's choice, given what is left; or the end, if nothing has been left for `grace` turns."""
        spent = self._look(situation)
        if self.list and not self.left and self.list[-1].certain:
            self._over += 1
            if self._over > self.grace:
                self.stopped = True
                done = final_choice(Done("success"), "Every sub-goal of the own list is reached.")
                return _add_usage(done, spent)
        choice = super().decide(add_note(situation, self.words(), "advice") if self.list else situation)
        self._note(choice.decision.notes)
        return _add_usage(replace(choice, proposals=vet_each(choice.proposals, self._objection)), spent)

    def learn(self, turn: Turn) -> None:
        """Pass the turn on to the tracker and the wrapped agent."""
        self.tracker.learn(turn_for(turn, self.role))
        super().learn(turn)

    @property
    def left(self) -> dict[int, SubGoal]:
        """The sub-goals not yet reached, by number from 1."""
        return {number: goal for number, goal in enumerate(self.list, 1) if not goal.reached}

    def words(self) -> str:
        """The list as text."""
        lines = (f"{number}. [{'x' if goal.reached else ' '}] {goal.text}" for number, goal in enumerate(self.list, 1))
        rest = "" if self.left else "\nNothing is left: finish, unless you know better."
        return "Your sub-goals:\n" + "\n".join(lines) + rest

    def _look(self, situation: Situation) -> Usage:
        spent = Usage()
        seen = situation_for(situation, self.role).observations
        needs = self.tracker.needs
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


def _add_usage(choice: Choice, spent: Usage) -> Choice:
    """The choice, with `spent` added to the usage of its decision."""
    decision = replace(choice.decision, usage=choice.decision.usage + spent)
    return replace(choice, decision=decision)
