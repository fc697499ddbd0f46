"""Trajectories: proposed moves, executed actions, steps and turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from omnipilot.envs import Action, Box, Intent, Observation, Point
from omnipilot.envs.types import place_fields
from omnipilot.memory.messages import Usage


@dataclass(frozen=True, slots=True)
class Move:
    """One move of a planner: an intent, and the environment to execute it in ("" for control verbs)."""

    env: str
    intent: Intent


@dataclass(frozen=True, slots=True)
class Pointed:
    """One described place that was found: its description, and where the grounder pointed."""

    target: str
    point: Point
    box: Box | None = None
    grounder: str = ""


Result: TypeAlias = Literal[
    "done", "control", "forced", "rejected", "not_found", "malformed", "denied", "skipped", "vetoed"
]
INVALID: frozenset[Result] = frozenset({"rejected", "not_found", "malformed"})
"""Results of moves that could not be carried out."""
FAILED: frozenset[Result] = INVALID | {"denied"}
"""Those, and of moves that a guard refused: what counts towards the limit of such moves in a row."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a move.

    Attributes:
        result: `done` (executed by an environment), `control` (executed by the loop), `forced` (the recording went on),
            `rejected` by the environment, `not_found` by the grounder, `malformed` (the planner's reply could not be
            read), `denied` by the guard, `skipped` (an earlier move of the turn failed), `vetoed` by the agent's own
            critic before execution.
        message: for the planner: what to try instead, a user's reply, the recorded action, …
    """

    result: Result
    message: str = ""

    @property
    def failed(self) -> bool:
        """Whether it counts towards the run's limit on invalid actions: it was one, or a guard refused it."""
        return self.result in FAILED

    @property
    def refused(self) -> bool:
        """Whether nothing was executed because of the move itself: it was invalid, denied or vetoed."""
        return self.failed or self.result == "vetoed"


AROUND = 0.02
"""Half the side of a square that stands for a point, as a share of each side of the screen."""


def places_around(action: Action) -> tuple[Box, ...]:
    """Squares around the points of an action, in order, cut at the edges of the screen."""
    found: list[Box] = []
    for name in place_fields(action):
        value = getattr(action, name)
        for point in value if isinstance(value, tuple) else (value,):
            if isinstance(point, Point):
                low = (max(0.0, point.x - AROUND), max(0.0, point.y - AROUND))
                found.append(Box(*low, min(1.0, point.x + AROUND), min(1.0, point.y + AROUND)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Step:
    """One move as proposed and as executed; the two differ under a critic, a person or teacher forcing.

    Attributes:
        index: index of the step in the episode, from 0. turn: index of its turn, from 0.
        proposed: None if the planner's reply was malformed.
        executed: None if nothing was executed.
        seen: the observation the move was grounded on: the turn's, or a fresh one taken just before the move.
        fresh: whether `seen` was taken for this move (not shown to the planner in this turn).
        start, end: seconds on the world's clock.
        usage: usage of grounding.
        predicted: under teacher forcing, the grounded proposal; None if it could not be grounded.
    """

    index: int
    turn: int
    proposed: Move | None
    executed: Action | None
    outcome: Outcome
    seen: Observation | None = None
    fresh: bool = False
    pointed: tuple[Pointed, ...] = ()
    start: float = 0.0
    end: float = 0.0
    usage: Usage = field(default_factory=Usage)
    predicted: Action | None = None

    @property
    def touched(self) -> tuple[Box, ...]:
        """Where it acted: the boxes of what was found there; squares around points of which no box is known."""
        if self.executed is None:
            return ()
        boxes = tuple(one.box for one in self.pointed if one.box is not None)
        return boxes or places_around(self.executed)

    @property
    def counts(self) -> bool:
        """Whether it is one of the A executed actions of the efficiency metrics (CRAB §5.2): one executed by an
        environment, an `Answer` or `Wait` executed by the loop, or one of a recording. `Noop`, `Done`, screenshots and
        questions do not count."""
        if self.outcome.result in ("done", "forced"):
            return True
        return (
            self.outcome.result == "control" and self.executed is not None and self.executed.kind in ("answer", "wait")
        )


@dataclass(frozen=True, slots=True)
class Turn:
    """One decision and its consequences.

    Attributes:
        observations: captured for the turn, by environment.
        usage: usage of the planner's calls.
    """

    index: int
    observations: Mapping[str, Observation]
    thought: str
    notes: tuple[str, ...]
    steps: tuple[Step, ...]
    usage: Usage
