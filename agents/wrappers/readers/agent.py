"""An agent whose planner is told in every turn what a reader made of what is heard and shown."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace

from omnipilot.agents.base import Agent, Choice, Situation
from omnipilot.agents.wrappers.base import Wrapper, situation_for, turn_for
from omnipilot.envs import Modality, Observation
from omnipilot.memory import AgentPart, Recalled, Role, Turn
from omnipilot.memory.warm_up import warm_up
from omnipilot.planners import Brief


class Reader(AgentPart, ABC):
    """Turns what is heard, what is written and what moves into words."""

    @abstractmethod
    def begin(self) -> None:
        """Start a new episode; nothing of the previous one may remain."""

    @abstractmethod
    def read(self, seen: Observation, since: float) -> Iterable[tuple[str, str]]:
        """What to tell the planner about one environment, each with its source: "transcript", "texts" or
        "motion".

        Args:
            seen: what the planner's role may see of it. since: when the environment was observed in the turn before,
                in seconds on the world's clock; `seen.time` in the first turn. What was heard from then until now is
                new.
        """

    def fork(self) -> Reader:
        """The same reader at the same moment of the same episode, for a world that was doubled; the truth that it was
        given is still that of the first world. Right as it is for readers that remember nothing of an episode."""
        return copy(self)


class ReadingAgent(Wrapper):
    """An agent whose planner is told, beside each environment's observation, what a reader made of it.

    In a team, the head is told.

    Args:
        role: what the reader is shown: no more than the planner is granted.
    """

    def __init__(self, agent: Agent, reader: Reader, role: Role) -> None:
        super().__init__(agent)
        self.reader = self.part = reader
        self.role = role
        self._until: dict[str, float] = {}

    @property
    def modalities(self) -> frozenset[Modality]:
        """Modalities of the wrapped agent, and those that the reader reads."""
        return self.agent.modalities | self.role.modalities

    def warm_up(self) -> None:
        """Warm up the wrapped agent and the reader."""
        warm_up(self.agent, self.reader)

    def begin(self, brief: Brief) -> None:
        """Forget the last episode."""
        self._until = {}
        self.reader.begin()
        super().begin(brief)

    def decide(self, situation: Situation) -> Choice:
        """The wrapped agent's choice, given what was read."""
        notes = self._read(situation_for(situation, self.role).observations, situation.turn)
        return super().decide(replace(situation, extra=(*situation.extra, *notes)))

    def take_past(self, turn: Turn, told: Sequence[Recalled] = ()) -> None:
        """Read a turn from before the episode too, so that what was said in it is remembered in words."""
        notes = self._read(turn_for(turn, self.role).observations, turn.index)
        super().take_past(turn, (*told, *notes))

    def _read(self, observations: Mapping[str, Observation], turn: int) -> list[Recalled]:
        """What the reader tells of a turn's observations."""
        notes: list[Recalled] = []
        for env, seen in observations.items():
            for source, words in self.reader.read(seen, self._until.get(env, seen.time)):
                notes.append(Recalled(words, source, env, seen.time, turn))
            self._until[env] = seen.time
        return notes
