"""What happened: moves proposed, actions executed, turns, and whole trajectories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from omnipilot.envs import Action, Box, Intent, Observation, Point
from omnipilot.memory.messages import Usage


@dataclass(frozen=True, slots=True)
class Move:
    """One thing a planner wants done: an intent, and the environment that is to do it ("" for control verbs)."""

    env: str
    intent: Intent


@dataclass(frozen=True, slots=True)
class Pointed:
    """One described place that was found: what was asked, and where the grounder pointed."""

    target: str
    point: Point
    box: Box | None = None
    grounder: str = ""


Result: TypeAlias = Literal["done", "control", "forced", "rejected", "not_found", "malformed", "skipped", "vetoed"]
INVALID: frozenset[Result] = frozenset({"rejected", "not_found", "malformed"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a move.

    Attributes:
        result: `done` (an environment did it), `control` (the loop did it), `forced` (the world went on as it was
            recorded), `rejected` by the environment, `not_found` by the grounder, `malformed` (the planner's reply
            could not be read), `skipped` (an earlier move of the turn failed), `vetoed` by a critic of the agent's own
            before it was carried out.
        message: for the planner; what to try instead, a user's reply, what was recorded, …
    """

    result: Result
    message: str = ""

    @property
    def invalid(self) -> bool:
        """Whether it counts against the run's policy for invalid actions."""
        return self.result in INVALID

    @property
    def refused(self) -> bool:
        """Whether nothing was carried out, for a reason of this move's own: invalid, or vetoed."""
        return self.invalid or self.result == "vetoed"


@dataclass(frozen=True, slots=True)
class Step:
    """One move as proposed and as executed; the two differ under a critic, a person or teacher forcing.

    Attributes:
        index: of the step in the episode, from 0. turn: of its turn, from 0.
        proposed: None where the planner's reply was malformed.
        executed: None where nothing was.
        seen: what the move was grounded on: the turn's observation, or a fresh one taken just before the move.
        fresh: whether `seen` was taken for this move (not shown to the planner in this turn).
        start, end: seconds on the world's clock.
        usage: what grounding cost.
        predicted: under teacher forcing, the proposed move as it was grounded; None where it could not be.
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
    def counts(self) -> bool:
        """Whether it is one of the A executed actions of the efficiency metrics (CRAB §5.2): done by an environment,
        an `Answer` or `Wait` carried out by the loop, or one of a recording. `Noop`, `Done`, looks and questions are
        none."""
        if self.outcome.result in ("done", "forced"):
            return True
        return (
            self.outcome.result == "control" and self.executed is not None and self.executed.kind in ("answer", "wait")
        )


@dataclass(frozen=True, slots=True)
class Turn:
    """One decision and all that came of it.

    Attributes:
        observations: what was captured for the turn, by environment.
        usage: of the planner's calls.
    """

    index: int
    observations: Mapping[str, Observation]
    thought: str
    notes: tuple[str, ...]
    steps: tuple[Step, ...]
    usage: Usage


@dataclass(frozen=True, slots=True)
class Trajectory:
    """An episode as the agent lived it; judges' verdicts are not in it."""

    instruction: str
    turns: tuple[Turn, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """Every step in order."""
        return tuple(step for turn in self.turns for step in turn.steps)
