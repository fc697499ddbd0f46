"""The planner that knows the solution: a task it fails has a broken task, judge or environment."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.envs import ActionRejected, Done, Modality, NotFound, Wait
from omnipilot.memory import Move, TakesTruth, WaitUntil
from omnipilot.planners.base import Brief, Decision, Planner, Request

SHORTEST_PAUSE, LONGEST_PAUSE = 0.25, 2.0
"""Seconds between two looks whether what is awaited is so; in between, as long as it has been waited for."""


class OraclePlanner(TakesTruth, Planner):
    """Replays the task's demonstration, one move per turn (all at once for a script), then ends the episode.

    A failed move is retried once; if it fails again, the episode ends as a failure, as it does where the demonstration
    cannot be made in this world. Where the demonstration waits until something is so (`WaitUntil`), it looks at once,
    and then after pauses that get longer.
    """

    reads: frozenset[Modality] = frozenset()
    part = "planner 'oracle'"
    takes_notes: bool = False

    def __init__(self) -> None:
        self._moves: tuple[Move, ...] | None = None
        self._next = 0
        self._tries = 0
        self._waited = 0.0
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
        self._waited = 0.0
        self._script = brief.script

    def plan(self, request: Request) -> Decision:
        """The next move of the demonstration, or the last one again if it failed.

        Raises:
            ConfigError: the task has no solution.
        """
        if self._moves is None:
            # Not before the first decision: the world may have had a past until now.
            try:
                self._moves = tuple(self._moves_of(self._truth.demonstration()))
            except (ActionRejected, NotFound) as error:
                why = f"the demonstration breaks: {error}"
                return Decision((Move("", Done("failure", why[:500])),), thought=why)
        if self._script:
            plain = [Move(one.env, one.intent) if isinstance(one, WaitUntil) else one for one in self._moves]
            return self._say(plain, "The whole demonstration.")
        failed = next((told.outcome for told in request.feedback if told.outcome.refused), None)
        if failed is None and self._tries:
            self._next, self._tries = self._next + 1, 0
        if failed is not None and self._tries > 1:
            why = f"move {self._next + 1} of {len(self._moves)} failed twice: {failed.message}"
            return Decision((Move("", Done("failure", why[:500])),), thought=why)
        if (waiting := self._wait()) is not None:
            return waiting
        if self._next >= len(self._moves):
            return Decision((Move("", Done("success")),), thought="The demonstration is over.")
        self._tries += 1
        return self._say((self._moves[self._next],), f"Move {self._next + 1} of {len(self._moves)}.")

    def _wait(self) -> Decision | None:
        """What to do while that which the demonstration waits for is not so; None once it is."""
        assert self._moves is not None
        while self._next < len(self._moves) and isinstance(awaited := self._moves[self._next], WaitUntil):
            if awaited.holds():
                self._next, self._waited = self._next + 1, 0.0
                continue
            if self._waited >= awaited.patience:
                why = f"waited {awaited.patience:g} s in vain: {awaited.what}"
                return Decision((Move("", Done("failure", why[:500])),), thought=why)
            pause = min(max(self._waited, SHORTEST_PAUSE), LONGEST_PAUSE)
            self._waited += pause
            return Decision((Move("", Wait(pause)),), thought=f"Waiting until {awaited.what}.")
        return None

    def _moves_of(self, demonstration: Sequence[Move]) -> Sequence[Move]:
        """The moves that it will play."""
        return demonstration

    def _say(self, moves: Sequence[Move], thought: str) -> Decision:
        """Moves as a decision."""
        return Decision(tuple(moves), thought=thought)
