"""Limits of an episode, and a meter of what it has used."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import Literal, TypeAlias

from omnipilot.envs import ConfigError, Done
from omnipilot.envs.types import Status
from omnipilot.memory import Step, Usage
from omnipilot.planners import Left


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of an episode; None means no limit.

    Attributes:
        turns: decisions. actions: executed actions (CRAB limits both). tokens: of all model calls.
        seconds: wall time. cost: USD for all model calls; calls replayed from a cassette count at their recorded cost.
        working: seconds spent in models and devices; pauses before retries do not count.
        idle: steps in a row without a new sub-goal. Kept by whoever judges, since the agent is told of no sub-goal.
    """

    turns: int | None = 30
    actions: int | None = 60
    tokens: int | None = None
    seconds: float | None = None
    cost: float | None = None
    working: float | None = None
    idle: int | None = None

    def __post_init__(self) -> None:
        for name in (*LIMITS, IDLE):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise ConfigError(f"limit {name} must be above 0, not {value}; leave it out for no limit")


IDLE = "idle"
"""The limit that is not the loop's: the agent is not told of it, and whoever judges keeps it."""
LIMITS = tuple(field.name for field in fields(Limits) if field.name != IDLE)
"""Names of the limits that the loop keeps."""
EndReason: TypeAlias = Literal[
    "done", "stopped", "turns", "actions", "tokens", "seconds", "cost", "working", "idle", "invalid", "denied", "world"
]


@dataclass(frozen=True, slots=True)
class Ending:
    """Why the loop stopped: the agent's `Done` (with its status), a stopping rule (`stopped`, with the status that the
    rule takes the task to have), a limit, invalid actions, moves that the guard refused, or the world itself."""

    reason: EndReason
    status: Status | None = None
    detail: str = ""


@dataclass
class Meter:
    """What an episode has used so far.

    Attributes:
        limits: those that hold now; whoever made it may raise them.
        cost: USD; calls of unknown price add nothing. working: seconds, see `Limits`.
    """

    limits: Limits
    began: float = field(default_factory=time.perf_counter)
    turns: int = 0
    steps: int = 0
    actions: int = 0
    tokens: int = 0
    cost: float = 0.0
    working: float = 0.0
    invalid_in_a_row: int = 0

    def left(self) -> Left:
        """The remaining amount of each limit."""
        limits = self.limits
        return Left(
            None if limits.turns is None else limits.turns - self.turns,
            None if limits.actions is None else limits.actions - self.actions,
            None if limits.tokens is None else limits.tokens - self.tokens,
            None if limits.seconds is None else limits.seconds - (time.perf_counter() - self.began),
            None if limits.cost is None else limits.cost - self.cost,
            None if limits.working is None else limits.working - self.working,
        )

    def spend(self, usage: Usage) -> None:
        """Add the usage of model calls."""
        self.tokens += usage.tokens
        self.cost += usage.cost or 0.0
        self.working += usage.seconds

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Count the seconds spent in a device."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.working += time.perf_counter() - began

    def exhausted(self, new_turn: bool) -> Ending | None:
        """The ending for a limit that was reached, if any; the turn limit counts only if a new turn would begin."""
        left = self.left()
        if new_turn and left.turns is not None and left.turns <= 0:
            return Ending("turns", detail=f"{self.limits.turns} turns used")
        if left.actions is not None and left.actions <= 0:
            return Ending("actions", detail=f"{self.limits.actions} actions used")
        if left.tokens is not None and left.tokens <= 0:
            return Ending("tokens", detail=f"{self.tokens} tokens used, {self.limits.tokens} allowed")
        if left.seconds is not None and left.seconds <= 0:
            return Ending("seconds", detail=f"{self.limits.seconds:g} s used")
        if left.cost is not None and left.cost <= 0:
            return Ending("cost", detail=f"${self.cost:.4f} spent, ${self.limits.cost:g} allowed")
        if left.working is not None and left.working <= 0:
            return Ending("working", detail=f"models and devices worked {self.working:.1f} s")
        return None

    def step(self, step: Step, retries: int) -> Ending | None:
        """Count a step and return the ending it causes, if any."""
        self.steps += 1
        self.actions += step.counts
        self.spend(step.usage)
        self.invalid_in_a_row = self.invalid_in_a_row + 1 if step.outcome.failed else 0
        if self.invalid_in_a_row > retries:
            reason: EndReason = "denied" if step.outcome.result == "denied" else "invalid"
            return Ending(reason, detail=step.outcome.message)
        if isinstance(step.executed, Done):
            return Ending("done", step.executed.status, step.executed.text)
        return self.exhausted(new_turn=False)
