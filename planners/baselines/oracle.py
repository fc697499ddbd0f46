"""The planner that knows the solution: a task it fails has a broken task, judge or environment."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.envs import Done, Modality
from omnipilot.memory import Move
from omnipilot.memory.truth import TakesTruth
from omnipilot.planners.base import Brief, Decision, Request


class OraclePlanner(TakesTruth):
    """Replays the task's demonstration, one move per turn (all at once for a script), then ends the episode.

    A failed move is retried once; if it fails again, the episode ends as a failure.
    """

    reads: frozenset[Modality] = frozenset()
    part = "planner 'oracle'"
    takes_notes: bool = False

    def __init__(self) -> None:
        self._moves: tuple[Move, ...] | None = None
        self._next = 0
        self._tries = 0
        self._script = False

    def begin(self, brief: Brief) -> None:
        """Start over.

        Raises:
            ConfigError: there is no runner that knows a solution.
        """
        assert self._truth is not None
        self._moves = None
        self._next = 0
        self._tries = 0
        self._script = brief.script

    def plan(self, request: Request) -> Decision:
        """The next move of the demonstration, or the last one again if it failed.

        Raises:
            ConfigError: the task has no solution.
        """
        if self._moves is None:
            # Not before the first decision: the world may have had a past until now.
            self._moves = tuple(self._moves_of(self._truth.demonstration()))
        if self._script:
            return self._say(self._moves, "The whole demonstration.")
        failed = next((told.outcome for told in request.feedback if told.outcome.refused), None)
        if failed is None and self._tries:
            self._next, self._tries = self._next + 1, 0
        if failed is not None and self._tries > 1:
            why = f"move {self._next + 1} of {len(self._moves)} failed twice: {failed.message}"
            return Decision((Move("", Done("failure", why[:500])),), thought=why)
        if self._next >= len(self._moves):
            return Decision((Move("", Done("success")),), thought="The demonstration is over.")
        self._tries += 1
        return self._say((self._moves[self._next],), f"Move {self._next + 1} of {len(self._moves)}.")

    def _moves_of(self, demonstration: Sequence[Move]) -> Sequence[Move]:
        """The moves that it will play."""
        return demonstration

    def _say(self, moves: Sequence[Move], thought: str) -> Decision:
        """Moves as a decision."""
        return Decision(tuple(moves), thought=thought)
