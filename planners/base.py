"""The contract of planners: from observations and memories to a decision."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from omnipilot.envs import Box, CustomVerb, Modality, Observation, Platform, Size
from omnipilot.envs.types import CONTROL_VERBS
from omnipilot.memory import AgentPart, Expectation, Message, Move, Outcome, Recalled, Usage


@dataclass(frozen=True, slots=True)
class Verbs:
    """What one environment can do.

    Attributes:
        kinds: kinds of its verbs, without control verbs (those are always allowed).
        custom: its custom verbs, by name.
        description: what it is, in words; "" where nothing is said. applications: the programs it is used with.
        installed: the programs that are on it, where it says so. size: of its screenshots, in pixels, at the start.
    """

    platform: Platform
    kinds: frozenset[str]
    custom: Mapping[str, CustomVerb] = field(default_factory=dict)
    description: str = ""
    applications: tuple[str, ...] = ()
    installed: tuple[str, ...] = ()
    size: Size | None = None


@dataclass(frozen=True, slots=True)
class Brief:
    """What an agent is given at the start of an episode.

    Attributes:
        instruction: the task in words; "" for a worker of a team, who is told what to do in messages.
        intent: why the user wants it, if the run includes intents.
        envs: what each environment can do, by name.
        seed: for planners that sample; differs by task, instance and trial.
        control: the control verbs that this planner may use; in a team only one may answer and finish.
        examples: what was done in earlier episodes for similar tasks, if the run gives any.
        script: the episode has a single decision, all of whose moves are executed.
        checks: stated expectations are checked, so planners may be offered to state them.
        task: the task of a worker's team, where it `knows_task`; "" for all others.
        anchors: the key of the episode's anchors, which no device knows: with the key "k7q2" a planner types
            `{@k7q2:name}` for the value of an anchor, and what it notes becomes one. "" where nobody keeps anchors.
    """

    instruction: str
    envs: Mapping[str, Verbs]
    seed: int = 0
    intent: str = ""
    control: frozenset[str] = CONTROL_VERBS
    script: bool = False
    checks: bool = False
    anchors: str = ""
    examples: tuple[Recalled, ...] = ()
    task: str = ""


@dataclass(frozen=True, slots=True)
class Left:
    """What remains of the run's limits; None for no limit. `cost` is in USD, `working` excludes pauses."""

    turns: int | None = None
    actions: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    cost: float | None = None
    working: float | None = None


@dataclass(frozen=True, slots=True)
class Feedback:
    """The outcome of a move of the previous turn.

    Attributes:
        move: None if the reply was malformed.
        touched: where on its screen it acted: boxes, in order; none where it acted on no place.
        carried_out: of a move that stands for several, such as a macro, how many of them were carried out.
    """

    move: Move | None
    outcome: Outcome
    touched: tuple[Box, ...] = ()
    carried_out: int = 0


@dataclass(frozen=True, slots=True)
class Request:
    """The input to one decision of a planner.

    Attributes:
        observations: by environment; only environments and modalities that its role may see.
        recalled: from memory, oldest first.
        feedback: outcomes of its last moves.
        message: in a team, the instructions of the head; "" for a planner that decides alone.
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
        moves: executed in order until one fails.
        thought: the reasoning. notes: facts to remember.
        expectations: what should hold after its moves; checked if the run's setting `checks` says so.
        usage: of every model call that led to it.
    """

    moves: tuple[Move, ...]
    thought: str = ""
    notes: tuple[str, ...] = ()
    expectations: tuple[Expectation, ...] = ()
    usage: Usage = field(default_factory=Usage)


class WrongDecision(TypeError):
    """A planner decided something that is no decision, which is a mistake in its code."""


def decision_problem(decision: object) -> str:
    """What is wrong with what `plan` returned, in words; "" for a decision."""
    if not isinstance(decision, Decision):
        return f"plan() returned {decision!r:.60}: it must return a Decision, not {_kind(decision)}"
    moves: object = decision.moves
    if not isinstance(moves, tuple) or not all(isinstance(move, Move) for move in moves):
        return f"a decision's moves are {moves!r:.60}: they must be a tuple of Move"
    return ""


def _kind(value: object) -> str:
    name = type(value).__name__
    return "None" if value is None else f"a{'n' * (name[0].lower() in 'aeiou')} {name}"


def plan_with(planner: Planner, request: Request) -> Decision:
    """What a planner decides.

    Raises:
        WrongDecision: it is no decision; the message names the planner. And whatever the planner raises.
    """
    decision = planner.plan(request)
    if problem := decision_problem(decision):
        made = type(planner)
        raise WrongDecision(f"planner {made.__module__}:{made.__qualname__}: {problem}")
    return decision


Preview: TypeAlias = tuple[Sequence[Message], Mapping[str, Any]]
"""The messages that a model would be sent, and what goes with them: `tools`, or the `schema` of the reply."""


class Planner(AgentPart, ABC):
    """Decides what to do. One instance serves many episodes; `begin` forgets the previous one.

    A planner has `begin` and `plan`. Everything else is optional: the bodies here are those of a planner that describes
    places in words, may read what it is told, and calls no model.
    """

    @abstractmethod
    def begin(self, brief: Brief) -> None:
        """Start a new episode; no state of the previous one may remain."""

    @abstractmethod
    def plan(self, request: Request) -> Decision:
        """Decide what to do now.

        Raises:
            MalformedReply: its model gave unreadable replies, retries included.
            ModelUnavailable: its model did not answer.
        """

    @property
    def points(self) -> bool:
        """Whether it may name places by coordinates, rather than leave all of them to a grounder."""
        return False

    @property
    def knows_task(self) -> bool:
        """Whether it is told the task as a worker of a team, too, and not the head's messages alone."""
        return False

    @property
    def takes_notes(self) -> bool:
        """Whether it reads what is recalled and noted for it."""
        return True

    @property
    def reads_examples(self) -> bool:
        """Whether it reads examples among what is recalled."""
        return self.takes_notes

    @property
    def untaken(self) -> frozenset[Modality] | None:
        """The modalities that its model is never shown, because the provider or an option excludes them. None for a
        planner without a model that is shown what there is."""
        return None

    def preview(self, request: Request) -> Preview | None:  # noqa: ARG002
        """What its model would be sent, without calling it; None for a planner that calls none."""
        return None


@dataclass(frozen=True, slots=True)
class Thought:
    """A thinker's instructions for its workers, and the usage of its model calls."""

    words: str
    usage: Usage = field(default_factory=Usage)


class Thinker(AgentPart, ABC):
    """The head of a team: says in words what to do now; workers turn its words into moves."""

    @abstractmethod
    def begin(self, brief: Brief) -> None:
        """Start a new episode; no state of the previous one may remain."""

    @abstractmethod
    def think(self, request: Request) -> Thought:
        """Say what to do now.

        Raises:
            MalformedReply: its model said nothing, retries included.
            ModelUnavailable: its model did not answer.
        """

    def preview(self, request: Request) -> Preview | None:  # noqa: ARG002
        """What its model would be sent, without calling it; None for a thinker that calls none."""
        return None
