"""The contract of verb sets: what a planner is offered, and the program of verbs that stands for a move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from omnipilot.envs import Intent, Observation, Point, Size
from omnipilot.envs.types.actions import Described
from omnipilot.memory import AgentPart, Move
from omnipilot.planners import Brief, Verbs


@dataclass(frozen=True, slots=True)
class Refusal:
    """A move that is not carried out, and why not, in words for the planner."""

    why: str


@dataclass(frozen=True, slots=True)
class MoveFromPlace:
    """A move that depends on where something lies, such as a swipe of a certain length that starts there.

    Attributes:
        env: its device.
        target: what the grounder finds first.
        make: the intent, of points alone, from the place that was found and the size of the screen in pixels.
    """

    env: str
    target: Described
    make: Callable[[Point, Size], Intent]


Look: TypeAlias = Callable[[str], Observation]
"""Shows a device, by its name, as it is now, with what the planner may see of it."""
ProgramPart: TypeAlias = Move | MoveFromPlace | Refusal
Program: TypeAlias = Iterator[ProgramPart]
"""The moves that stand for one move, in order, each asked for after the one before was executed; a refusal ends it."""


class VerbSet(AgentPart, ABC):
    """Changes which verbs a planner is offered, and carries out those that its devices do not have.

    One instance serves many episodes; `begin` forgets the previous one.
    """

    def begin(self, brief: Brief) -> None:
        """Start an episode with what the devices themselves can do."""

    @abstractmethod
    def offer(self, envs: Mapping[str, Verbs]) -> Mapping[str, Verbs]:
        """What the planner is told that each device can do.

        Args:
            envs: what it is told without this set, by the device's name.
        """

    @abstractmethod
    def expand(self, move: Move, look: Look) -> Program | None:
        """The program that stands for a move; None if it is made as it is.

        Args:
            look: shows a device, also between the moves of the program.
        """


def program_of(*moves: ProgramPart) -> Program:
    """A program of moves that are known beforehand."""
    return chain(moves)


def device_of(move: Move, devices: Mapping[str, Verbs]) -> str:
    """The device of a move; the only one there is, where the move names none."""
    return move.env or (next(iter(devices)) if len(devices) == 1 else "")
