"""The contract of planners: from what is seen, heard and recalled to a decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from omnipilot.envs import CustomVerb, Modality, Observation
from omnipilot.envs.base import Platform
from omnipilot.envs.types.actions import CONTROL
from omnipilot.memory import Message, Move, Outcome, Recalled, Usage


@dataclass(frozen=True, slots=True)
class Verbs:
    """What one environment can do.

    Attributes:
        kinds: of its verbs, control verbs apart (those are always allowed).
        custom: verbs of its own, by name.
    """

    platform: Platform
    kinds: frozenset[str]
    custom: Mapping[str, CustomVerb] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Brief:
    """What an agent is told when an episode begins.

    Attributes:
        instruction: the task in words. intent: why the user wants it, where the run allows it.
        envs: what each environment can do, by name.
        seed: for planners that draw; differs by task, instance and trial.
        demonstration: a solution, filled by the runner for the planner `oracle` alone.
        control: the control verbs that this planner may use; in a team only one may answer and finish.
        script: there is one decision in the episode, and all of its moves are taken.
    """

    instruction: str
    envs: Mapping[str, Verbs]
    seed: int = 0
    intent: str = ""
    demonstration: tuple[Move, ...] | None = None
    control: frozenset[str] = CONTROL
    script: bool = False


@dataclass(frozen=True, slots=True)
class Left:
    """What remains of the run's limits; None where there is none. `cost` in dollars, `working` without pauses."""

    turns: int | None = None
    actions: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    cost: float | None = None
    working: float | None = None


@dataclass(frozen=True, slots=True)
class Feedback:
    """What became of a move of the turn before. `move` is None where the reply was malformed."""

    move: Move | None
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Request:
    """Everything a planner is given for one decision.

    Attributes:
        observations: by environment, only those and only of the modalities that its role may see.
        recalled: from memory, oldest first.
        feedback: what became of its last moves.
        message: the words of the agent that it works for, in a team; "" for a planner that decides alone.
    """

    brief: Brief
    turn: int
    observations: Mapping[str, Observation]
    recalled: Sequence[Recalled] = ()
    feedback: Sequence[Feedback] = ()
    left: Left = field(default_factory=Left)
    message: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision.

    Attributes:
        moves: in order; executed until one fails.
        thought: why, in words. notes: to remember. expectations: what should hold afterwards, for a checker.
        usage: of every model call that led to it.
    """

    moves: tuple[Move, ...]
    thought: str = ""
    notes: tuple[str, ...] = ()
    expectations: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


class Planner(Protocol):
    """Decides. One instance serves one episode after another; `begin` forgets the last."""

    def begin(self, brief: Brief) -> None:
        """A new episode; no state of the last one may remain."""
        ...

    def plan(self, request: Request) -> Decision:
        """Decide what to do now.

        Raises:
            MalformedReply: its model answered what cannot be read, also when asked again.
            ModelUnavailable: its model did not answer.
        """
        ...


@dataclass(frozen=True, slots=True)
class Thought:
    """What a thinker said, for those who work for it, and what its model calls cost."""

    words: str
    usage: Usage = field(default_factory=Usage)


class Thinker(Protocol):
    """Sees and thinks, and says in words what is to be done now; others turn its words into moves."""

    def begin(self, brief: Brief) -> None:
        """A new episode; no state of the last one may remain."""
        ...

    def think(self, request: Request) -> Thought:
        """Say what to do now.

        Raises:
            MalformedReply: its model said nothing, also when asked again.
            ModelUnavailable: its model did not answer.
        """
        ...


@runtime_checkable
class Points(Protocol):
    """A planner that may name places by coordinates (`points`). One that does not say leaves places to a grounder."""

    @property
    def points(self) -> bool: ...


@runtime_checkable
class SkipsModalities(Protocol):
    """A planner over a model that is never shown some modalities (`untaken`), because the provider or an option
    excludes them. A planner that does not say so is shown all that its role is granted."""

    @property
    def untaken(self) -> frozenset[Modality]: ...


@runtime_checkable
class Previews(Protocol):
    """A planner or thinker that can show what its model would be sent, without calling it."""

    def preview(self, request: Request) -> tuple[Sequence[Message], Mapping[str, Any]]:
        """The messages, and what goes with them: `tools`, or the `schema` of the reply."""
        ...
