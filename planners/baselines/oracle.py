"""The planner that knows the solution: a task it fails has a broken task, judge or environment."""

from __future__ import annotations

from omnipilot.envs import ConfigError, Done, Modality
from omnipilot.memory import Move
from omnipilot.planners.base import Brief, Decision, Request


class OraclePlanner:
    """Replays the brief's demonstration, one move per turn (all at once for a script), then ends the episode.

    A failed move is retried once; if it fails again, the episode ends as a failure.
    """

    reads: frozenset[Modality] = frozenset()
    takes_notes: bool = False

    def __init__(self) -> None:
        self._moves: tuple[Move, ...] = ()
        self._next = 0
        self._tries = 0
        self._script = False

    def begin(self, brief: Brief) -> None:
        """Load the demonstration.

        Raises:
            ConfigError: the suite has no solution for this task.
        """
        if brief.demonstration is None:
            raise ConfigError(
                "planner 'oracle' needs a demonstration, and this task has none; run it on a suite with solutions, "
                "or choose another planner"
            )
        self._moves = brief.demonstration
        self._next = 0
        self._tries = 0
        self._script = brief.script

    def plan(self, request: Request) -> Decision:
        """The next move of the demonstration, or the last one again if it failed."""
        if self._script:
            return Decision(self._moves, thought="The whole demonstration.")
        failed = next((told.outcome for told in request.feedback if told.outcome.refused), None)
        if failed is None and self._tries:
            self._next, self._tries = self._next + 1, 0
        if failed is not None and self._tries > 1:
            why = f"move {self._next + 1} of {len(self._moves)} failed twice: {failed.message}"
            return Decision((Move("", Done("failure", why[:500])),), thought=why)
        if self._next >= len(self._moves):
            return Decision((Move("", Done("success")),), thought="The demonstration is over.")
        self._tries += 1
        return Decision((self._moves[self._next],), thought=f"Move {self._next + 1} of {len(self._moves)}.")
